import { expect, it } from 'vitest';
import { ApiError } from '#shared/api/client.ts';
import { messages as en } from '#shared/i18n/messages/en/app.ts';
import { messages as enAuth } from '#shared/i18n/messages/en/auth.ts';
import { messages as es } from '#shared/i18n/messages/es/app.ts';
import { messages as esAuth } from '#shared/i18n/messages/es/auth.ts';
import { createT, flattenMessages } from '#shared/i18n/translate.ts';
import { toErrorText } from './error-text.ts';

const english = createT('en', new Map([...flattenMessages(en), ...flattenMessages(enAuth)]));
const spanish = createT('es', new Map([...flattenMessages(es), ...flattenMessages(esAuth)]));
const createError = (name: string, message = 'message of the provider') =>
  Object.assign(new Error(message), { name });

it.each([
  ['NotAuthorizedException', 'Incorrect username or password.', 'Incorrect username or password.'],
  ['UserNotFoundException', 'User does not exist.', 'Incorrect username or password.'],
  [
    'NotAuthorizedException',
    'Password attempts exceeded',
    'Too many wrong passwords. Wait a few minutes and try again.',
  ],
  ['NotAuthorizedException', 'User is disabled.', 'This account has been closed.'],
  [
    'NotAuthorizedException',
    'User cannot be confirmed. Current status is CONFIRMED',
    'This account is already confirmed. You can sign in.',
  ],
  [
    'NotAuthorizedException',
    'Invalid session for the user, session is expired.',
    'That took too long. Please try again.',
  ],
  [
    'NotAuthorizedException',
    'A recent sign-in is required',
    'Please sign in again to confirm that it is you.',
  ],
  [
    'InvalidParameterException',
    'User is already confirmed.',
    'This account is already confirmed. You can sign in.',
  ],
  ['UsernameExistsException', 'User already exists', 'An account with the given email already exists.'],
  [
    'InvalidPasswordException',
    'Password did not conform with policy: Password must have uppercase characters',
    'Should contain uppercase.',
  ],
  ['NotAuthorizedException', 'Access Token has been revoked', 'Please sign in to go on.'],
  [
    'InvalidParameterException',
    'TIMESTAMP is too far from the present time.',
    'The clock of this device is wrong. Please set it and try again.',
  ],
  [
    'LimitExceededException',
    'The user has as many passkeys as are allowed.',
    'Your account has as many passkeys as it can have. Delete one first.',
  ],
  ['ResourceNotFoundException', 'The passkey does not exist.', 'We could not find this.'],
  [
    'ResourceNotFoundException',
    'User pool client client1 does not exist.',
    'The service is not available right now. Please try again soon.',
  ],
  [
    'ServiceUnavailableException',
    'Service is busy, please try again in a moment.',
    'The service is not available right now. Please try again soon.',
  ],
  ['CodeMismatchException', '…', 'Invalid verification code provided, please try again.'],
  ['ExpiredCodeException', '…', 'Invalid code provided, please request a code again.'],
  ['LimitExceededException', '…', 'Attempt limit exceeded, please try after some time.'],
  [
    'NetworkError',
    'A network error has occurred.',
    'The network did not answer. Check your connection and try again.',
  ],
  ['UnexpectedSignInInterruptionException', '…', 'Unable to get user session following successful sign-in.'],
])('[AUTH-11] %s “%s” shows: %s', (name, message, expected) => {
  expect(toErrorText(english, createError(name, message), 'session.signInFailed')).toBe(expected);
});

it('[AUTH-11] shows the provider’s message for an unknown error', () => {
  expect(toErrorText(english, createError('UserLambdaValidationException'), 'session.signInFailed')).toBe(
    'message of the provider',
  );
  expect(toErrorText(english, createError('NotAuthorizedException'), 'session.signInFailed')).toBe(
    'message of the provider',
  );
});

it.each([
  ['session.signInFailed', 'An error occurred during sign in', 'Ocurrió un error al iniciar sesión'],
  ['session.signUpFailed', 'An error occurred during sign up', 'Ocurrió un error al crear la cuenta'],
  [
    'session.confirmFailed',
    'An error occurred during sign up confirmation',
    'Ocurrió un error al confirmar la cuenta',
  ],
  ['internal', 'An unexpected error occurred', 'Ocurrió un error inesperado'],
] as const)(
  '[AUTH-11] shows the fallback for an error without a message: %s',
  (general, inEnglish, inSpanish) => {
    for (const error of [
      new TypeError('x is undefined'),
      createError('Unknown'),
      'text',
      null,
      createError('OddException', ''),
    ]) {
      expect(toErrorText(english, error, general)).toBe(inEnglish);
      expect(toErrorText(spanish, error, general)).toBe(inSpanish);
    }
  },
);

it('[AUTH-11] shows the message of an API error’s code', () => {
  expect(toErrorText(english, new ApiError('too_many_requests', 429), 'internal')).toBe(
    'Too many tries. Please wait a moment.',
  );
  expect(toErrorText(spanish, new ApiError('network', 0), 'internal')).toMatch(/^La red no respondió/);
});
