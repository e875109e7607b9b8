import { type Answered, AppError, type api, identityApi } from '@escucho/contracts';
import * as z from 'zod/mini';

/** What the identity provider keeps of somebody. */
export type SignInRecords = NonNullable<Answered<typeof api.account.exportRecords>['signIn']>;

/** The identity provider, asked in the name of the reader whose token it is. */
export interface Provider {
  /** Throws `unauthorized` where the token's session has ended, `unavailable` where there is no answer. */
  describe(accessToken: string): Promise<SignInRecords>;
  /** Forgets the account. Throws as `describe` does. */
  forget(accessToken: string): Promise<void>;
}

export interface ProviderOptions {
  /** Where it answers Cognito's JSON operations. */
  endpoint: string;
  /** Whether it lists sessions below that, as the embedded one does. */
  listsSessions: boolean;
  /** How it is reached; by the network unless said. */
  send?: (address: string, init: RequestInit) => Promise<Response>;
}

/** No answer after so many milliseconds is none. */
const patience = 10_000;

const failure = z.object({ __type: z.string() });
const attributes = z.object({ UserAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })) });

/** The provider over HTTP, by Cognito's protocol. */
export function cognitoProvider({ endpoint, listsSessions, send = fetch }: ProviderOptions): Provider {
  async function ask(address: string, init: RequestInit): Promise<unknown> {
    const answer = await send(address, { ...init, signal: AbortSignal.timeout(patience) }).catch((cause) => {
      throw new AppError('unavailable', { cause });
    });
    const body: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return body;
    const refused =
      answer.status === 401 || failure.safeParse(body).data?.__type === 'NotAuthorizedException';
    throw refused
      ? new AppError('unauthorized')
      : new AppError('unavailable', { cause: new Error(`The identity provider answered ${answer.status}.`) });
  }

  const operation = (name: string, accessToken: string) =>
    ask(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
      },
      body: JSON.stringify({ AccessToken: accessToken }),
    });

  async function sessionsOf(accessToken: string): Promise<SignInRecords['sessions']> {
    if (!listsSessions) return null;
    const { list } = identityApi.sessions;
    const headers = { authorization: `Bearer ${accessToken}` };
    return list.response.parse(await ask(endpoint + list.path, { method: list.method, headers })).docs;
  }

  return {
    async describe(accessToken) {
      const { UserAttributes } = attributes.parse(await operation('GetUser', accessToken));
      return {
        attributes: Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value])),
        sessions: await sessionsOf(accessToken),
      };
    },

    async forget(accessToken) {
      await operation('DeleteUser', accessToken);
    },
  };
}
