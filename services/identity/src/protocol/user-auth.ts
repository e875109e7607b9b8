import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { cognitoErrors } from '../errors.ts';
import type { MfaChallengeService } from '../mfa/challenge-service.ts';
import { parseAssertion } from '../passkeys/policy.ts';
import type { PasskeyService } from '../passkeys/service.ts';
import type { SessionService, SignInResult } from '../sessions/service.ts';
import type { ChallengeResponse, ChallengeSessions } from '../sign-in/challenge-session.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import { normalizeUsername } from '../users/policy.ts';
import type { UserService } from '../users/service.ts';
import { requireParameter } from './operation.ts';

interface UserAuthDeps {
  users: UserService;
  sessions: SessionService;
  signIn: PasswordSignInService;
  mfaChallenges: MfaChallengeService;
  challengeSessions: ChallengeSessions;
  /** Whether passwords in the clear are accepted. */
  hasPassword: boolean;
  passkeys: PasskeyService | undefined;
}

type Parameters = Record<string, string | null | undefined> | null | undefined;
type PasswordChallenge = Awaited<ReturnType<PasswordSignInService['createChallenge']>>;
export type UserAuthResponse =
  | SignInResult
  | ChallengeResponse
  | { ChallengeName: string; ChallengeParameters: PasswordChallenge };

const SELECTION_LIFETIME_MS = 3 * 60_000;
const noState = z.object({});

/**
 * Creates the flow USER_AUTH, in which the client or the user chooses the first factor. Every user, also an unknown one,
 * is offered the same factors.
 */
export function createUserAuthFlow(deps: UserAuthDeps) {
  const { users, sessions, signIn, mfaChallenges, challengeSessions, passkeys } = deps;
  const availableChallenges = [
    'PASSWORD_SRP',
    ...(deps.hasPassword ? ['PASSWORD'] : []),
    // Whoever reads the mailbox may also set a new password, so that a mailed code is no weaker than ForgotPassword.
    'EMAIL_OTP',
    ...(passkeys ? ['WEB_AUTHN'] : []),
  ];

  /** Starts a sign-in by a first factor; undefined where it is not available. */
  async function startFactor(
    factor: string | null | undefined,
    username: string,
    parameters: Parameters,
    caller: Caller,
  ): Promise<UserAuthResponse | undefined> {
    if (factor == null || !availableChallenges.includes(factor)) return undefined;
    if (factor === 'PASSWORD_SRP') {
      const input = { username, publicA: requireParameter(parameters, 'SRP_A') };
      const challenge = await signIn.createChallenge({ ...input, flow: 'USER_SRP_AUTH' }, caller);
      return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge };
    }
    if (factor === 'PASSWORD') {
      const password = requireParameter(parameters, 'PASSWORD');
      const check = await signIn.checkPassword(username, password, caller);
      return mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
    }
    if (factor === 'EMAIL_OTP') return mfaChallenges.startWithMailedCode(username, caller);
    const { id } = await users.findOrDecoy(username);
    return passkeys?.createChallenge({ id, username: normalizeUsername(username) });
  }

  /** Asks the client for a first factor. */
  function selectFactor(username: string) {
    const normalized = normalizeUsername(username);
    return {
      ChallengeName: 'SELECT_CHALLENGE',
      ChallengeParameters: {},
      AvailableChallenges: availableChallenges,
      Session: challengeSessions.seal({
        name: 'SELECT_CHALLENGE',
        username: normalized,
        userId: normalized,
        state: {},
        lifetimeMs: SELECTION_LIFETIME_MS,
      }),
    };
  }

  return {
    /** Starts the flow: by the preferred first factor where it is available, or else by a selection. */
    async start(username: string, parameters: Parameters, caller: Caller) {
      const response = await startFactor(parameters?.PREFERRED_CHALLENGE, username, parameters, caller);
      return response ?? selectFactor(username);
    },

    /**
     * Starts a sign-in by a passkey of any user, which the browser offers while the user fills in the form. An extension:
     * Cognito requires USERNAME.
     */
    async startWithoutUsername(parameters: Parameters) {
      if (parameters?.PREFERRED_CHALLENGE !== 'WEB_AUTHN' || !passkeys) {
        throw cognitoErrors.missingParameter('USERNAME');
      }
      return passkeys.createChallenge();
    },

    /** Answers SELECT_CHALLENGE. Amplify also sends it with the Session of a passkey challenge. */
    async select(session: string, parameters: Parameters, caller: Caller): Promise<UserAuthResponse> {
      const username = requireParameter(parameters, 'USERNAME');
      const factor = requireParameter(parameters, 'ANSWER');
      challengeSessions.open(['SELECT_CHALLENGE', 'WEB_AUTHN'], noState, session, username);
      const response = await startFactor(factor, username, parameters, caller);
      if (!response) throw cognitoErrors.challengeNotAvailable();
      return response;
    },

    /** Answers WEB_AUTHN. USERNAME may be absent where the challenge was created without one. */
    async answerPasskey(session: string, parameters: Parameters, caller: Caller): Promise<SignInResult> {
      const assertion = parseAssertion(requireParameter(parameters, 'CREDENTIAL'));
      if (!assertion || !passkeys) throw cognitoErrors.passkeyInvalid();
      const username = parameters?.USERNAME ?? undefined;
      const answer = { session, assertion, ...(username !== undefined && { username }) };
      return passkeys.signIn(answer, sessions.createSignIn(caller));
    },
  };
}

export type UserAuthFlow = ReturnType<typeof createUserAuthFlow>;
