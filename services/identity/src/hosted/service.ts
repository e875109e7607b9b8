import type { Caller } from '../caller.ts';
import { createRandomToken, sha256 } from '../crypto.ts';
import type { Database } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { cognitoErrors } from '../errors.ts';
import type { ChallengeAnswer, MfaChallengeService } from '../mfa/challenge-service.ts';
import type { AuthorizationRequest } from '../oauth/policy.ts';
import { hostedSessionRepository } from '../oauth/repository.ts';
import type { AuthorizationService } from '../oauth/service.ts';
import { parseAssertion } from '../passkeys/policy.ts';
import type { PasskeyService } from '../passkeys/service.ts';
import type { ChallengeResponse } from '../sign-in/challenge-session.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import { getSignInError } from '../users/policy.ts';
import type { User } from '../users/user.ts';

interface HostedSessionServiceDeps extends PoolDeps {
  authorizations: AuthorizationService;
  signIn: PasswordSignInService;
  mfaChallenges: MfaChallengeService;
  passkeys: PasskeyService | undefined;
}

/** An hour, as of Cognito's cookie. */
export const HOSTED_SESSION_LIFETIME_MS = 3_600_000;

/** A sign-in at the hosted pages. */
export interface HostedSignIn {
  /** Of the new session. */
  cookie: string;
  /** Creates the URL of the app that the browser goes to, after the transaction of the sign-in. */
  createUrl: () => Promise<string>;
}

/** Creates the service for the sessions of the hosted pages, which a cookie identifies and /logout ends. */
export function createHostedSessionService(deps: HostedSessionServiceDeps) {
  const { db, users, authorizations, signIn, mfaChallenges, passkeys, clock } = deps;

  /**
   * Returns a function that creates a session and grants the app's request, in the transaction that authenticated the
   * user.
   */
  const createSignIn =
    (request: AuthorizationRequest, caller: Caller) =>
    async (tx: Database, user: User, now: Date): Promise<HostedSignIn> => {
      const cookie = createRandomToken();
      const expiresAt = new Date(now.getTime() + HOSTED_SESSION_LIFETIME_MS);
      const session = { hash: sha256(cookie), accountId: user.id, signedInAt: now, expiresAt };
      await hostedSessionRepository.insert(tx, session);
      const createUrl = await authorizations.grant(tx, request, { user, signedInAt: now }, caller);
      return { cookie, createUrl };
    };

  /**
   * Signs a user in by password. Failures count towards the lockout.
   * @returns the session, or the challenge for the second factor
   */
  async function signInWithPassword(
    { email, password }: { email: string; password: string },
    request: AuthorizationRequest,
    caller: Caller,
  ): Promise<HostedSignIn | ChallengeResponse> {
    const check = await signIn.checkPassword(email, password, caller);
    const complete = createSignIn(request, caller);
    const response = await mfaChallenges.signInWithPassword(check, caller, complete);
    if (!('Session' in response) || response.ChallengeName !== 'SELECT_MFA_TYPE') return response;
    // The page has no choice of factors: a recovery code takes the place of a lost authenticator app.
    return mfaChallenges.selectMethod({ session: response.Session, answer: 'SOFTWARE_TOKEN_MFA' }, caller);
  }

  /** Signs a user in by the second factor that a challenge asked for. */
  async function signInWithCode(
    challengeName: string,
    answer: ChallengeAnswer,
    request: AuthorizationRequest,
    caller: Caller,
  ): Promise<HostedSignIn | ChallengeResponse> {
    const complete = createSignIn(request, caller);
    if (challengeName === 'EMAIL_OTP') return mfaChallenges.signInWithMailedCode(answer, caller, complete);
    if (challengeName === 'SOFTWARE_TOKEN_MFA') return mfaChallenges.signInWithCode(answer, caller, complete);
    throw cognitoErrors.handshakeInvalid();
  }

  /** Signs a user in by a passkey. */
  async function signInWithPasskey(
    { session, credential }: { session: string; credential: string },
    request: AuthorizationRequest,
    caller: Caller,
  ): Promise<HostedSignIn> {
    const assertion = parseAssertion(credential);
    if (!assertion || !passkeys) throw cognitoErrors.passkeyInvalid();
    return passkeys.signIn({ session, assertion }, createSignIn(request, caller));
  }

  /**
   * Grants the app's request by a cookie's session, which cannot be revoked in between.
   * @returns the URL that the browser goes to; undefined where there is no active session
   */
  async function continueSession(
    cookie: string | undefined,
    request: AuthorizationRequest,
    caller: Caller,
  ): Promise<string | undefined> {
    if (cookie === undefined) return undefined;
    const createUrl = await db.transaction().execute(async (tx) => {
      const found = await hostedSessionRepository.lock(tx, sha256(cookie));
      if (!found || found.expiresAt <= clock()) return undefined;
      const user = await users.findById(tx, found.accountId);
      if (!user || getSignInError(user)) return undefined;
      return authorizations.grant(tx, request, { user, signedInAt: found.signedInAt }, caller);
    });
    return createUrl?.();
  }

  async function endSession(cookie: string): Promise<void> {
    await hostedSessionRepository.delete(db, sha256(cookie));
  }

  return {
    createSignIn,
    signInWithPassword,
    signInWithCode,
    signInWithPasskey,
    continueSession,
    endSession,
  };
}

export type HostedSessionService = ReturnType<typeof createHostedSessionService>;
