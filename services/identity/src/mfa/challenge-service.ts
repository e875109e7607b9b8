import { randomUUID } from 'node:crypto';
import { recordAuditEvent } from '@escucho/audit';
import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { commitAttempt, type Database, type MfaMethod } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { type CognitoError, cognitoErrors } from '../errors.ts';
import { countGuess } from '../rate-limits/caller-limits.ts';
import { countWrongPassword, isLocked } from '../rate-limits/policy.ts';
import { resetCounter, updateCounter } from '../rate-limits/repository.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { PasswordCheck, SessionService } from '../sessions/service.ts';
import {
  type ChallengeResponse,
  type PendingChallenge,
  toDeliveryParameters,
} from '../sign-in/challenge-session.ts';
import { getSignInError } from '../users/policy.ts';
import { lockAccount } from '../users/repository.ts';
import { getPasswordVersion, type LocalUser, type ResolvedUser } from '../users/user.ts';
import { getNextStep, mfaMethods, type Proof } from './policy.ts';
import type { MfaService } from './service.ts';

interface MfaChallengeServiceDeps extends PoolDeps {
  sessions: SessionService;
  mfa: MfaService;
}

/** Cognito's default; a mail may take longer. */
const CODE_LIFETIME_MS = 3 * 60_000;
const MAIL_LIFETIME_MS = 15 * 60_000;
const MAX_CUSTOM_ATTEMPTS = 3;

const state = z.object({
  /** Whether the answer is the first factor of a sign-in, which a second one may follow. */
  isFirstFactor: z.optional(z.boolean()),
  /** The version of the password when the sign-in began: a new password ends the sign-in. */
  passwordVersion: z.optional(z.string()),
  /** Of a mailed code: it answers this challenge and its repetitions only. */
  codeId: z.optional(z.string()),
  /** Of CUSTOM_CHALLENGE: how often it was answered wrongly. */
  failedAttempts: z.optional(z.number()),
});
type State = z.infer<typeof state>;

/** The challenges that a mailed code answers. CUSTOM_CHALLENGE is that of CUSTOM_AUTH. */
type MailedCodeChallenge = 'EMAIL_OTP' | 'CUSTOM_CHALLENGE';

type ResponseOptions = State & { parameters?: Record<string, string>; lifetimeMs?: number };

const getCodePurpose = ({ isFirstFactor }: State) => (isFirstFactor ? 'sign-in' : 'second-factor');

/** An answer to a challenge. */
export interface ChallengeAnswer {
  session: string;
  /** The name in the answer; undefined on the hosted page, where the form belongs to the Session. */
  username?: string | undefined;
  answer: string;
}

type OnSuccess<T> = (tx: Database, user: LocalUser, now: Date) => Promise<T>;

/** Creates the service for mailed codes as first factors, and for the challenges that follow a first factor. */
export function createMfaChallengeService(deps: MfaChallengeServiceDeps) {
  const { db, users, sessions, codes, mfa, challengeSessions, rateLimiter, clock } = deps;

  function toResponse(name: string, user: ResolvedUser, options: ResponseOptions = {}): ChallengeResponse {
    const { parameters = {}, lifetimeMs = CODE_LIFETIME_MS, ...rest } = options;
    const { id: userId, email: username } = user;
    const sealed = { passwordVersion: getPasswordVersion(user), ...rest };
    return {
      ChallengeName: name,
      ChallengeParameters: { USERNAME: userId, ...parameters },
      Session: challengeSessions.seal({ name, userId, username, state: sealed, lifetimeMs }),
    };
  }

  const toMailResponse = (name: MailedCodeChallenge, user: ResolvedUser, options: State) =>
    toResponse(name, user, {
      ...options,
      parameters: toDeliveryParameters(user.email),
      lifetimeMs: MAIL_LIFETIME_MS,
    });

  async function mailCode(
    tx: Database,
    name: MailedCodeChallenge,
    user: ResolvedUser,
    caller: Caller,
    options: State = {},
  ): Promise<ChallengeResponse> {
    const codeId = randomUUID();
    await codes.requestCode(tx, user, getCodePurpose(options), caller, { codeId });
    return toMailResponse(name, user, { ...options, codeId });
  }

  /** Redeems the code that was mailed for a challenge; returns the error, if any. */
  const redeemMailedCode = (tx: Database, user: ResolvedUser, state: State, code: string) =>
    codes.redeemCode(tx, user, getCodePurpose(state), code, state.codeId);

  const createMethodChallenge = async (tx: Database, method: MfaMethod, user: LocalUser, caller: Caller) =>
    method === 'EMAIL_OTP' ? mailCode(tx, method, user, caller) : toResponse(method, user);

  /**
   * Creates the challenge that follows correct first factors, in their transaction; undefined where the user may sign in.
   * @throws NotAuthorizedException where the user must begin with the password
   */
  async function createChallenge(
    tx: Database,
    user: LocalUser,
    proofs: readonly Proof[],
    caller: Caller,
  ): Promise<ChallengeResponse | undefined> {
    const nextStep = getNextStep(await mfa.getSettings(tx, user.id), proofs);
    if (nextStep === 'done') return undefined;
    if (nextStep === 'password-required') throw cognitoErrors.passwordRequired();
    const [method, ...others] = nextStep;
    if (others.length === 0) return createMethodChallenge(tx, method, user, caller);
    return toResponse('SELECT_MFA_TYPE', user, { parameters: { MFAS_CAN_CHOOSE: JSON.stringify(nextStep) } });
  }

  /** Signs a user in by a password check, or creates the challenge that follows. */
  function signInWithPassword<T>(
    check: PasswordCheck,
    caller: Caller,
    onSuccess: OnSuccess<T>,
  ): Promise<T | ChallengeResponse> {
    return sessions.authenticate<T | ChallengeResponse>(
      check,
      caller,
      async (tx, user, now) =>
        (await createChallenge(tx, user, ['PASSWORD'], caller)) ?? onSuccess(tx, user, now),
    );
  }

  const open = (name: string, { session, username }: ChallengeAnswer) =>
    challengeSessions.open([name], state, session, username);

  /** Answers SELECT_MFA_TYPE with the challenge of the chosen factor. */
  async function selectMethod(answer: ChallengeAnswer, caller: Caller): Promise<ChallengeResponse> {
    const pending = open('SELECT_MFA_TYPE', answer);
    const method = mfaMethods.find((name) => name === answer.answer);
    if (!method) throw cognitoErrors.mfaSelectionInvalid();
    return db.transaction().execute(async (tx) => {
      const user = await users.lockUser(tx, pending.userId, pending.state.passwordVersion);
      if (!user) throw cognitoErrors.handshakeInvalid();
      return createMethodChallenge(tx, method, user, caller);
    });
  }

  async function authorize<T>(
    tx: Database,
    { userId, state: { passwordVersion } }: PendingChallenge<State>,
    onSuccess: OnSuccess<T>,
  ): Promise<T | CognitoError> {
    const user = await users.lockUser(tx, userId, passwordVersion);
    if (!user) return cognitoErrors.handshakeInvalid();
    return getSignInError(user) ?? onSuccess(tx, user, clock());
  }

  /**
   * Signs a user in whose challenge was answered.
   * @param check returns the error of a wrong answer, which is thrown after the commit
   */
  async function completeSignIn<T>(
    pending: PendingChallenge<State>,
    check: (tx: Database, user: ResolvedUser, now: Date) => Promise<CognitoError | undefined>,
    onSuccess: OnSuccess<T>,
  ): Promise<T> {
    return commitAttempt(db, async (tx) => {
      const answerError = await check(tx, await users.resolveUser(tx, pending.userId), clock());
      if (answerError) return answerError;
      if (!(await sessionRepository.useHandshake(tx, pending.id, pending.expiresAt)))
        return cognitoErrors.handshakeUsed();
      return authorize(tx, pending, onSuccess);
    });
  }

  /**
   * Signs a user in by a time-based code or a recovery code. Wrong codes lock the account as wrong passwords do. The count
   * is separate, because a correct password, which precedes each code, ends the count of passwords.
   */
  function signInWithCode<T>(answer: ChallengeAnswer, caller: Caller, onSuccess: OnSuccess<T>): Promise<T> {
    const pending = open('SOFTWARE_TOKEN_MFA', answer);
    return completeSignIn(
      pending,
      async (tx, user, now) => {
        const account = await lockAccount(tx, user.id);
        // Counted before the check, so that the counter's lock serializes concurrent guesses.
        const counter = await updateCounter(tx, user.id, 'second-factor', now, countWrongPassword);
        if (!counter) return cognitoErrors.lockedOut();
        // The user may have been deleted at the same time.
        if (!user.exists || !account) return cognitoErrors.handshakeInvalid();
        const proof = { code: answer.answer, challengeId: pending.id };
        const codeError = await mfa.useCode(tx, user, proof, caller);
        if (!codeError) {
          await resetCounter(tx, user.id, 'second-factor');
          return undefined;
        }
        const type = isLocked(counter, now) ? 'account_locked' : 'mfa_failed';
        const details = { method: 'SOFTWARE_TOKEN_MFA' };
        await recordAuditEvent(tx, { type, userId: user.id, details });
        // A code that was used before is no guess.
        if (codeError.type === 'CodeMismatchException') await countGuess(rateLimiter);
        return codeError;
      },
      onSuccess,
    );
  }

  /** Starts a sign-in by a mailed code. The response has the same shape for existing and unknown users. */
  function startWithMailedCode(
    name: MailedCodeChallenge,
    username: string,
    caller: Caller,
  ): Promise<ChallengeResponse> {
    return db
      .transaction()
      .execute(async (tx) =>
        mailCode(tx, name, await users.resolveUser(tx, username), caller, { isFirstFactor: true }),
      );
  }

  /** Continues CUSTOM_AUTH after its password was checked. Throws where it is wrong. */
  const continueCustomAuth = (check: PasswordCheck, caller: Caller): Promise<ChallengeResponse> =>
    sessions.authenticate(check, caller, (tx, user) => mailCode(tx, 'CUSTOM_CHALLENGE', user, caller));

  /** Returns what follows a correct mailed code: the next challenge, or `onSuccess`. */
  const followMailedCode =
    <T>(
      { isFirstFactor }: State,
      caller: Caller,
      onSuccess: OnSuccess<T>,
    ): OnSuccess<T | ChallengeResponse> =>
    async (tx, user, now) => {
      const proofs = isFirstFactor ? (['EMAIL_OTP'] as const) : (['PASSWORD', 'EMAIL_OTP'] as const);
      // The user may have replaced mail by an app since the code was sent.
      return (await createChallenge(tx, user, proofs, caller)) ?? onSuccess(tx, user, now);
    };

  /** Signs a user in by a mailed code, or creates the challenge that follows. */
  function signInWithMailedCode<T>(
    answer: ChallengeAnswer,
    caller: Caller,
    onSuccess: OnSuccess<T>,
  ): Promise<T | ChallengeResponse> {
    const pending = open('EMAIL_OTP', answer);
    return completeSignIn<T | ChallengeResponse>(
      pending,
      async (tx, user) => {
        const codeError = await redeemMailedCode(tx, user, pending.state, answer.answer);
        return codeError?.type === 'CodeMismatchException' ? cognitoErrors.emailOtpMismatch() : codeError;
      },
      followMailedCode(pending.state, caller, onSuccess),
    );
  }

  /**
   * Signs a user in by the mailed code of CUSTOM_AUTH, or creates the challenge that follows. As with Cognito's triggers, a
   * wrong answer repeats the challenge with another Session, and the third one ends the sign-in.
   */
  async function answerCustomChallenge<T>(
    answer: ChallengeAnswer,
    caller: Caller,
    onSuccess: OnSuccess<T>,
  ): Promise<T | ChallengeResponse> {
    const pending = open('CUSTOM_CHALLENGE', answer);
    const { id, userId, username: email, expiresAt, state } = pending;
    return commitAttempt<T | ChallengeResponse | CognitoError>(db, async (tx) => {
      if (!(await sessionRepository.useHandshake(tx, id, expiresAt))) return cognitoErrors.handshakeUsed();
      const user = await users.resolveUser(tx, userId);
      const codeError = await redeemMailedCode(tx, user, state, answer.answer);
      if (!codeError && user.exists)
        return authorize(tx, pending, followMailedCode(state, caller, onSuccess));
      const failedAttempts = (state.failedAttempts ?? 0) + 1;
      // A decoy has its address at the start only.
      return failedAttempts < MAX_CUSTOM_ATTEMPTS
        ? toMailResponse('CUSTOM_CHALLENGE', { ...user, email }, { ...state, failedAttempts })
        : cognitoErrors.wrongPassword();
    });
  }

  return {
    createChallenge,
    signInWithPassword,
    selectMethod,
    signInWithCode,
    startWithMailedCode,
    continueCustomAuth,
    signInWithMailedCode,
    answerCustomChallenge,
  };
}

export type MfaChallengeService = ReturnType<typeof createMfaChallengeService>;
