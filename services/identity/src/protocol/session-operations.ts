import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { faults } from '../faults.ts';
import type { Entry, Sessions } from '../sessions/service.ts';
import type { PasswordSignIn } from '../srp/service.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { userDetails } from '../users/presenter.ts';
import type { Gate } from './gate.ts';
import { clientOperation, type Operation, operation } from './operation.ts';
import * as schemas from './schemas.ts';
import { readBody, required } from './validation.ts';

interface Ports {
  clientId: string;
  /** Whether USER_PASSWORD_AUTH is enabled. */
  passwordAuth: boolean;
  /** Whether CUSTOM_AUTH is enabled. Its questions are an installation's own, and here nobody wrote any. */
  customAuth: boolean;
  /** Whether refresh tokens are replaced when used. */
  rotating: boolean;
  sessions: Sessions;
  signIn: PasswordSignIn;
  tokens: Tokens;
  gate: Gate;
}

type Parameters = z.infer<typeof schemas.initiateAuth>['AuthParameters'];
type Flow = (parameters: Parameters, caller: Caller) => Promise<object>;

const usernameIn = (parameters: Parameters) =>
  readBody(schemas.usernameParameter, { USERNAME: required(parameters, 'USERNAME') }).USERNAME;

/** The operations that begin a session, go on with it and end it. */
export function sessionOperations(ports: Ports): Record<string, Operation> {
  const { clientId, sessions, signIn, tokens, gate } = ports;
  const flows = enabledFlows(ports);
  const owner = async (accessToken: string) => sessions.ownerOf(await tokens.readAccessToken(accessToken));

  return {
    InitiateAuth: clientOperation(clientId, schemas.initiateAuth, async (input, caller) => {
      const flow = flows.get(input.AuthFlow);
      if (!flow) throw faults.flowDisabled(input.AuthFlow);
      return gate(() => flow(input.AuthParameters, caller));
    }),

    RespondToAuthChallenge: clientOperation(
      clientId,
      schemas.respondToAuthChallenge,
      async (input, caller) => {
        if (input.ChallengeName !== 'PASSWORD_VERIFIER') throw faults.handshakeUnknown();
        const given = input.ChallengeResponses;
        const answer = {
          username: usernameIn(given),
          secretBlock: required(given, 'PASSWORD_CLAIM_SECRET_BLOCK'),
          timestamp: required(given, 'TIMESTAMP'),
          signature: required(given, 'PASSWORD_CLAIM_SIGNATURE'),
        };
        return gate(async () => authenticated(tokens, await signIn.answer(answer, caller)));
      },
    ),

    GetTokensFromRefreshToken: clientOperation(clientId, schemas.getTokensFromRefreshToken, async (input) => {
      const answer = await authenticated(tokens, await sessions.refresh(input.RefreshToken));
      return { AuthenticationResult: answer.AuthenticationResult };
    }),

    RevokeToken: clientOperation(clientId, schemas.revokeToken, async (input) => {
      await sessions.revoke(input.Token);
      return {};
    }),

    GetUser: operation(schemas.forAccessToken, async (input) => userDetails(await owner(input.AccessToken))),

    GlobalSignOut: operation(schemas.forAccessToken, async (input) => {
      await sessions.signOutEverywhere((await owner(input.AccessToken)).id);
      return {};
    }),
  };
}

/** InitiateAuth by AuthFlow; a flow that is not here is disabled for this client. */
function enabledFlows({
  passwordAuth,
  customAuth,
  rotating,
  sessions,
  signIn,
  tokens,
}: Ports): Map<string, Flow> {
  const flows = new Map<string, Flow>();
  flows.set('USER_SRP_AUTH', async (given, caller) => {
    const challenge = await signIn.begin(usernameIn(given), required(given, 'SRP_A'), caller);
    return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge };
  });
  if (passwordAuth) {
    flows.set('USER_PASSWORD_AUTH', async (given, caller) => {
      const entry = await signIn.byPassword(usernameIn(given), required(given, 'PASSWORD'), caller);
      return authenticated(tokens, entry);
    });
  }
  if (customAuth) {
    flows.set('CUSTOM_AUTH', async (given) => {
      usernameIn(given);
      throw faults.customAuth();
    });
  }
  // Where refresh tokens are replaced, GetTokensFromRefreshToken alone can hand the next one over.
  if (!rotating) {
    const refresh: Flow = async (given) =>
      authenticated(tokens, await sessions.refresh(required(given, 'REFRESH_TOKEN')));
    flows.set('REFRESH_TOKEN_AUTH', refresh).set('REFRESH_TOKEN', refresh);
  }
  return flows;
}

async function authenticated(tokens: Tokens, { person, session, refreshToken }: Entry) {
  const { accessToken, idToken, expiresIn } = await tokens.mint(person, session);
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
