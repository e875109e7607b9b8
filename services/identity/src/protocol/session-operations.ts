import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { cognitoErrors } from '../errors.ts';
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

interface SessionOperationDeps {
  clientId: string;
  passwordAuth: boolean;
  customAuth: CustomAuthService | undefined;
  rotation: boolean;
  sessions: SessionService;
  signIn: PasswordSignInService;
  tokens: TokenService;
  limitConcurrency: ConcurrencyLimiter;
}

type AuthParameters = z.infer<typeof schemas.initiateAuth>['AuthParameters'];
type AuthFlow = (parameters: AuthParameters, caller: Caller) => Promise<object>;
type Challenge = (input: z.infer<typeof schemas.respondToAuthChallenge>, caller: Caller) => Promise<object>;

const requireUsername = (parameters: AuthParameters) =>
  parseBody(schemas.usernameParameter, { USERNAME: requireParameter(parameters, 'USERNAME') }).USERNAME;

/** Creates the operations that start, refresh and end sessions. */
export function createSessionOperations(deps: SessionOperationDeps): Record<string, Operation> {
  const { clientId, sessions, tokens, limitConcurrency } = deps;
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
      const { AuthenticationResult } = await createAuthResponse(tokens, result);
      return { AuthenticationResult };
    }),

    RevokeToken: clientOperation(schemas.revokeToken, async (input) => {
      await sessions.revokeRefreshToken(input.Token);
      return {};
    }),

    GetUser: createOperation(schemas.accessToken, async (input) =>
      toGetUserResponse(await getOwner(input.AccessToken)),
    ),

    GlobalSignOut: createOperation(schemas.accessToken, async (input) => {
      await sessions.revokeSessions((await getOwner(input.AccessToken)).id);
      return {};
    }),
  };
}

/** Creates the enabled values of AuthFlow. */
function createAuthFlows(deps: SessionOperationDeps): Map<string, AuthFlow> {
  const { passwordAuth, customAuth, rotation, sessions, signIn, tokens } = deps;
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
      return createAuthResponse(tokens, await sessions.signIn(check, caller));
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
  // With rotation only GetTokensFromRefreshToken can return the next refresh token.
  if (!rotation) {
    const refresh: AuthFlow = async (parameters) =>
      createAuthResponse(
        tokens,
        await sessions.refreshSession(requireParameter(parameters, 'REFRESH_TOKEN')),
      );
    flows.set('REFRESH_TOKEN_AUTH', refresh).set('REFRESH_TOKEN', refresh);
  }
  return flows;
}

/** Creates the responses to the challenges that can be issued. */
function createChallenges({
  customAuth,
  sessions,
  signIn,
  tokens,
}: SessionOperationDeps): Map<string, Challenge> {
  const challenges = new Map<string, Challenge>();
  challenges.set('PASSWORD_VERIFIER', async ({ ChallengeResponses }, caller) => {
    const response = {
      username: requireUsername(ChallengeResponses),
      secretBlock: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SECRET_BLOCK'),
      timestamp: requireParameter(ChallengeResponses, 'TIMESTAMP'),
      signature: requireParameter(ChallengeResponses, 'PASSWORD_CLAIM_SIGNATURE'),
    };
    const { check, handshake } = await signIn.checkResponse(response, caller);
    if (handshake.flow === 'USER_SRP_AUTH')
      return createAuthResponse(tokens, await sessions.signIn(check, caller));
    if (!customAuth) throw cognitoErrors.flowDisabled(handshake.flow);
    return customAuth.continueSignIn(check, handshake.username, caller);
  });
  if (customAuth) {
    challenges.set('CUSTOM_CHALLENGE', async ({ ChallengeResponses, Session }, caller) => {
      const response = {
        session: requireParameter({ Session }, 'Session'),
        username: requireUsername(ChallengeResponses),
        answer: requireParameter(ChallengeResponses, 'ANSWER'),
      };
      const result = await customAuth.respondToChallenge(response, caller);
      return 'user' in result ? createAuthResponse(tokens, result) : result;
    });
  }
  return challenges;
}

async function createAuthResponse(tokens: TokenService, { user, session, refreshToken }: SignInResult) {
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
