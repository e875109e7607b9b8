import { expect, it } from 'vitest';
import { ApiError } from '#shared/api/client.ts';
import { translator } from '#shared/i18n/translate.ts';
import { texts as en } from '#shared/i18n/words/en/app.ts';
import { texts as enMore } from '#shared/i18n/words/en/more.ts';
import { texts as es } from '#shared/i18n/words/es/app.ts';
import { texts as esMore } from '#shared/i18n/words/es/more.ts';
import { errorText } from './error-text.ts';

const english = translator('en', new Map([...en, ...enMore]));
const spanish = translator('es', new Map([...es, ...esMore]));
const thrown = (name: string, message = 'said by the provider') =>
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
  ['CodeMismatchException', '…', 'Invalid verification code provided, please try again.'],
  ['ExpiredCodeException', '…', 'Invalid code provided, please request a code again.'],
  ['LimitExceededException', '…', 'Attempt limit exceeded, please try after some time.'],
  [
    'NetworkError',
    'A network error has occurred.',
    'The network did not answer. Check your connection and try again.',
  ],
  ['UnexpectedSignInInterruptionException', '…', 'Unable to get user session following successful sign-in.'],
])('[AUTH-11] %s “%s” says: %s', (name, message, expected) => {
  expect(errorText(english, thrown(name, message), 'session.signInFailed')).toBe(expected);
});

it('[AUTH-11] what the provider words itself is shown as it is when nothing better is known', () => {
  expect(errorText(english, thrown('UserLambdaValidationException'), 'session.signInFailed')).toBe(
    'said by the provider',
  );
  expect(errorText(english, thrown('NotAuthorizedException'), 'session.signInFailed')).toBe(
    'said by the provider',
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
] as const)('[AUTH-11] an error without words for readers says: %s', (general, inEnglish, inSpanish) => {
  for (const error of [
    new TypeError('x is undefined'),
    thrown('Unknown'),
    'text',
    null,
    thrown('OddException', ''),
  ]) {
    expect(errorText(english, error, general)).toBe(inEnglish);
    expect(errorText(spanish, error, general)).toBe(inSpanish);
  }
});

it('[AUTH-11] a refused call of the own API speaks by its code', () => {
  expect(errorText(english, new ApiError('too_many_requests', 429), 'internal')).toBe(
    'Too many tries. Please wait a moment.',
  );
  expect(errorText(spanish, new ApiError('network', 0), 'internal')).toMatch(/^La red no respondió/);
});
