import { Secret, TOTP } from 'otpauth';
import { clientId, type PoolResponse, type startPool } from './pool.ts';

type Pool = Awaited<ReturnType<typeof startPool>>;

/** Returns the code an authenticator app shows for a secret, `driftMs` before or after the time. */
export const generateCode = (secret: string, now: Date, driftMs = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now.getTime() + driftMs });

/** Returns a code that differs from another one. */
export const toWrongCode = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

export const STEP_MS = 30_000;

/**
 * Creates a user whose sign-in asks for codes of an authenticator app.
 * @returns the user with the secret, and a function that returns the code at the pool's time
 */
export async function createUserWithTotp(pool: Pool) {
  const user = await pool.createSignedInUser();
  const AccessToken = user.access;
  const secret = (await pool.call('AssociateSoftwareToken', { AccessToken })).at('SecretCode');
  // The code of the previous step, so that those of this step and the next one are unused.
  const UserCode = generateCode(secret, pool.clock(), -STEP_MS);
  await pool.call('VerifySoftwareToken', { AccessToken, UserCode });
  await pool.call('SetUserMFAPreference', {
    AccessToken,
    SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
  });
  return { ...user, secret, code: (driftMs = 0) => generateCode(secret, pool.clock(), driftMs) };
}

const answerNames = new Map([
  ['SOFTWARE_TOKEN_MFA', 'SOFTWARE_TOKEN_MFA_CODE'],
  ['EMAIL_OTP', 'EMAIL_OTP_CODE'],
]);

/** Answers the challenge of a response. */
export function answerChallenge(
  pool: Pool,
  challenge: PoolResponse,
  answer: string,
  overrides: object = {},
): Promise<PoolResponse> {
  const name = challenge.at('ChallengeName');
  return pool.call('RespondToAuthChallenge', {
    ClientId: clientId,
    ChallengeName: name,
    ChallengeResponses: {
      USERNAME: challenge.at('ChallengeParameters', 'USERNAME'),
      [answerNames.get(name) ?? 'ANSWER']: answer,
    },
    Session: challenge.at('Session'),
    ...overrides,
  });
}
