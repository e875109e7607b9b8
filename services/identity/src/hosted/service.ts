import { isEqualInConstantTime } from '@escucho/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../caller.ts';
import { createRandomToken, type Secrets, sha256 } from '../crypto.ts';
import type { Database } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import type { ChallengeAnswer, MfaChallengeService } from '../mfa/challenge-service.ts';
import { hostedSessionRepository } from '../oauth/repository.ts';
import type { Authentication } from '../oauth/service.ts';
import { parseAssertion } from '../passkeys/policy.ts';
import type { PasskeyService } from '../passkeys/service.ts';
import type { ChallengeResponse } from '../sign-in/challenge-session.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import { getSignInError } from '../users/policy.ts';
import type { UserRepository } from '../users/repository.ts';
import type { LocalUser, User } from '../users/user.ts';
import { type Cookies, redirect } from './http.ts';

interface HostedSessionServiceDeps {
  db: Database;
  secrets: Secrets;
  users: UserRepository;
  signIn: PasswordSignInService;
  mfaChallenges: MfaChallengeService;
  passkeys: PasskeyService | undefined;
  clock: () => Date;
}

/** An hour, as of Cognito's cookie. */
const HOSTED_SESSION_LIFETIME_MS = 3_600_000;

/** A sign-in at the hosted pages: the cookie of the new session, and the URL of the app that the browser goes to. */
interface HostedSignIn {
  cookie: string;
  url: string;
}

/** Grants the app access in the transaction that authenticates the user; returns the URL that the browser goes to. */
type GrantAccess = (tx: Database, authentication: Authentication) => Promise<string>;

/** Creates the service for the sessions of the hosted pages, which a cookie identifies and /logout ends. */
export function createHostedSessionService(deps: HostedSessionServiceDeps) {
  const { db, secrets, users, signIn, mfaChallenges, passkeys, clock } = deps;

  /** Creates a session; returns the value of its cookie. */
  async function createSession(tx: Database, user: User, now: Date): Promise<string> {
    const cookie = createRandomToken();
    const expiresAt = new Date(now.getTime() + HOSTED_SESSION_LIFETIME_MS);
    await hostedSessionRepository.insert(tx, {
      hash: sha256(cookie),
      accountId: user.id,
      signedInAt: now,
      expiresAt,
    });
    return cookie;
  }

  /** Returns a function that creates a session and grants access, in the transaction that authenticated the user. */
  const createSignIn =
    (grantAccess: GrantAccess) =>
    async (tx: Database, user: LocalUser, now: Date): Promise<HostedSignIn> => ({
      cookie: await createSession(tx, user, now),
      url: await grantAccess(tx, { user, signedInAt: now }),
    });

  /**
   * Signs a user in by password. Failures count towards the lockout.
   * @returns the session, or the challenge for the second factor
   */
  async function signInWithPassword(
    { email, password }: { email: string; password: string },
    caller: Caller,
    grantAccess: GrantAccess,
  ): Promise<HostedSignIn | ChallengeResponse> {
    const check = await signIn.checkPassword(email, password, caller);
    const response = await mfaChallenges.signInWithPassword(check, caller, createSignIn(grantAccess));
    if (!('Session' in response) || response.ChallengeName !== 'SELECT_MFA_TYPE') return response;
    // The page has no choice of factors: a recovery code takes the place of a lost authenticator app.
    return mfaChallenges.selectMethod({ session: response.Session, answer: 'SOFTWARE_TOKEN_MFA' }, caller);
  }

  /** Signs a user in by the second factor that a challenge asked for. */
  async function signInWithCode(
    challengeName: string,
    answer: ChallengeAnswer,
    caller: Caller,
    grantAccess: GrantAccess,
  ): Promise<HostedSignIn | ChallengeResponse> {
    const complete = createSignIn(grantAccess);
    if (challengeName === 'EMAIL_OTP') return mfaChallenges.signInWithMailedCode(answer, caller, complete);
    if (challengeName === 'SOFTWARE_TOKEN_MFA') return mfaChallenges.signInWithCode(answer, caller, complete);
    throw cognitoErrors.handshakeInvalid();
  }

  /** Signs a user in by a passkey. */
  async function signInWithPasskey(
    { session, credential }: { session: string; credential: string },
    grantAccess: GrantAccess,
  ): Promise<HostedSignIn> {
    const assertion = parseAssertion(credential);
    if (!assertion || !passkeys) throw cognitoErrors.passkeyInvalid();
    return passkeys.signIn({ session, assertion }, createSignIn(grantAccess));
  }

  /**
   * Grants access by a cookie's session, which cannot be revoked in between.
   * @returns the URL that the browser goes to; undefined where there is no active session
   */
  async function continueSession(
    cookie: string | undefined,
    grantAccess: GrantAccess,
  ): Promise<string | undefined> {
    if (cookie === undefined) return undefined;
    return db.transaction().execute(async (tx) => {
      const found = await hostedSessionRepository.lock(tx, sha256(cookie));
      if (!found || found.expiresAt <= clock()) return undefined;
      const user = await users.findById(tx, found.accountId);
      if (!user || getSignInError(user)) return undefined;
      return grantAccess(tx, { user, signedInAt: found.signedInAt });
    });
  }

  async function endSession(cookie: string): Promise<void> {
    await hostedSessionRepository.delete(db, sha256(cookie));
  }

  /** Creates the CSRF token of a browser's forms. */
  const createFormToken = (browserId: string) => secrets.hmac('form', browserId).toString('base64url');

  const isFormToken = (browserId: string | undefined, token: string): boolean =>
    browserId !== undefined && isEqualInConstantTime(createFormToken(browserId), token);

  return {
    createSession,
    signInWithPassword,
    signInWithCode,
    signInWithPasskey,
    continueSession,
    endSession,
    createFormToken,
    isFormToken,
  };
}

export type HostedSessionService = ReturnType<typeof createHostedSessionService>;

/** Ends the session of a request's cookie: a new sign-in replaces it. */
export async function endPreviousSession(
  request: FastifyRequest,
  { cookies, hostedSessions }: { cookies: Cookies; hostedSessions: HostedSessionService },
): Promise<void> {
  const cookie = cookies.read(request, 'session');
  if (cookie !== undefined) await hostedSessions.endSession(cookie);
}

/** Starts the session of a sign-in in the browser, in place of the previous one, and redirects to the app. */
export async function completeSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, url }: HostedSignIn,
  deps: { cookies: Cookies; hostedSessions: HostedSessionService },
): Promise<FastifyReply> {
  await endPreviousSession(request, deps);
  deps.cookies.setSession(reply, cookie, HOSTED_SESSION_LIFETIME_MS);
  return redirect(request, reply, url);
}
