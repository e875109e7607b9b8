import { randomBytes } from 'node:crypto';
import { rateLimits } from '@escucho/contracts';
import { isEqualInConstantTime } from '@escucho/service-kit';
import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { PoolDeps } from '../deps.ts';
import { cognitoErrors } from '../errors.ts';
import { isLocked } from '../rate-limits/policy.ts';
import { findCounter } from '../rate-limits/repository.ts';
import type { PasswordCheck } from '../sessions/service.ts';
import type { ResolvedUser } from '../users/user.ts';
import {
  computePublicB,
  computeScrambler,
  computeSharedSecret,
  computeVerifier,
  deriveSignatureKey,
  parsePublicA,
  parseTimestamp,
  signPasswordClaim,
  toBytes,
  toNumber,
} from './srp.ts';

/** The time between the two requests of an SRP sign-in. */
const HANDSHAKE_LIFETIME_MS = 3 * 60_000;

const hexNumber = z.pipe(
  z.string(),
  z.transform((hex) => BigInt(`0x${hex}`)),
);

/** The server's state between the two requests of an SRP sign-in; the SECRET_BLOCK holds it. */
const handshakeState = z.object({
  /** The flow the proof belongs to; CUSTOM_AUTH continues with a challenge. */
  flow: z.enum(['USER_SRP_AUTH', 'CUSTOM_AUTH']),
  A: hexNumber,
  B: hexNumber,
  b: hexNumber,
});
type HandshakeState = z.infer<typeof handshakeState>;

const CHALLENGE_NAME = 'PASSWORD_VERIFIER';

/** The response to PASSWORD_VERIFIER. */
interface PasswordProof {
  username: string;
  secretBlock: string;
  timestamp: string;
  signature: string;
}

/** The handshake expires by the server's clock, so a client's clock may be well off. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** Creates the service that checks passwords: as an SRP proof, or in the clear. */
export function createPasswordSignInService(deps: PoolDeps) {
  const { db, poolName, users, challengeSessions, rateLimiter, clock } = deps;

  async function checkAttempts(user: ResolvedUser, caller: Caller): Promise<void> {
    if (isLocked(await findCounter(db, user.id, 'password'), clock())) throw cognitoErrors.lockedOut();
    await rateLimiter.check(rateLimits.wrongPassword[0], caller.network);
  }

  /**
   * Creates the PASSWORD_VERIFIER challenge. It has the same shape for existing and unknown users.
   * @param publicA SRP_A in hexadecimal
   */
  async function createChallenge(
    { username, publicA, flow }: { username: string; publicA: string; flow: HandshakeState['flow'] },
    caller: Caller,
  ) {
    const A = parsePublicA(publicA);
    if (A === undefined) throw cognitoErrors.srpAInvalid();
    const user = await users.resolveUser(db, username);
    await checkAttempts(user, caller);
    const { salt, verifier } = user.credential;
    const b = toNumber(randomBytes(32));
    const B = computePublicB(verifier, b);
    const secretBlock = challengeSessions.seal({
      name: CHALLENGE_NAME,
      userId: user.id,
      username,
      state: { flow, A: A.toString(16), B: B.toString(16), b: b.toString(16) },
      lifetimeMs: HANDSHAKE_LIFETIME_MS,
    });
    return {
      SALT: salt.toString(16),
      SRP_B: B.toString(16),
      SECRET_BLOCK: Buffer.from(secretBlock, 'base64url').toString('base64'),
      USER_ID_FOR_SRP: user.id,
      USERNAME: user.id,
    };
  }

  function isSignatureValid(
    { timestamp, signature, secretBlock }: PasswordProof,
    { A, B, b }: HandshakeState,
    user: ResolvedUser,
  ): boolean {
    const u = computeScrambler(A, B);
    const S = computeSharedSecret(A, user.credential.verifier, u, b);
    if (S === undefined) return false;
    const claim = { poolName, userId: user.id, secretBlock: Buffer.from(secretBlock, 'base64'), timestamp };
    return isEqualInConstantTime(
      Buffer.from(signature, 'base64'),
      signPasswordClaim(deriveSignatureKey(S, u), claim),
    );
  }

  /** Checks the response to a challenge, which can be used once and expires after three minutes. */
  async function checkResponse(response: PasswordProof, caller: Caller) {
    const timestamp = parseTimestamp(response.timestamp);
    if (!timestamp) throw cognitoErrors.timestampFormat();
    if (Math.abs(timestamp.getTime() - clock().getTime()) > CLOCK_TOLERANCE_MS) {
      throw cognitoErrors.timestampOutOfRange();
    }
    const { secretBlock, username } = response;
    const handshake = challengeSessions.open([CHALLENGE_NAME], handshakeState, secretBlock, username);
    const user = await users.resolveUser(db, handshake.userId);
    await checkAttempts(user, caller);
    const isValid = isSignatureValid(response, handshake.state, user);
    const check: PasswordCheck = { user, isValid, handshake };
    return { check, flow: handshake.state.flow };
  }

  /** Checks a password in the clear by computing its verifier. */
  async function checkPassword(username: string, password: string, caller: Caller): Promise<PasswordCheck> {
    const user = await users.resolveUser(db, username);
    await checkAttempts(user, caller);
    const { salt, verifier } = user.credential;
    const computed = computeVerifier(poolName, user.id, password, salt);
    return { user, isValid: isEqualInConstantTime(toBytes(computed), toBytes(verifier)) };
  }

  return { createChallenge, checkResponse, checkPassword };
}

export type PasswordSignInService = ReturnType<typeof createPasswordSignInService>;
