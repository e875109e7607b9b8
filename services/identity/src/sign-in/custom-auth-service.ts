import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { VerificationCodeService } from '../codes/service.ts';
import type { Secrets } from '../crypto.ts';
import type { Database } from '../database.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { PasswordCheck, SessionService, SignInResult } from '../sessions/service.ts';
import { getSignInError, normalizeUsername } from '../users/policy.ts';
import { maskEmail } from '../users/presenter.ts';
import type { UserService } from '../users/service.ts';
import type { ResolvedUser } from '../users/user.ts';

type Parameters = Record<string, string>;

/** A challenge of CUSTOM_AUTH, as Cognito's triggers CreateAuthChallenge and VerifyAuthChallengeResponse define one. */
export interface CustomChallenge {
  /**
   * Creates a challenge. Decoys, which take the place of unknown users, must get one that looks the same.
   * @returns the ChallengeParameters, and values that `verify` gets but the client does not
   */
  create(
    tx: Database,
    user: ResolvedUser,
    caller: Caller,
  ): Promise<{ publicParameters: Parameters; privateParameters?: Parameters }>;
  /** Returns whether an answer is correct. A challenge may be answered three times. */
  verify(tx: Database, user: ResolvedUser, answer: string, privateParameters: Parameters): Promise<boolean>;
}

/** Creates the default challenge: a code by mail. */
export function createEmailCodeChallenge(codes: VerificationCodeService): CustomChallenge {
  return {
    async create(tx, user, caller) {
      const address = maskEmail(await codes.requestCode(tx, user, 'sign-in', caller));
      return {
        publicParameters: {
          CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
          CODE_DELIVERY_DESTINATION: address,
        },
      };
    },
    verify: async (tx, user, answer) => (await codes.redeemCode(tx, user, 'sign-in', answer)) === undefined,
  };
}

/** Cognito allows 3 to 15 minutes; a mail may take some of them. */
const CHALLENGE_LIFETIME_MS = 15 * 60_000;
const MAX_ATTEMPTS = 3;

const parameters = z.record(z.string(), z.string());
const pendingChallengeSchema = z.object({
  id: z.string(),
  userId: z.string(),
  username: z.string(),
  attempt: z.number(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  publicParameters: parameters,
  privateParameters: parameters,
});
type PendingChallenge = z.infer<typeof pendingChallengeSchema>;

interface CustomAuthDeps {
  db: Database;
  secrets: Secrets;
  users: UserService;
  sessions: SessionService;
  challenge: CustomChallenge;
  clock: () => Date;
}

/** Creates the service for sign-in by CUSTOM_AUTH: a challenge, after the password where the client asks for SRP. */
export function createCustomAuthService(deps: CustomAuthDeps) {
  const { db, secrets, users, sessions, challenge, clock } = deps;

  /** Encrypts a challenge as the Session, so that any process can handle the answer. */
  function toResponse(pending: Omit<PendingChallenge, 'id' | 'expiresAt'>) {
    const expiresAt = clock().getTime() + CHALLENGE_LIFETIME_MS;
    const plain = Buffer.from(JSON.stringify({ ...pending, id: randomUUID(), expiresAt }));
    return {
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: { ...pending.publicParameters, USERNAME: pending.userId },
      Session: secrets.encrypt('handshake', 'CUSTOM_CHALLENGE', plain).toString('base64'),
    };
  }

  function parseSession(session: string): PendingChallenge | undefined {
    const plain = secrets.decrypt('handshake', 'CUSTOM_CHALLENGE', Buffer.from(session, 'base64'));
    return plain && pendingChallengeSchema.parse(JSON.parse(plain.toString()));
  }

  async function createChallenge(tx: Database, user: ResolvedUser, username: string, caller: Caller) {
    const { publicParameters, privateParameters = {} } = await challenge.create(tx, user, caller);
    return toResponse({ userId: user.id, username, attempt: 1, publicParameters, privateParameters });
  }

  /** Starts a sign-in without a password. The response has the same shape for existing and unknown users. */
  function startSignIn(username: string, caller: Caller) {
    const normalized = normalizeUsername(username);
    return db.transaction().execute(async (tx) => {
      const user = await users.resolveUser(tx, normalized);
      return createChallenge(tx, user, normalized, caller);
    });
  }

  /** Continues a sign-in after its password was checked. Throws where it is wrong. */
  function continueSignIn(check: PasswordCheck, username: string, caller: Caller) {
    return sessions.authenticate(check, caller, (tx, user) => createChallenge(tx, user, username, caller));
  }

  /**
   * Responds to an answer: it signs the user in, or after a wrong one repeats the challenge with another Session. The
   * third wrong answer ends the sign-in.
   */
  async function respondToChallenge(
    { session, username, answer }: { session: string; username: string; answer: string },
    caller: Caller,
  ): Promise<SignInResult | ReturnType<typeof toResponse>> {
    const pending = parseSession(session);
    if (!pending || ![pending.userId, pending.username].includes(normalizeUsername(username))) {
      throw cognitoErrors.handshakeInvalid();
    }
    const expiresAt = new Date(pending.expiresAt);
    if (expiresAt <= clock()) throw cognitoErrors.handshakeExpired();
    const result = await db.transaction().execute(async (tx) => {
      if (!(await sessionRepository.useHandshake(tx, pending.id, expiresAt))) {
        return cognitoErrors.handshakeUsed();
      }
      const user = await users.resolveUser(tx, pending.userId);
      const isCorrect = await challenge.verify(tx, user, answer, pending.privateParameters);
      if (isCorrect && user.exists) {
        const options = { now: clock(), userAgent: caller.userAgent };
        return getSignInError(user) ?? sessions.createSession(tx, user, options);
      }
      return pending.attempt < MAX_ATTEMPTS
        ? toResponse({ ...pending, attempt: pending.attempt + 1 })
        : cognitoErrors.wrongPassword();
    });
    // Thrown after the commit, which counts the attempt.
    if (result instanceof CognitoError) throw result;
    return result;
  }

  return { startSignIn, continueSignIn, respondToChallenge };
}

export type CustomAuthService = ReturnType<typeof createCustomAuthService>;
