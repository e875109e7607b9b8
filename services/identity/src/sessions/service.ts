import { randomUUID } from 'node:crypto';
import { recordAuditEvent } from '@escucho/audit';
import { rateLimits } from '@escucho/contracts';
import type { Connection } from '@escucho/database';
import type { Caller } from '../caller.ts';
import { createRandomToken, isUuid, sha256 } from '../crypto.ts';
import { commitAttempt, type Database, openIdentityDatabase } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { CognitoError, cognitoErrors } from '../errors.ts';
import { USER_ADMIN_SCOPE } from '../oauth/policy.ts';
import { countWrongPassword, isLocked } from '../rate-limits/policy.ts';
import { lockCounter, resetCounter, updateCounter } from '../rate-limits/repository.ts';
import { TOKEN_LIFETIME_SECONDS } from '../tokens/service.ts';
import { getSignInError } from '../users/policy.ts';
import { lockAccount } from '../users/repository.ts';
import { getPasswordVersion, type LocalUser, type ResolvedUser, type User } from '../users/user.ts';
import { type RefreshTokenSession, type Session, sessionRepository } from './repository.ts';

/** The result of checking a password, with the handshake of an SRP proof. */
export interface PasswordCheck {
  user: ResolvedUser;
  isValid: boolean;
  handshake?: { id: string; expiresAt: Date };
}

/** The user and session that tokens are issued for, with a new refresh token. */
export interface SignInResult {
  user: User;
  session: Session;
  refreshToken: string;
}

/** Properties of a new session; by default those of a sign-in through the JSON operations. */
export interface SessionOptions {
  now: Date;
  userAgent: string | undefined;
  scope?: string;
  signedInAt?: Date;
}

/** Cognito's 30 days for a session with a refresh token; refreshing does not extend them. */
const SESSION_LIFETIME_MS = 30 * 86_400_000;
const REFRESH_TOKEN_LENGTH = 48;
/** How long a refresh token remains valid after another one replaced it: the response may be lost, or several tabs refresh. */
const ROTATION_GRACE_MS = 60_000;

const isWrongPassword = (error: unknown): boolean =>
  error instanceof CognitoError && error.message === cognitoErrors.wrongPassword().message;

/** Creates the service that signs users in, refreshes their sessions and revokes them. */
export function createSessionService({ db, users, clientId, rateLimiter, clock }: PoolDeps) {
  async function createRefreshToken(tx: Database, sessionId: string, now: Date): Promise<string> {
    const token = createRandomToken(REFRESH_TOKEN_LENGTH);
    await sessionRepository.insertRefreshToken(tx, sha256(token), sessionId, now);
    return token;
  }

  async function insertSession(
    tx: Database,
    user: User,
    { now, userAgent, scope = USER_ADMIN_SCOPE, signedInAt = now }: SessionOptions,
    lifetimeMs: number,
  ): Promise<Session> {
    const session: Session = {
      id: randomUUID(),
      accountId: user.id,
      clientId,
      scope,
      signedInAt,
      expiresAt: new Date(now.getTime() + lifetimeMs),
      revokedAt: null,
      userAgent: userAgent ?? null,
      lastUsedAt: now,
    };
    await sessionRepository.insert(tx, session);
    const details = { method: user.federated?.provider };
    await recordAuditEvent(tx, { type: 'signed_in', userId: user.id, details });
    return session;
  }

  /** Creates a session in the transaction that authenticated the user. */
  async function createSession(tx: Database, user: User, options: SessionOptions): Promise<SignInResult> {
    const session = await insertSession(tx, user, options, SESSION_LIFETIME_MS);
    return { user, session, refreshToken: await createRefreshToken(tx, session.id, options.now) };
  }

  /** Creates a session without a refresh token, which ends with its access token. */
  const createShortSession = (tx: Database, user: User, options: SessionOptions): Promise<Session> =>
    insertSession(tx, user, options, TOKEN_LIFETIME_SECONDS * 1000);

  /** @param userId - undefined for a decoy, which causes the same work as a user */
  async function recordWrongPassword(
    tx: Database,
    subject: string,
    userId: string | undefined,
    now: Date,
  ): Promise<CognitoError> {
    const counter = await updateCounter(tx, subject, 'password', now, countWrongPassword);
    if (!counter) return cognitoErrors.lockedOut();
    const type = isLocked(counter, now) ? 'account_locked' : 'sign_in_failed';
    await recordAuditEvent(tx, { type, userId, details: { method: 'password' } });
    return cognitoErrors.wrongPassword();
  }

  /**
   * Authenticates a user by a password check. Concurrent attempts are serialized, so that the lockout holds for them too,
   * and a failure is committed before it is thrown.
   * @param onSuccess runs in the same transaction
   * @returns the result of `onSuccess`
   */
  async function authenticate<T>(
    { user, isValid, handshake }: PasswordCheck,
    caller: Caller,
    onSuccess: (tx: Database, user: LocalUser, now: Date) => Promise<T>,
  ): Promise<T> {
    return commitAttempt(db, async (tx) => {
      const now = clock();
      if (handshake && !(await sessionRepository.useHandshake(tx, handshake.id, handshake.expiresAt))) {
        return cognitoErrors.handshakeUsed();
      }
      const current = isValid ? await users.lockUser(tx, user.id, getPasswordVersion(user)) : undefined;
      // An event must not refer to a user who was deleted at the same time.
      const userId = (current ?? (await lockAccount(tx, user.id))) && user.id;
      if (isLocked(await lockCounter(tx, user.id, 'password'), now)) return cognitoErrors.lockedOut();
      if (!current) return recordWrongPassword(tx, user.id, userId, now);
      await resetCounter(tx, user.id, 'password');
      const { signUpKeyHash } = caller;
      // Whoever knows the password may confirm the address in this browser, with the code.
      if (current.status === 'UNCONFIRMED' && signUpKeyHash)
        await users.update(tx, user.id, { signUpKeyHash }, now);
      return getSignInError(current) ?? onSuccess(tx, current, now);
    }).catch(async (error: unknown) => {
      if (isWrongPassword(error)) await rateLimiter.consume(rateLimits.wrongPassword[0], caller.network);
      throw error;
    });
  }

  /** Returns a function that creates the session of a caller, in the transaction that authenticated the user. */
  const createSignIn = (caller: Caller) => (tx: Database, user: User, now: Date) =>
    createSession(tx, user, { now, userAgent: caller.userAgent });

  function isReused({ rotatedAt }: RefreshTokenSession, now: Date): boolean {
    return rotatedAt !== null && now.getTime() > rotatedAt.getTime() + ROTATION_GRACE_MS;
  }

  function getRefreshError(found: RefreshTokenSession, now: Date): CognitoError | undefined {
    if (found.clientId !== clientId) return cognitoErrors.refreshTokenInvalid();
    if (found.revokedAt) return cognitoErrors.refreshTokenRevoked();
    if (found.expiresAt <= now) return cognitoErrors.refreshTokenExpired();
    return isReused(found, now) ? cognitoErrors.refreshTokenReused() : undefined;
  }

  /** Continues a session by its refresh token, which is replaced. */
  async function refreshSession(token: string): Promise<SignInResult> {
    const hash = sha256(token);
    return commitAttempt(db, async (tx) => {
      const now = clock();
      const found = await sessionRepository.lockByRefreshToken(tx, hash);
      if (!found) return cognitoErrors.refreshTokenInvalid();
      // Two parties hold a token that is used again after its rotation: revoke the session for both.
      if (isReused(found, now) && (await sessionRepository.revoke(tx, found.id, now)))
        await recordAuditEvent(tx, { type: 'refresh_token_reused', userId: found.accountId });
      const refreshError = getRefreshError(found, now);
      if (refreshError) return refreshError;
      const user = await users.findById(tx, found.accountId);
      if (!user) return cognitoErrors.refreshTokenInvalid();
      const signInError = getSignInError(user);
      if (signInError) return signInError;
      await sessionRepository.setLastUsed(tx, found.id, now);
      await sessionRepository.markRotated(tx, hash, now);
      return { user, session: found, refreshToken: await createRefreshToken(tx, found.id, now) };
    });
  }

  /** Revokes the session of a refresh token with its access tokens. Unknown tokens are ignored (RFC 7009). */
  async function revokeRefreshToken(token: string): Promise<void> {
    if (token.split('.').length === 3) throw cognitoErrors.notRefreshToken();
    await db.transaction().execute(async (tx) => {
      const found = await sessionRepository.lockByRefreshToken(tx, sha256(token));
      if (found?.clientId === clientId && (await sessionRepository.revoke(tx, found.id, clock())))
        await recordAuditEvent(tx, { type: 'signed_out', userId: found.accountId });
    });
  }

  /** Returns the user of an access token's claims. Throws where the session was revoked. */
  async function getTokenOwner(claims: { sub: string; origin_jti: string }): Promise<User> {
    const session = await sessionRepository.find(db, claims.origin_jti, claims.sub);
    if (!session || session.revokedAt) throw cognitoErrors.accessTokenRevoked();
    const user = await users.findById(db, claims.sub);
    if (!user) throw cognitoErrors.userNotFound();
    if (!user.enabled) throw cognitoErrors.userDisabled();
    return user;
  }

  /** Revokes the sessions of a user, except for one where its id is given. */
  async function revokeSessions(accountId: string, exceptId?: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      // A deletion at the same time has made the events of the user anonymous.
      if (!(await lockAccount(tx, accountId))) return;
      await sessionRepository.revokeAll(tx, accountId, clock(), exceptId);
      await recordAuditEvent(tx, { type: 'sessions_revoked', userId: accountId });
    });
  }

  function listSessions(accountId: string): Promise<Session[]> {
    return sessionRepository.listActive(db, accountId, clock());
  }

  /** Revokes a session of a user; returns false where there is no such active session. */
  async function revokeSession(id: string, accountId: string): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      const found = await sessionRepository.find(tx, id, accountId);
      if (!found || found.revokedAt) return false;
      // A device that is signed out from another one must not get a new session by its cookie.
      await sessionRepository.deleteHostedSignIns(tx, accountId);
      if (await sessionRepository.revoke(tx, id, clock()))
        await recordAuditEvent(tx, { type: 'session_revoked', userId: accountId });
      return true;
    });
  }

  return {
    createSession,
    createShortSession,
    createSignIn,
    authenticate,
    refreshSession,
    revokeRefreshToken,
    getTokenOwner,
    listSessions,
    revokeSession,
    revokeSessions,
  };
}

export type SessionService = ReturnType<typeof createSessionService>;

interface SessionReaderOptions {
  connection: Connection;
  clock?: () => Date;
}

/** Creates the reader by which services of the same installation see that a session has ended. Call `close` at the end. */
export function createSessionReader({ connection, clock = () => new Date() }: SessionReaderOptions) {
  const db = openIdentityDatabase(connection, 'escucho identity sessions', 2);
  return {
    /**
     * Returns whether a session is active: neither signed out, revoked nor expired, of an account that exists and is enabled.
     * @param sessionId the `origin_jti` claim
     * @param subject the `sub` claim
     */
    async isSessionActive(sessionId: string, subject: string): Promise<boolean> {
      return (
        isUuid(sessionId) && isUuid(subject) && sessionRepository.isActive(db, sessionId, subject, clock())
      );
    },
    close: () => db.destroy(),
  };
}
