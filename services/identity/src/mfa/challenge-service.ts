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

const state = z.object({
  /** Whether the answer is the first factor of a sign-in, which a second one may follow. */
  isFirstFactor: z.optional(z.boolean()),
  /** The version of the password when the sign-in began: a new password ends the sign-in. */
  passwordVersion: z.optional(z.string()),
});
type State = z.infer<typeof state>;

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

/** Creates the service for the challenges that follow a first factor. */
export function createMfaChallengeService(deps: MfaChallengeServiceDeps) {
  const { db, users, sessions, codes, mfa, challengeSessions, rateLimiter, clock } = deps;

  function toResponse(name: string, user: ResolvedUser, options: ResponseOptions = {}): ChallengeResponse {
    const { parameters = {}, lifetimeMs = CODE_LIFETIME_MS, ...rest } = options;
    const { id: userId, email: username } = user;
    const sealed = { ...rest, passwordVersion: getPasswordVersion(user) };
    return {
      ChallengeName: name,
      ChallengeParameters: { USERNAME: userId, ...parameters },
      Session: challengeSessions.seal({ name, userId, username, state: sealed, lifetimeMs }),
    };
  }

  async function mailCode(
    tx: Database,
    user: ResolvedUser,
    caller: Caller,
    options: State = {},
  ): Promise<ChallengeResponse> {
    const address = await codes.requestCode(tx, user, getCodePurpose(options), caller);
    return toResponse('EMAIL_OTP', user, {
      ...options,
      parameters: toDeliveryParameters(address),
      lifetimeMs: MAIL_LIFETIME_MS,
    });
  }

  const createMethodChallenge = async (tx: Database, method: MfaMethod, user: LocalUser, caller: Caller) =>
    method === 'EMAIL_OTP' ? mailCode(tx, user, caller) : toResponse('SOFTWARE_TOKEN_MFA', user);

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

  /**
   * Signs a user in whose challenge was answered.
   * @param check returns the error of a wrong answer, which is thrown after the commit
   */
  async function completeSignIn<T>(
    { id, userId, expiresAt, state: { passwordVersion } }: PendingChallenge<State>,
    check: (tx: Database, user: ResolvedUser, now: Date) => Promise<CognitoError | undefined>,
    onSuccess: OnSuccess<T>,
  ): Promise<T> {
    return commitAttempt(db, async (tx) => {
      const now = clock();
      const user = await users.resolveUser(tx, userId);
      const answerError = await check(tx, user, now);
      if (answerError) return answerError;
      if (!(await sessionRepository.useHandshake(tx, id, expiresAt))) return cognitoErrors.handshakeUsed();
      const current = await users.lockUser(tx, userId, passwordVersion);
      if (!current) return cognitoErrors.handshakeInvalid();
      return getSignInError(current) ?? onSuccess(tx, current, now);
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
        await lockAccount(tx, user.id);
        // Counted before the check, so that the counter's lock serializes concurrent guesses.
        const counter = await updateCounter(tx, user.id, 'second-factor', now, countWrongPassword);
        if (!counter) return cognitoErrors.lockedOut();
        if (!user.exists) return cognitoErrors.handshakeInvalid();
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
  function startWithMailedCode(username: string, caller: Caller): Promise<ChallengeResponse> {
    return db
      .transaction()
      .execute(async (tx) =>
        mailCode(tx, await users.resolveUser(tx, username), caller, { isFirstFactor: true }),
      );
  }

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
        const codeError = await codes.redeemCode(tx, user, getCodePurpose(pending.state), answer.answer);
        return codeError?.type === 'CodeMismatchException' ? cognitoErrors.emailOtpMismatch() : codeError;
      },
      async (tx, user, now) => {
        const { isFirstFactor } = pending.state;
        const proofs = isFirstFactor ? (['EMAIL_OTP'] as const) : (['PASSWORD', 'EMAIL_OTP'] as const);
        // The user may have replaced mail by an app since the code was sent.
        return (await createChallenge(tx, user, proofs, caller)) ?? onSuccess(tx, user, now);
      },
    );
  }

  return {
    createChallenge,
    signInWithPassword,
    selectMethod,
    signInWithCode,
    startWithMailedCode,
    signInWithMailedCode,
  };
}

export type MfaChallengeService = ReturnType<typeof createMfaChallengeService>;
