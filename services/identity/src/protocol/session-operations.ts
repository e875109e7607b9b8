import { cognitoErrors } from '../errors.ts';
import type { MfaService } from '../mfa/service.ts';
import type { SignInResult } from '../sessions/service.ts';
import type { TokenService } from '../tokens/service.ts';
import type { OwnerLookup } from '../users/account-service.ts';
import { toGetUserResponse } from '../users/presenter.ts';
import {
  type ConcurrencyLimiter,
  createClientOperations,
  createOperation,
  type Operation,
} from './operation.ts';
import * as schemas from './schemas.ts';
import { createSignInFlows, type SignInFlowDeps, type SignInStep } from './sign-in-flows.ts';

interface SessionOperationDeps extends SignInFlowDeps {
  clientId: string;
  getOwner: OwnerLookup;
  tokens: TokenService;
  mfa: MfaService;
  limitConcurrency: ConcurrencyLimiter;
}

/** Creates the operations that start, refresh and end sessions. */
export function createSessionOperations(deps: SessionOperationDeps): Record<string, Operation> {
  const { db, clientId, getOwner, sessions, tokens, mfa, limitConcurrency } = deps;
  const clientOperation = createClientOperations(clientId);
  const { flows, challenges } = createSignInFlows(deps);

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

/** Creates the response of a step of a sign-in: the tokens, or the next challenge. */
async function createAuthResponse(tokens: TokenService, result: SignInStep) {
  return 'user' in result ? createTokenResponse(tokens, result) : result;
}

async function createTokenResponse(tokens: TokenService, { user, session, refreshToken }: SignInResult) {
  const { accessToken, idToken, expiresIn } = await tokens.issueTokens(user, session);
  return {
    AuthenticationResult: {
      AccessToken: accessToken,
      ExpiresIn: expiresIn,
      IdToken: idToken,
      RefreshToken: refreshToken,
      TokenType: 'Bearer',
    },
    ChallengeParameters: {},
  };
}
