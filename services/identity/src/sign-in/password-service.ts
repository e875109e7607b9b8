import { randomBytes, randomUUID } from 'node:crypto';
import { rateLimits } from '@escucho/contracts';
import { isEqualInConstantTime, type RateLimiter } from '@escucho/service-kit';
import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { Secrets } from '../crypto.ts';
import type { Database } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import { checkLimits } from '../rate-limits/caller-limits.ts';
import { isLocked } from '../rate-limits/policy.ts';
import { findCounter } from '../rate-limits/repository.ts';
import type { PasswordCheck } from '../sessions/service.ts';
import { normalizeUsername } from '../users/policy.ts';
import type { UserService } from '../users/service.ts';
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

/** The server's state between the two requests of an SRP sign-in. */
const handshakeSchema = z.object({
  id: z.string(),
  userId: z.string(),
  /** The username of the first request, in lower case. */
  username: z.string(),
  /** The flow the proof belongs to; CUSTOM_AUTH continues with a challenge. */
  flow: z.enum(['USER_SRP_AUTH', 'CUSTOM_AUTH']),
  A: hexNumber,
  B: hexNumber,
  b: hexNumber,
  expiresAt: z.pipe(
    z.number(),
    z.transform((milliseconds) => new Date(milliseconds)),
  ),
});
type Handshake = z.infer<typeof handshakeSchema>;

/** Encrypts a handshake as the SECRET_BLOCK, so that any process can handle the second request. */
function encryptHandshake(secrets: Secrets, handshake: Handshake): Buffer {
  const { A, B, b, expiresAt, ...rest } = handshake;
  const plain = { ...rest, A: A.toString(16), B: B.toString(16), b: b.toString(16), expiresAt: +expiresAt };
  return secrets.encrypt('handshake', '', Buffer.from(JSON.stringify(plain)));
}

/** Decrypts a SECRET_BLOCK; returns undefined for one that was not created here. */
function decryptHandshake(secrets: Secrets, secretBlock: Buffer): Handshake | undefined {
  const plain = secrets.decrypt('handshake', '', secretBlock);
  return plain && handshakeSchema.parse(JSON.parse(plain.toString()));
}

interface PasswordSignInDeps {
  db: Database;
  secrets: Secrets;
  poolName: string;
  users: UserService;
  rateLimiter: RateLimiter;
  clock: () => Date;
}

export interface ChallengeResponse {
  username: string;
  secretBlock: string;
  timestamp: string;
  signature: string;
}

/** The handshake expires by the server's clock, so a client's clock may be well off. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** Creates the service that checks passwords: as an SRP proof, or in the clear. */
export function createPasswordSignInService(deps: PasswordSignInDeps) {
  const { db, secrets, poolName, users, rateLimiter, clock } = deps;

  async function checkAttempts(user: ResolvedUser, caller: Caller): Promise<void> {
    if (isLocked(await findCounter(db, user.id, 'password'), clock())) throw cognitoErrors.lockedOut();
    await checkLimits(rateLimiter, rateLimits.wrongPassword, caller);
  }

  /**
   * Creates the PASSWORD_VERIFIER challenge. It has the same shape for existing and unknown users.
   * @param publicA SRP_A in hexadecimal
   */
  async function createChallenge(
    { username, publicA, flow }: { username: string; publicA: string; flow: Handshake['flow'] },
    caller: Caller,
  ) {
    const A = parsePublicA(publicA);
    if (A === undefined) throw cognitoErrors.srpAInvalid();
    const user = await users.resolveUser(db, username);
    await checkAttempts(user, caller);
    const { salt, verifier } = user.credential;
    const b = toNumber(randomBytes(32));
    const handshake: Handshake = {
      id: randomUUID(),
      userId: user.id,
      username: normalizeUsername(username),
      flow,
      A,
      B: computePublicB(verifier, b),
      b,
      expiresAt: new Date(clock().getTime() + HANDSHAKE_LIFETIME_MS),
    };
    return {
      SALT: salt.toString(16),
      SRP_B: handshake.B.toString(16),
      SECRET_BLOCK: encryptHandshake(secrets, handshake).toString('base64'),
      USER_ID_FOR_SRP: user.id,
      USERNAME: user.id,
    };
  }

  function isSignatureValid(
    { timestamp, signature }: ChallengeResponse,
    secretBlock: Buffer,
    { A, B, b }: Handshake,
    user: ResolvedUser,
  ): boolean {
    const u = computeScrambler(A, B);
    const S = computeSharedSecret(A, user.credential.verifier, u, b);
    if (S === undefined) return false;
    const claim = { poolName, userId: user.id, secretBlock, timestamp };
    return isEqualInConstantTime(
      Buffer.from(signature, 'base64'),
      signPasswordClaim(deriveSignatureKey(S, u), claim),
    );
  }

  /** Checks the response to a challenge, which can be used once and expires after three minutes. */
  async function checkResponse(
    response: ChallengeResponse,
    caller: Caller,
  ): Promise<{ check: PasswordCheck; handshake: Handshake }> {
    const timestamp = parseTimestamp(response.timestamp);
    if (!timestamp) throw cognitoErrors.timestampFormat();
    const now = clock();
    if (Math.abs(timestamp.getTime() - now.getTime()) > CLOCK_TOLERANCE_MS) {
      throw cognitoErrors.timestampOutOfRange();
    }
    const secretBlock = Buffer.from(response.secretBlock, 'base64');
    const handshake = decryptHandshake(secrets, secretBlock);
    if (!handshake) throw cognitoErrors.handshakeInvalid();
    const username = normalizeUsername(response.username);
    if (username !== handshake.userId && username !== handshake.username) {
      throw cognitoErrors.handshakeInvalid();
    }
    if (handshake.expiresAt <= now) throw cognitoErrors.handshakeExpired();
    const user = await users.resolveUser(db, handshake.userId);
    await checkAttempts(user, caller);
    const isValid = isSignatureValid(response, secretBlock, handshake, user);
    return { check: { user, isValid, handshake }, handshake };
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
