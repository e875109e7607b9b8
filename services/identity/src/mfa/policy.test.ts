import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { changeSettings, findTimeStep, getNextStep, normalizeRecoveryCode } from './policy.ts';

const secret = Secret.fromUTF8('12345678901234567890');
const now = new Date('2026-11-22T12:00:10Z');
const currentStep = Math.floor(now.getTime() / 30_000);
const codeAt = (offsetSeconds: number) =>
  TOTP.generate({ secret, timestamp: now.getTime() + offsetSeconds * 1000 });

describe('findTimeStep', () => {
  it('[AUTH-13] agrees with the test vector of RFC 6238, appendix B', () => {
    // The RFC lists eight digits, 94287082; six digits are its last six.
    expect(findTimeStep(secret.base32, '287082', new Date(59_000))).toBe(1);
  });

  it.each([
    ['the current step', 0, currentStep],
    ['a clock 30 seconds behind', -30, currentStep - 1],
    ['a clock 30 seconds ahead', 30, currentStep + 1],
    // RFC 6238, 5.2: at most one step of tolerance; every further one would be another code that a guess can hit.
    ['a clock 60 seconds behind', -60, undefined],
    ['a clock two minutes behind', -120, undefined],
    ['a clock two minutes ahead', 120, undefined],
  ])('[IDP-03] accepts one step of drift only: %s', (_, offset, step) => {
    expect(findTimeStep(secret.base32, codeAt(offset), now)).toBe(step);
  });
});

describe('changeSettings', () => {
  const both = { enabled: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], preferred: 'EMAIL_OTP' } as const;
  const none = { enabled: [], preferred: undefined };

  it.each([
    ['turns a factor on', none, { EMAIL_OTP: { Enabled: true } }, ['EMAIL_OTP'], undefined],
    [
      'prefers a factor',
      none,
      { SOFTWARE_TOKEN_MFA: { Enabled: true, PreferredMfa: true } },
      ['SOFTWARE_TOKEN_MFA'],
      'SOFTWARE_TOKEN_MFA',
    ],
    [
      'forgets the preference for a factor that is turned off',
      both,
      { EMAIL_OTP: { Enabled: false } },
      ['SOFTWARE_TOKEN_MFA'],
      undefined,
    ],
    ['leaves the rest unchanged', both, {}, both.enabled, 'EMAIL_OTP'],
    [
      'ends a preference',
      both,
      { EMAIL_OTP: { Enabled: true, PreferredMfa: false } },
      both.enabled,
      undefined,
    ],
  ])('%s', (_, settings, changes, enabled, preferred) => {
    expect(changeSettings(settings, changes)).toEqual({ enabled, preferred });
  });

  it.each([
    { EMAIL_OTP: { Enabled: false, PreferredMfa: true } },
    {
      EMAIL_OTP: { Enabled: true, PreferredMfa: true },
      SOFTWARE_TOKEN_MFA: { Enabled: true, PreferredMfa: true },
    },
  ])('refuses to prefer %o', (changes) => {
    expect(() => changeSettings(none, changes)).toThrow('Exactly one MFA method');
  });
});

describe('getNextStep', () => {
  const totp = { enabled: ['SOFTWARE_TOKEN_MFA'], preferred: undefined } as const;
  const email = { enabled: ['EMAIL_OTP'], preferred: undefined } as const;
  const both = { enabled: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], preferred: undefined } as const;
  const none = { enabled: [], preferred: undefined };

  it.each([
    ['no factor', none, ['PASSWORD'], 'done'],
    ['an authenticator app', totp, ['PASSWORD'], ['SOFTWARE_TOKEN_MFA']],
    ['an authenticator app after a mailed code', totp, ['EMAIL_OTP'], ['SOFTWARE_TOKEN_MFA']],
    ['both, none preferred', both, ['PASSWORD'], ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']],
    ['both, one preferred', { ...both, preferred: 'EMAIL_OTP' }, ['PASSWORD'], ['EMAIL_OTP']],
    ['both after a mailed code', both, ['EMAIL_OTP'], ['SOFTWARE_TOKEN_MFA']],
    ['mail after the password and a mailed code', email, ['PASSWORD', 'EMAIL_OTP'], 'done'],
    ['mail after a mailed code', email, ['EMAIL_OTP'], 'password-required'],
  ] as const)('%s', (_, settings, proofs, step) => {
    expect(getNextStep(settings, proofs)).toEqual(step);
  });
});

it.each(['0ab1c-d0234', '0AB1CD0234', ' oabic do234 ', 'OABLC-DO234'])(
  'reads the recovery code %o in any spelling',
  (code) => {
    expect(normalizeRecoveryCode(code)).toBe('0AB1CD0234');
  },
);
