import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { Database } from '../database.ts';
import { cognitoErrors } from '../errors.ts';
import type { MfaChallengeService } from '../mfa/challenge-service.ts';
import { createMfaChallengeHandlers } from '../mfa/operations.ts';
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

interface SessionOperationDeps {
  db: Database;
  clientId: string;
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

type AuthParameters = z.infer<typeof schemas.initiateAuth>['AuthParameters'];
type AuthFlow = (parameters: AuthParameters, caller: Caller) => Promise<object>;
type Challenge = (input: z.infer<typeof schemas.respondToAuthChallenge>, caller: Caller) => Promise<object>;

const requireUsername = (parameters: AuthParameters) =>
  parseBody(schemas.usernameParameter, { USERNAME: requireParameter(parameters, 'USERNAME') }).USERNAME;

/** Creates the operations that start, refresh and end sessions. */
export function createSessionOperations(deps: SessionOperationDeps): Record<string, Operation> {
  const { db, clientId, sessions, tokens, mfa, limitConcurrency } = deps;
  const clientOperation = createClientOperations(clientId);
  const flows = createAuthFlows(deps);
  const challenges = createChallenges(deps);
  const getOwner = async (accessToken: string) =>
    sessions.getTokenOwner(await tokens.verifyAccessToken(accessToken));

  return {
    InitiateAuth: clientOperation(schemas.initiateAuth, async (input, caller) => {
      const flow = flows.get(input.AuthFlow);
      if (!flow) throw cognitoErrors.flowDisabled(input.AuthFlow);
      return limitConcurrency(() => flow(input.AuthParameters, caller));
    }),

    RespondToAuthChallenge: clientOperation(schemas.respondToAuthChallenge, async (input, caller) => {
      const respond = challenges.get(input.ChallengeName);
      if (!respond) throw cognitoErrors.handshakeInvalid();
      return limitConcurrency(() => respond(input, caller));
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
      const user = await getOwner(input.AccessToken);
      return toGetUserResponse(user, await mfa.getSettings(db, user.id));
    }),

    GlobalSignOut: createOperation(schemas.accessToken, async (input) => {
      await sessions.revokeSessions((await getOwner(input.AccessToken)).id);
      return {};
    }),
  };
}

/** Creates the enabled values of AuthFlow. */
function createAuthFlows(deps: SessionOperationDeps): Map<string, AuthFlow> {
  const { passwordAuth, customAuth, sessions, signIn, tokens, mfaChallenges } = deps;
  const flows = new Map<string, AuthFlow>();
  const createSrpFlow =
    (flow: 'USER_SRP_AUTH' | 'CUSTOM_AUTH'): AuthFlow =>
    async (parameters, caller) => {
      const username = requireUsername(parameters);
      const publicA = requireParameter(parameters, 'SRP_A');
      const challenge = await signIn.createChallenge({ username, publicA, flow }, caller);
      return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge };
    };
  flows.set('USER_SRP_AUTH', createSrpFlow('USER_SRP_AUTH'));
  if (passwordAuth) {
    flows.set('USER_PASSWORD_AUTH', async (parameters, caller) => {
      const username = requireUsername(parameters);
      const password = requireParameter(parameters, 'PASSWORD');
      const check = await signIn.checkPassword(username, password, caller);
      const result = await mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
      return createAuthResponse(tokens, result);
    });
  }
  if (customAuth) {
    const startWithPassword = createSrpFlow('CUSTOM_AUTH');
    flows.set('CUSTOM_AUTH', async (parameters, caller) => {
      const startsWithPassword = parameters?.CHALLENGE_NAME === 'SRP_A';
      if (startsWithPassword) return startWithPassword(parameters, caller);
      return customAuth.startSignIn(requireUsername(parameters), caller);
    });
  }
  const { userAuth } = deps;
  if (userAuth) {
    flows.set('USER_AUTH', async (parameters, caller) =>
      parameters?.USERNAME == null
        ? userAuth.startWithoutUsername(parameters)
        : createAuthResponse(tokens, await userAuth.start(requireUsername(parameters), parameters, caller)),
    );
  }
  const refresh: AuthFlow = async (parameters) =>
    createAuthResponse(tokens, await sessions.refreshSession(requireParameter(parameters, 'REFRESH_TOKEN')));
  flows.set('REFRESH_TOKEN_AUTH', refresh).set('REFRESH_TOKEN', refresh);
  return flows;
}

/** Creates the responses to the challenges that can be issued. */
function createChallenges({
  customAuth,
  sessions,
  signIn,
  tokens,
  mfaChallenges,
  userAuth,
}: SessionOperationDeps): Map<string, Challenge> {
  const challenges = new Map<string, Challenge>();
  const mfaHandlers = createMfaChallengeHandlers({ sessions, challenges: mfaChallenges });
  for (const [name, handle] of Object.entries(mfaHandlers)) {
    challenges.set(name, async (input, caller) => createAuthResponse(tokens, await handle(input, caller)));
  }
  if (userAuth) {
    challenges.set('SELECT_CHALLENGE', async ({ ChallengeResponses, Session }, caller) => {
      requireUsername(ChallengeResponses);
      const session = requireParameter({ Session }, 'Session');
      return createAuthResponse(tokens, await userAuth.select(session, ChallengeResponses, caller));
    });
    challenges.set('WEB_AUTHN', async ({ ChallengeResponses, Session }, caller) => {
      const session = requireParameter({ Session }, 'Session');
      return createAuthResponse(tokens, await userAuth.answerPasskey(session, ChallengeResponses, caller));
    });
  }
  challenges.set('PASSWORD_VERIFIER', async ({ ChallengeResponses }, caller) => {
    const response = {
      username: requireUsername(ChallengeResponses),
      secretBlock: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SECRET_BLOCK'),
      timestamp: requireParameter(ChallengeResponses, 'TIMESTAMP'),
      signature: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SIGNATURE'),
    };
    const { check, flow, username } = await signIn.checkResponse(response, caller);
    if (flow === 'USER_SRP_AUTH') {
      const result = await mfaChallenges.signInWithPassword(check, caller, sessions.createSignIn(caller));
      return createAuthResponse(tokens, result);
    }
    if (!customAuth) throw cognitoErrors.flowDisabled(flow);
    return customAuth.continueSignIn(check, username, caller);
  });
  if (customAuth) {
    challenges.set('CUSTOM_CHALLENGE', async ({ ChallengeResponses, Session }, caller) => {
      const response = {
        session: requireParameter({ Session }, 'Session'),
        username: requireUsername(ChallengeResponses),
        answer: requireParameter(ChallengeResponses, 'ANSWER'),
      };
      return createAuthResponse(tokens, await customAuth.respondToChallenge(response, caller));
    });
  }
  return challenges;
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
