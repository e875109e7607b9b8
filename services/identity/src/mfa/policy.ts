import { Secret, TOTP } from 'otpauth';
import type { MfaMethod } from '../database.ts';
import { cognitoErrors } from '../errors.ts';

const PERIOD_SECONDS = 30;
/**
 * One step before and after the current one, as RFC 6238 (5.2) recommends at most: it allows for typing and for a clock
 * that is 30 seconds off. Each further step would add another valid code for a guess to hit, and devices that take their
 * time from the network are not minutes off.
 */
const STEP_TOLERANCE = 1;

/**
 * Returns the time step whose code was entered, or undefined where the code is of none of the accepted steps.
 * @param secret in base32
 */
export function findTimeStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    secret: Secret.fromBase32(secret),
    token: code,
    period: PERIOD_SECONDS,
    window: STEP_TOLERANCE,
    timestamp,
  });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

/** Returns whether a code has the form of a time-based code. */
export const isTimeBasedCode = (code: string) => /^\d{6}$/.test(code);

/** The second factors a user has turned on. */
export interface MfaSettings {
  enabled: readonly MfaMethod[];
  preferred: MfaMethod | undefined;
}

/** A request to turn a second factor on or off, and to prefer it; undefined members are left unchanged. */
export interface MfaChange {
  Enabled?: boolean | null | undefined;
  PreferredMfa?: boolean | null | undefined;
}

/** The second factors. */
export const mfaMethods = ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'] as const satisfies readonly MfaMethod[];

/**
 * Applies the changes of SetUserMFAPreference.
 * @throws InvalidParameterException where two factors, or one that is off, would be preferred
 */
export function changeSettings(
  { enabled, preferred }: MfaSettings,
  changes: Partial<Record<MfaMethod, MfaChange>>,
): MfaSettings {
  const nextEnabled = mfaMethods.filter((method) => changes[method]?.Enabled ?? enabled.includes(method));
  const requested = mfaMethods.filter((method) => changes[method]?.PreferredMfa === true);
  if (requested.length > 1 || requested.some((method) => !nextEnabled.includes(method))) {
    throw cognitoErrors.preferredMfaInvalid();
  }
  const staysPreferred =
    preferred && nextEnabled.includes(preferred) && changes[preferred]?.PreferredMfa !== false;
  return { enabled: nextEnabled, preferred: requested[0] ?? (staysPreferred ? preferred : undefined) };
}

/** What a user has proven during a sign-in. */
export type Proof = 'PASSWORD' | 'EMAIL_OTP';

/** What follows a correct first factor: nothing, a challenge, or a refusal. */
type NextStep = 'done' | 'password-required' | readonly [MfaMethod, ...MfaMethod[]];

/**
 * Decides how a sign-in continues. One mailbox cannot be both factors: a user whose second factor is a mailed code begins
 * with the password.
 */
export function getNextStep({ enabled, preferred }: MfaSettings, proofs: readonly Proof[]): NextStep {
  const isProven = (method: MfaMethod) => method === 'EMAIL_OTP' && proofs.includes(method);
  if (enabled.length === 0) return 'done';
  if (proofs.includes('PASSWORD') && enabled.some(isProven)) return 'done';
  const [first, ...others] = enabled.filter((method) => !isProven(method));
  if (first === undefined) return 'password-required';
  return preferred && !isProven(preferred) ? [preferred] : [first, ...others];
}

/** The letters and digits of recovery codes: those of Crockford's base 32, which has no I, L, O and U. */
export const recoveryCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the canonical form of a recovery code: case, spaces, hyphens and look-alike letters do not matter. */
export function normalizeRecoveryCode(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0');
}
