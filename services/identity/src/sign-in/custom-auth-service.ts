import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { commitAttempt, type Database } from '../database.ts';
import type { PoolDeps } from '../deps.ts';
import { cognitoErrors } from '../errors.ts';
import type { ChallengeAnswer, MfaChallengeService } from '../mfa/challenge-service.ts';
import { sessionRepository } from '../sessions/repository.ts';
import type { PasswordCheck, SessionService, SignInResult } from '../sessions/service.ts';
import { getSignInError } from '../users/policy.ts';
import { getPasswordVersion, type ResolvedUser } from '../users/user.ts';
import { type ChallengeResponse, toDeliveryParameters } from './challenge-session.ts';

/** Cognito allows 3 to 15 minutes; a mail may take some of them. */
const CHALLENGE_LIFETIME_MS = 15 * 60_000;
const MAX_ATTEMPTS = 3;

const challengeState = z.object({
  attempt: z.number(),
  /** Whether the password was checked before. */
  hasPassword: z.boolean(),
  /** The version of the password when the sign-in began: a new password ends the sign-in. */
  passwordVersion: z.optional(z.string()),
  /** Where the code was mailed to. A decoy's address is known at the start only. */
  address: z.string(),
});
type ChallengeState = z.infer<typeof challengeState>;

const getCodePurpose = (hasPassword: boolean) => (hasPassword ? 'second-factor' : 'sign-in');

const CHALLENGE_NAME = 'CUSTOM_CHALLENGE';

interface CustomAuthDeps extends PoolDeps {
  sessions: SessionService;
  mfaChallenges: MfaChallengeService;
}

/**
 * Creates the service for sign-in by CUSTOM_AUTH, whose challenge is a mailed code, after the password where the client asks
 * for SRP. Unlike EMAIL_OTP, a wrong answer is followed by another challenge, as Cognito's triggers do it.
 */
export function createCustomAuthService(deps: CustomAuthDeps) {
  const { db, users, sessions, codes, challengeSessions, mfaChallenges, clock } = deps;

  function toResponse(userId: string, username: string, state: ChallengeState): ChallengeResponse {
    const session = { name: CHALLENGE_NAME, userId, username, state, lifetimeMs: CHALLENGE_LIFETIME_MS };
    return {
      ChallengeName: CHALLENGE_NAME,
      ChallengeParameters: { ...toDeliveryParameters(state.address), USERNAME: userId },
      Session: challengeSessions.seal(session),
    };
  }

  async function createChallenge(
    tx: Database,
    user: ResolvedUser,
    { username, hasPassword }: { username: string; hasPassword: boolean },
    caller: Caller,
  ) {
    const address = await codes.requestCode(tx, user, getCodePurpose(hasPassword), caller);
    const passwordVersion = getPasswordVersion(user);
    return toResponse(user.id, username, { attempt: 1, hasPassword, passwordVersion, address });
  }

  /** Starts a sign-in without a password. The response has the same shape for existing and unknown users. */
  function startSignIn(username: string, caller: Caller) {
    return db.transaction().execute(async (tx) => {
      const user = await users.resolveUser(tx, username);
      return createChallenge(tx, user, { username, hasPassword: false }, caller);
    });
  }

  /** Continues a sign-in after its password was checked. Throws where it is wrong. */
  function continueSignIn(check: PasswordCheck, username: string, caller: Caller) {
    return sessions.authenticate(check, caller, (tx, user) =>
      createChallenge(tx, user, { username, hasPassword: true }, caller),
    );
  }

  /**
   * Responds to an answer: it signs the user in, or after a wrong one repeats the challenge with another Session. The
   * third wrong answer ends the sign-in.
   */
  async function respondToChallenge(
    { session, username, answer }: ChallengeAnswer,
    caller: Caller,
  ): Promise<SignInResult | ChallengeResponse> {
    const pending = challengeSessions.open([CHALLENGE_NAME], challengeState, session, username);
    const { state } = pending;
    return commitAttempt(db, async (tx) => {
      if (!(await sessionRepository.useHandshake(tx, pending.id, pending.expiresAt))) {
        return cognitoErrors.handshakeUsed();
      }
      const user = await users.resolveUser(tx, pending.userId);
      const codeError = await codes.redeemCode(tx, user, getCodePurpose(state.hasPassword), answer);
      if (codeError || !user.exists) {
        return state.attempt < MAX_ATTEMPTS
          ? toResponse(user.id, pending.username, { ...state, attempt: state.attempt + 1 })
          : cognitoErrors.wrongPassword();
      }
      const current = await users.lockUser(tx, user.id, state.passwordVersion);
      if (!current) return cognitoErrors.handshakeInvalid();
      const signInError = getSignInError(current);
      if (signInError) return signInError;
      const proofs = state.hasPassword ? (['PASSWORD', 'EMAIL_OTP'] as const) : (['EMAIL_OTP'] as const);
      return (
        (await mfaChallenges.createChallenge(tx, current, proofs, caller)) ??
        sessions.createSignIn(caller)(tx, current, clock())
      );
    });
  }

  return { startSignIn, continueSignIn, respondToChallenge };
}

export type CustomAuthService = ReturnType<typeof createCustomAuthService>;
