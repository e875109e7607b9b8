import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { PoolDeps } from '../deps.ts';
import { cognitoErrors } from '../errors.ts';
import type { MfaChallengeService } from '../mfa/challenge-service.ts';
import { parseAssertion } from '../passkeys/policy.ts';
import type { PasskeyService } from '../passkeys/service.ts';
import type { SessionService, SignInResult } from '../sessions/service.ts';
import { type ChallengeResponse, noState } from '../sign-in/challenge-session.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import { normalizeUsername } from '../users/policy.ts';
import { parseBody, requireParameter } from './operation.ts';
import * as schemas from './schemas.ts';

export interface SignInFlowDeps extends PoolDeps {
  sessions: SessionService;
  signIn: PasswordSignInService;
  mfaChallenges: MfaChallengeService;
  /** Whether passwords in the clear are accepted. */
  passwordAuth: boolean;
  /** Whether CUSTOM_AUTH is enabled. */
  customAuth: boolean;
  passkeys: PasskeyService | undefined;
}

type InitiateAuth = z.infer<typeof schemas.initiateAuth>;
type RespondToAuthChallenge = z.infer<typeof schemas.respondToAuthChallenge>;
type Parameters = InitiateAuth['AuthParameters'];

type PasswordChallenge = Awaited<ReturnType<PasswordSignInService['createChallenge']>>;
/** The result of a step of a sign-in: the user and session, or the next challenge. */
export type SignInStep =
  | SignInResult
  | ChallengeResponse
  | (ChallengeResponse & { AvailableChallenges: readonly string[] })
  | { ChallengeName: string; ChallengeParameters: PasswordChallenge };

type Flow = (parameters: Parameters, caller: Caller) => Promise<SignInStep>;
type ChallengeHandler = (input: RespondToAuthChallenge, caller: Caller) => Promise<SignInStep>;

const SELECTION_LIFETIME_MS = 3 * 60_000;

const requireUsername = (parameters: Parameters) =>
  parseBody(schemas.usernameParameter, { USERNAME: requireParameter(parameters, 'USERNAME') }).USERNAME;

const requireSession = ({ Session }: RespondToAuthChallenge) => requireParameter({ Session }, 'Session');

const readAnswer = (input: RespondToAuthChallenge, answerName: string) => ({
  session: requireSession(input),
  username: requireParameter(input.ChallengeResponses, 'USERNAME'),
  answer: requireParameter(input.ChallengeResponses, answerName),
});

/** Creates the enabled values of AuthFlow, and the handlers of the answers to the challenges that they issue. */
export function createSignInFlows(deps: SignInFlowDeps): {
  flows: Partial<Record<InitiateAuth['AuthFlow'], Flow>>;
  challenges: Partial<Record<RespondToAuthChallenge['ChallengeName'], ChallengeHandler>>;
} {
  const { db, users, sessions, signIn, mfaChallenges, challengeSessions } = deps;
  const { passwordAuth, customAuth, passkeys } = deps;

  const createSrpFlow =
    (flow: 'USER_SRP_AUTH' | 'CUSTOM_AUTH'): Flow =>
    async (parameters, caller) => {
      const username = requireUsername(parameters);
      const publicA = requireParameter(parameters, 'SRP_A');
      const challenge = await signIn.createChallenge({ username, publicA, flow }, caller);
      return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge };
    };
  const startWithSrp = createSrpFlow('USER_SRP_AUTH');
  const startCustomWithSrp = createSrpFlow('CUSTOM_AUTH');

  const startWithPassword: Flow = async (parameters, caller) => {
    const username = requireUsername(parameters);
    const password = requireParameter(parameters, 'PASSWORD');
    const check = await signIn.checkPassword(username, password, caller);
    return mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
  };

  const refresh: Flow = async (parameters) =>
    sessions.refreshSession(requireParameter(parameters, 'REFRESH_TOKEN'));

  /** The first factors of USER_AUTH. Every user, also an unknown one, is offered the same. */
  const firstFactors = new Map<string, Flow>([['PASSWORD_SRP', startWithSrp]]);
  if (passwordAuth) firstFactors.set('PASSWORD', startWithPassword);
  // Whoever reads the mailbox may also set a new password, so that a mailed code is no weaker than ForgotPassword.
  firstFactors.set('EMAIL_OTP', async (parameters, caller) =>
    mfaChallenges.startWithMailedCode('EMAIL_OTP', requireUsername(parameters), caller),
  );
  if (passkeys) {
    firstFactors.set('WEB_AUTHN', async (parameters) => {
      const username = requireUsername(parameters);
      const { id } = await users.resolveUser(db, username);
      return passkeys.createChallenge({ id, username });
    });
  }

  /** Starts USER_AUTH by the preferred first factor where it is available, or else by a selection. */
  const startUserAuth: Flow = async (parameters, caller) => {
    const preferred = parameters?.PREFERRED_CHALLENGE;
    if (parameters?.USERNAME == null) {
      // An extension: the browser offers the passkeys of any user while the form is filled in.
      if (preferred === 'WEB_AUTHN' && passkeys) return passkeys.createChallenge();
      throw cognitoErrors.missingParameter('USERNAME');
    }
    const username = normalizeUsername(requireUsername(parameters));
    const start = firstFactors.get(preferred ?? '');
    if (start) return start(parameters, caller);
    const selection = { name: 'SELECT_CHALLENGE', username, userId: username, state: {} };
    return {
      ChallengeName: 'SELECT_CHALLENGE',
      ChallengeParameters: {},
      AvailableChallenges: [...firstFactors.keys()],
      Session: challengeSessions.seal({ ...selection, lifetimeMs: SELECTION_LIFETIME_MS }),
    };
  };

  return {
    flows: {
      USER_SRP_AUTH: startWithSrp,
      USER_AUTH: startUserAuth,
      REFRESH_TOKEN_AUTH: refresh,
      REFRESH_TOKEN: refresh,
      ...(passwordAuth && { USER_PASSWORD_AUTH: startWithPassword }),
      ...(customAuth && {
        CUSTOM_AUTH: async (parameters, caller) =>
          parameters?.CHALLENGE_NAME === 'SRP_A'
            ? startCustomWithSrp(parameters, caller)
            : mfaChallenges.startWithMailedCode('CUSTOM_CHALLENGE', requireUsername(parameters), caller),
      }),
    },

    challenges: {
      PASSWORD_VERIFIER: async ({ ChallengeResponses }, caller) => {
        const response = {
          username: requireUsername(ChallengeResponses),
          secretBlock: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SECRET_BLOCK'),
          timestamp: requireParameter(ChallengeResponses, 'TIMESTAMP'),
          signature: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SIGNATURE'),
        };
        const { check, flow } = await signIn.checkResponse(response, caller);
        if (flow === 'USER_SRP_AUTH')
          return mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
        if (!customAuth) throw cognitoErrors.flowDisabled(flow);
        return mfaChallenges.continueCustomAuth(check, caller);
      },

      SOFTWARE_TOKEN_MFA: async (input, caller) => {
        const answer = readAnswer(input, 'SOFTWARE_TOKEN_MFA_CODE');
        return mfaChallenges.signInWithCode(answer, caller, sessions.createSignIn(caller));
      },
      EMAIL_OTP: async (input, caller) => {
        const answer = readAnswer(input, 'EMAIL_OTP_CODE');
        return mfaChallenges.signInWithMailedCode(answer, caller, sessions.createSignIn(caller));
      },
      SELECT_MFA_TYPE: async (input, caller) =>
        mfaChallenges.selectMethod(readAnswer(input, 'ANSWER'), caller),

      // Amplify also sends it with the Session of a passkey challenge.
      SELECT_CHALLENGE: async (input, caller) => {
        requireUsername(input.ChallengeResponses);
        const { session, username, answer } = readAnswer(input, 'ANSWER');
        challengeSessions.open(['SELECT_CHALLENGE', 'WEB_AUTHN'], noState, session, username);
        const start = firstFactors.get(answer);
        if (!start) throw cognitoErrors.challengeNotAvailable();
        return start(input.ChallengeResponses, caller);
      },
      // USERNAME may be absent where the challenge was created without one.
      WEB_AUTHN: async (input, caller) => {
        const session = requireSession(input);
        const assertion = parseAssertion(requireParameter(input.ChallengeResponses, 'CREDENTIAL'));
        if (!assertion || !passkeys) throw cognitoErrors.passkeyInvalid();
        const username = input.ChallengeResponses?.USERNAME ?? undefined;
        return passkeys.signIn({ session, username, assertion }, sessions.createSignIn(caller));
      },

      ...(customAuth && {
        CUSTOM_CHALLENGE: async (input, caller) => {
          const answer = readAnswer(input, 'ANSWER');
          return mfaChallenges.answerCustomChallenge(answer, caller, sessions.createSignIn(caller));
        },
      }),
    },
  };
}
