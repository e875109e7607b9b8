import { expect, it } from 'vitest';
import { normalizeAppCode, toNextStep, toTotpUri } from './challenge.ts';

it.each([
  ['the code of an app', { signInStep: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' }, { type: 'totp' }],
  [
    'a mailed code with its masked address',
    {
      signInStep: 'CONFIRM_SIGN_IN_WITH_EMAIL_CODE',
      codeDeliveryDetails: { deliveryMedium: 'EMAIL', destination: 'a***@e***' },
    },
    { type: 'email', destination: 'a***@e***' },
  ],
  [
    'a selection of second factors, without those that this app cannot show',
    { signInStep: 'CONTINUE_SIGN_IN_WITH_MFA_SELECTION', allowedMFATypes: ['SMS', 'TOTP', 'EMAIL'] },
    {
      type: 'selection',
      methods: [
        { type: 'totp', answer: 'TOTP' },
        { type: 'email', answer: 'EMAIL' },
      ],
    },
  ],
  [
    'a selection of first factors',
    {
      signInStep: 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION',
      availableChallenges: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
    },
    {
      type: 'selection',
      methods: [
        { type: 'passkey', answer: 'WEB_AUTHN' },
        { type: 'email', answer: 'EMAIL_OTP' },
      ],
    },
  ],
  [
    'an authenticator app to be set up',
    { signInStep: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP', totpSetupDetails: { sharedSecret: 'ABC' } },
    { type: 'setup', secret: 'ABC' },
  ],
] as const)('a next step asks for %s', (_title, nextStep, challenge) => {
  expect(toNextStep(Object({ nextStep }))).toEqual(challenge);
});

it.each([
  ['DONE', 'done'],
  ['CONFIRM_SIGN_UP', 'confirm'],
  ['RESET_PASSWORD', 'reset'],
])('the step %s is %s', (signInStep, next) => {
  expect(toNextStep(Object({ nextStep: { signInStep } }))).toBe(next);
});

it('a step that this app cannot show is an error', () => {
  const nextStep = { signInStep: 'CONFIRM_SIGN_IN_WITH_SMS_CODE' };
  expect(() => toNextStep(Object({ nextStep }))).toThrow('CONFIRM_SIGN_IN_WITH_SMS_CODE');
});

it('the spaces of a code are removed', () => {
  expect(normalizeAppCode(' 123 456 ')).toBe('123456');
});

it('the address for authenticator apps names the issuer and the account', () => {
  expect(toTotpUri('ABC', 'Escucho', 'ana+1@example.org')).toBe(
    'otpauth://totp/Escucho:ana%2B1%40example.org?secret=ABC&issuer=Escucho',
  );
});
