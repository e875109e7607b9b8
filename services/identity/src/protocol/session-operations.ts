import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { cognitoErrors } from '../errors.ts';
import type { SessionService, SignInResult } from '../sessions/service.ts';
import type { PasswordSignInService } from '../srp/service.ts';
import type { TokenService } from '../tokens/service.ts';
import { toGetUserResponse } from '../users/presenter.ts';
import {
  type ConcurrencyLimiter,
  createClientOperation,
  createOperation,
  type Operation,
  parseBody,
  requireParameter,
} from './operation.ts';
import * as schemas from './schemas.ts';

interface SessionOperationDeps {
  clientId: string;
  /** Enables USER_PASSWORD_AUTH. */
  passwordAuth: boolean;
  /** Enables CUSTOM_AUTH, whose challenges would be Lambda triggers of the installation; there are none. */
  customAuth: boolean;
  /** Whether refresh tokens are rotated. */
  rotation: boolean;
  sessions: SessionService;
  signIn: PasswordSignInService;
  tokens: TokenService;
  limitConcurrency: ConcurrencyLimiter;
}

type AuthParameters = z.infer<typeof schemas.initiateAuth>['AuthParameters'];
type AuthFlow = (parameters: AuthParameters, caller: Caller) => Promise<object>;

const requireUsername = (parameters: AuthParameters) =>
  parseBody(schemas.usernameParameter, { USERNAME: requireParameter(parameters, 'USERNAME') }).USERNAME;

/** Creates the operations that start, refresh and end sessions. */
export function createSessionOperations(deps: SessionOperationDeps): Record<string, Operation> {
  const { clientId, sessions, signIn, tokens, limitConcurrency } = deps;
  const flows = createAuthFlows(deps);
  const getOwner = async (accessToken: string) =>
    sessions.getTokenOwner(await tokens.verifyAccessToken(accessToken));

  return {
    InitiateAuth: createClientOperation(clientId, schemas.initiateAuth, async (input, caller) => {
      const flow = flows.get(input.AuthFlow);
      if (!flow) throw cognitoErrors.flowDisabled(input.AuthFlow);
      return limitConcurrency(() => flow(input.AuthParameters, caller));
    }),

    RespondToAuthChallenge: createClientOperation(
      clientId,
      schemas.respondToAuthChallenge,
      async (input, caller) => {
        if (input.ChallengeName !== 'PASSWORD_VERIFIER') throw cognitoErrors.handshakeInvalid();
        const responses = input.ChallengeResponses;
        const response = {
          username: requireUsername(responses),
          secretBlock: requireParameter(responses, 'PASSWORD_CLAIM_SECRET_BLOCK'),
          timestamp: requireParameter(responses, 'TIMESTAMP'),
          signature: requireParameter(responses, 'PASSWORD_CLAIM_SIGNATURE'),
        };
        return limitConcurrency(async () =>
          createAuthResponse(tokens, await signIn.respondToChallenge(response, caller)),
        );
      },
    ),

    GetTokensFromRefreshToken: createClientOperation(
      clientId,
      schemas.getTokensFromRefreshToken,
      async (input) => {
        const result = await sessions.refreshSession(input.RefreshToken);
        const { AuthenticationResult } = await createAuthResponse(tokens, result);
        return { AuthenticationResult };
      },
    ),

    RevokeToken: createClientOperation(clientId, schemas.revokeToken, async (input) => {
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
  flows.set('USER_SRP_AUTH', async (parameters, caller) => {
    const username = requireUsername(parameters);
    const publicA = requireParameter(parameters, 'SRP_A');
    const challenge = await signIn.createChallenge(username, publicA, caller);
    return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge };
  });
  if (passwordAuth) {
    flows.set('USER_PASSWORD_AUTH', async (parameters, caller) => {
      const username = requireUsername(parameters);
      const password = requireParameter(parameters, 'PASSWORD');
      return createAuthResponse(tokens, await signIn.signInWithPassword(username, password, caller));
    });
  }
  if (customAuth) {
    flows.set('CUSTOM_AUTH', async (parameters) => {
      requireUsername(parameters);
      throw cognitoErrors.customAuthNotConfigured();
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
