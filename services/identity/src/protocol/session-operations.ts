import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import type { MfaChallengeService } from '../mfa/challenge-service.ts';
import type { MfaService } from '../mfa/service.ts';
import type { SessionService, SignInResult } from '../sessions/service.ts';
import type { CustomAuthService } from '../sign-in/custom-auth-service.ts';
import type { PasswordSignInService } from '../sign-in/password-service.ts';
import type { TokenService } from '../tokens/service.ts';
import { toGetUserResponse } from '../users/presenter.ts';
import {
  type ConcurrencyLimiter,
  createClientOperations,
  createOperation,
  type Operation,
  parseBody,
  requireParameter,
} from './operation.ts';
import * as schemas from './schemas.ts';
import type { UserAuthFlow, UserAuthResponse } from './user-auth.ts';
import type { OwnerLookup } from './user-operations.ts';

interface SessionOperationDeps {
  db: Database;
  clientId: string;
  getOwner: OwnerLookup;
  passwordAuth: boolean;
  customAuth: CustomAuthService | undefined;
  sessions: SessionService;
  signIn: PasswordSignInService;
  tokens: TokenService;
  mfa: MfaService;
  mfaChallenges: MfaChallengeService;
  userAuth: UserAuthFlow | undefined;
  limitConcurrency: ConcurrencyLimiter;
}

type InitiateAuth = z.infer<typeof schemas.initiateAuth>;
type AuthParameters = InitiateAuth['AuthParameters'];
type AuthFlow = (parameters: AuthParameters, caller: Caller) => Promise<UserAuthResponse>;
type RespondToAuthChallenge = z.infer<typeof schemas.respondToAuthChallenge>;
type ChallengeHandler = (input: RespondToAuthChallenge, caller: Caller) => Promise<UserAuthResponse>;

const requireUsername = (parameters: AuthParameters) =>
  parseBody(schemas.usernameParameter, { USERNAME: requireParameter(parameters, 'USERNAME') }).USERNAME;

/** Creates the operations that start, refresh and end sessions. */
export function createSessionOperations(deps: SessionOperationDeps): Record<string, Operation> {
  const { db, clientId, getOwner, sessions, tokens, mfa, limitConcurrency } = deps;
  const clientOperation = createClientOperations(clientId);
  const flows = createAuthFlows(deps);
  const challenges = createChallengeHandlers(deps);

  return {
    InitiateAuth: clientOperation(schemas.initiateAuth, async (input, caller) => {
      const start = flows[input.AuthFlow];
      if (!start) throw cognitoErrors.flowDisabled(input.AuthFlow);
      return limitConcurrency(async () =>
        createAuthResponse(tokens, await start(input.AuthParameters, caller)),
      );
    }),

    RespondToAuthChallenge: clientOperation(schemas.respondToAuthChallenge, async (input, caller) => {
      const respond = challenges[input.ChallengeName];
      if (!respond) throw cognitoErrors.handshakeInvalid();
      return limitConcurrency(async () => createAuthResponse(tokens, await respond(input, caller)));
    }),

    GetTokensFromRefreshToken: clientOperation(schemas.getTokensFromRefreshToken, async (input) => {
      const result = await sessions.refreshSession(input.RefreshToken);
      const { AuthenticationResult } = await createTokenResponse(tokens, result);
      return { AuthenticationResult };
    }),

    RevokeToken: clientOperation(schemas.revokeToken, async (input) => {
      await sessions.revokeRefreshToken(input.Token);
      return {};
    }),

    GetUser: createOperation(schemas.accessToken, async (input) => {
      const { user } = await getOwner(input.AccessToken);
      return toGetUserResponse(user, await mfa.getSettings(db, user.id));
    }),

    GlobalSignOut: createOperation(schemas.accessToken, async (input) => {
      await sessions.revokeSessions((await getOwner(input.AccessToken)).user.id);
      return {};
    }),
  };
}

/** Creates the enabled values of AuthFlow. */
function createAuthFlows(deps: SessionOperationDeps): Partial<Record<InitiateAuth['AuthFlow'], AuthFlow>> {
  const { passwordAuth, customAuth, userAuth, sessions, signIn, mfaChallenges } = deps;
  const createSrpFlow =
    (flow: 'USER_SRP_AUTH' | 'CUSTOM_AUTH'): AuthFlow =>
    async (parameters, caller) => {
      const username = requireUsername(parameters);
      const publicA = requireParameter(parameters, 'SRP_A');
      const challenge = await signIn.createChallenge({ username, publicA, flow }, caller);
      return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge };
    };
  const startWithPassword = createSrpFlow('CUSTOM_AUTH');
  const refresh: AuthFlow = async (parameters) =>
    sessions.refreshSession(requireParameter(parameters, 'REFRESH_TOKEN'));
  return {
    USER_SRP_AUTH: createSrpFlow('USER_SRP_AUTH'),
    REFRESH_TOKEN_AUTH: refresh,
    REFRESH_TOKEN: refresh,
    ...(passwordAuth && {
      USER_PASSWORD_AUTH: async (parameters, caller) => {
        const username = requireUsername(parameters);
        const password = requireParameter(parameters, 'PASSWORD');
        const check = await signIn.checkPassword(username, password, caller);
        return mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
      },
    }),
    ...(customAuth && {
      CUSTOM_AUTH: async (parameters, caller) =>
        parameters?.CHALLENGE_NAME === 'SRP_A'
          ? startWithPassword(parameters, caller)
          : customAuth.startSignIn(requireUsername(parameters), caller),
    }),
    ...(userAuth && {
      USER_AUTH: async (parameters, caller) =>
        parameters?.USERNAME == null
          ? userAuth.startWithoutUsername(parameters)
          : userAuth.start(requireUsername(parameters), parameters, caller),
    }),
  };
}

/** Creates the handlers of the answers to the challenges that can be issued. */
function createChallengeHandlers({
  customAuth,
  sessions,
  signIn,
  mfaChallenges,
  userAuth,
}: SessionOperationDeps): Partial<Record<RespondToAuthChallenge['ChallengeName'], ChallengeHandler>> {
  const read = ({ Session, ChallengeResponses }: RespondToAuthChallenge, answerName: string) => ({
    session: requireParameter({ Session }, 'Session'),
    username: requireParameter(ChallengeResponses, 'USERNAME'),
    answer: requireParameter(ChallengeResponses, answerName),
  });
  return {
    SOFTWARE_TOKEN_MFA: async (input, caller) =>
      mfaChallenges.signInWithCode(
        read(input, 'SOFTWARE_TOKEN_MFA_CODE'),
        caller,
        sessions.createSignIn(caller),
      ),
    EMAIL_OTP: async (input, caller) =>
      mfaChallenges.signInWithMailedCode(
        read(input, 'EMAIL_OTP_CODE'),
        caller,
        sessions.createSignIn(caller),
      ),
    SELECT_MFA_TYPE: async (input, caller) => mfaChallenges.selectMethod(read(input, 'ANSWER'), caller),
    MFA_SETUP: async (input, caller) =>
      mfaChallenges.completeSetup(read(input, 'USERNAME'), sessions.createSignIn(caller)),

    PASSWORD_VERIFIER: async ({ ChallengeResponses }, caller) => {
      const response = {
        username: requireUsername(ChallengeResponses),
        secretBlock: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SECRET_BLOCK'),
        timestamp: requireParameter(ChallengeResponses, 'TIMESTAMP'),
        signature: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SIGNATURE'),
      };
      const { check, flow, username } = await signIn.checkResponse(response, caller);
      if (flow === 'USER_SRP_AUTH')
        return mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
      if (!customAuth) throw cognitoErrors.flowDisabled(flow);
      return customAuth.continueSignIn(check, username, caller);
    },
    ...(userAuth && {
      SELECT_CHALLENGE: async ({ ChallengeResponses, Session }, caller) => {
        requireUsername(ChallengeResponses);
        return userAuth.select(requireParameter({ Session }, 'Session'), ChallengeResponses, caller);
      },
      WEB_AUTHN: async ({ ChallengeResponses, Session }, caller) =>
        userAuth.answerPasskey(requireParameter({ Session }, 'Session'), ChallengeResponses, caller),
    }),
    ...(customAuth && {
      CUSTOM_CHALLENGE: async ({ ChallengeResponses, Session }, caller) => {
        const response = {
          session: requireParameter({ Session }, 'Session'),
          username: requireUsername(ChallengeResponses),
          answer: requireParameter(ChallengeResponses, 'ANSWER'),
        };
        return customAuth.respondToChallenge(response, caller);
      },
    }),
  };
}

/** Creates the response of a step of a sign-in: the tokens, or the next challenge. */
async function createAuthResponse(tokens: TokenService, result: UserAuthResponse) {
  return 'user' in result ? createTokenResponse(tokens, result) : result;
}

async function createTokenResponse(tokens: TokenService, { user, session, refreshToken }: SignInResult) {
  const { accessToken, idToken, expiresIn } = await tokens.issueTokens(user, session);
  return {
    AuthenticationResult: {
      AccessToken: accessToken,
      ExpiresIn: expiresIn,
      IdToken: idToken,
      ...(refreshToken !== undefined && { RefreshToken: refreshToken }),
      TokenType: 'Bearer',
    },
    ChallengeParameters: {},
  };
}
