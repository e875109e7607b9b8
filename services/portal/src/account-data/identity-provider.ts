import { AppError, type api, identityApi, type ResponseBody } from '@escucho/contracts';
import * as z from 'zod/mini';
import { deleteCognitoUser } from './amazon.ts';

/** What the identity provider keeps of somebody. */
export type SignInData = NonNullable<ResponseBody<typeof api.account.exportAccount>['signIn']>;

/** The identity provider, asked in the name of the reader whose token it is, or in our own. */
export interface IdentityProvider {
  /** Throws `unauthorized` where the token's session has ended, `unavailable` where there is no answer. */
  exportSignInData(accessToken: string): Promise<SignInData>;
  /** By what name the account is to be forgotten. Throws as `describe` does. */
  findUsername(accessToken: string): Promise<string>;
  /** Forgets an account; one that is not there is forgotten already. Throws `unavailable`. */
  deleteAccount(account: string): Promise<void>;
}

export interface IdentityProviderOptions {
  /** Where it answers Cognito's JSON operations. */
  endpoint: string;
  userPoolId: string;
  /** Whether it lists sessions below that, as the embedded one does. */
  listsSessions: boolean;
  /** What we prove ourselves by where it is ours; Amazon is asked with the credentials of the environment. */
  adminKey: string | undefined;
  /** How it is reached; by the network unless said. */
  send?: (address: string, init: RequestInit) => Promise<Response>;
}

/** No answer after so many milliseconds is none. */
const TIMEOUT_MS = 10_000;

const failure = z.object({ __type: z.string() });
const details = z.object({
  Username: z.string(),
  UserAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })),
});

/** The provider over HTTP, by Cognito's protocol. */
export function createCognitoProvider(options: IdentityProviderOptions): IdentityProvider {
  const { endpoint, userPoolId, listsSessions, adminKey, send = fetch } = options;

  async function ask(address: string, init: RequestInit): Promise<unknown> {
    const answer = await send(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (cause) => {
        throw new AppError('unavailable', { cause });
      },
    );
    const body: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return body;
    const fault = failure.safeParse(body).data?.__type;
    if (fault === 'UserNotFoundException') throw new AppError('not_found');
    throw answer.status === 401 || fault === 'NotAuthorizedException'
      ? new AppError('unauthorized')
      : new AppError('unavailable', { cause: new Error(`The identity provider answered ${answer.status}.`) });
  }

  const operation = (name: string, body: object, headers: Record<string, string> = {}) =>
    ask(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });

  async function userOf(AccessToken: string) {
    const found = await operation('GetUser', { AccessToken }).catch((error: unknown) => {
      // Whose account is gone is signed out.
      throw error instanceof AppError && error.code === 'not_found' ? new AppError('unauthorized') : error;
    });
    const { Username, UserAttributes } = details.parse(found);
    const attributes = Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
    return { username: Username, attributes };
  }

  async function sessionsOf(accessToken: string): Promise<SignInData['sessions']> {
    if (!listsSessions) return null;
    const { listSessions: list } = identityApi.sessions;
    const headers = { authorization: `Bearer ${accessToken}` };
    return list.response.parse(await ask(endpoint + list.path, { method: list.method, headers })).docs;
  }

  return {
    async exportSignInData(accessToken) {
      const { attributes } = await userOf(accessToken);
      return { attributes, sessions: await sessionsOf(accessToken) };
    },

    async findUsername(accessToken) {
      const { username, attributes } = await userOf(accessToken);
      // Ours takes the subject too, which nobody who comes later can have; Amazon wants a username from who comes by another door.
      return (adminKey && attributes.sub) || username;
    },

    async deleteAccount(account) {
      if (!adminKey) return deleteCognitoUser({ endpoint, userPoolId, patience: TIMEOUT_MS }, account);
      const authorization = `Bearer ${adminKey}`;
      const body = { UserPoolId: userPoolId, Username: account };
      await operation('AdminDeleteUser', body, { authorization }).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      });
    },
  };
}
