import { AppError, type api, identityApi, type ResponseBody } from '@escucho/contracts';
import * as z from 'zod/mini';
import type { AwsKeys } from '../media/s3-store.ts';

/** What the identity provider stores about a user. */
type SignInData = NonNullable<ResponseBody<typeof api.account.exportAccount>['signIn']>;

export interface IdentityProviderOptions {
  /** URL of Cognito's JSON protocol. */
  endpoint: string;
  userPoolId: string;
  /** Whether the provider lists sessions at a path below the endpoint, as the embedded one does. */
  listsSessions: boolean;
  /** Authorizes administrative calls to the embedded provider; Amazon is called with the AWS keys. */
  adminKey: string | undefined;
  /** Undefined for the credentials of the machine's role or profile. */
  awsKeys?: AwsKeys | undefined;
  /** Replaces `fetch`. */
  send?: (address: string, init: RequestInit) => Promise<Response>;
}

const TIMEOUT_MS = 10_000;

const errorSchema = z.object({ __type: z.string() });
const userSchema = z.object({
  Username: z.string(),
  UserAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })),
});

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found';

/** Deletes an account in a user pool at Amazon. */
async function deleteCognitoUser(
  { endpoint, userPoolId, awsKeys }: IdentityProviderOptions,
  username: string,
): Promise<void> {
  // The client is large and needed here only.
  const cognito = await import('@aws-sdk/client-cognito-identity-provider');
  const client = new cognito.CognitoIdentityProviderClient({
    endpoint,
    region: userPoolId.split('_')[0] ?? '',
    maxAttempts: 1,
    ...(awsKeys && { credentials: awsKeys }),
  });
  const command = new cognito.AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: username });
  try {
    await client.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    if (!(cause instanceof cognito.UserNotFoundException)) throw new AppError('unavailable', { cause });
  } finally {
    client.destroy();
  }
}

/** Creates a client of an identity provider that speaks Cognito's protocol. */
export function createCognitoProvider(options: IdentityProviderOptions) {
  const { endpoint, userPoolId, listsSessions, adminKey, send = fetch } = options;

  async function request(url: string, init: RequestInit): Promise<unknown> {
    const response = await send(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
      throw new AppError('unavailable', { cause });
    });
    const body: unknown = await response.json().catch(() => ({}));
    if (response.ok) return body;
    const type = errorSchema.safeParse(body).data?.__type;
    if (type === 'UserNotFoundException') throw new AppError('not_found');
    if (response.status === 401 || type === 'NotAuthorizedException') throw new AppError('unauthorized');
    throw new AppError('unavailable', {
      cause: new Error(`The identity provider responded with ${response.status}.`),
    });
  }

  const callOperation = (name: string, body: object, headers: Record<string, string> = {}) =>
    request(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });

  async function getUser(AccessToken: string) {
    const user = await callOperation('GetUser', { AccessToken }).catch((error: unknown) => {
      // A user whose account is gone is signed out.
      throw isNotFound(error) ? new AppError('unauthorized') : error;
    });
    const { Username, UserAttributes } = userSchema.parse(user);
    const attributes = Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
    return { username: Username, attributes };
  }

  async function listSessions(accessToken: string): Promise<SignInData['sessions']> {
    if (!listsSessions) return null;
    const { path, method, response } = identityApi.listSessions;
    const headers = { authorization: `Bearer ${accessToken}` };
    return response.parse(await request(endpoint + path, { method, headers })).docs;
  }

  return {
    /** @throws AppError `unauthorized` when the token's session has ended, `unavailable` */
    async exportSignInData(accessToken: string): Promise<SignInData> {
      const { attributes } = await getUser(accessToken);
      return { attributes, sessions: await listSessions(accessToken) };
    },

    /**
     * Returns the name by which `deleteAccount` deletes the account.
     *
     * @throws AppError `unauthorized` when the token's session has ended, `unavailable`
     */
    async findUsername(accessToken: string): Promise<string> {
      const { username, attributes } = await getUser(accessToken);
      // The embedded provider also accepts the subject, which is never reused; Amazon needs the username of federated users.
      return (adminKey && attributes.sub) || username;
    },

    /**
     * Deletes an account; does nothing when there is none.
     *
     * @throws AppError `unavailable`
     */
    async deleteAccount(username: string): Promise<void> {
      if (!adminKey) return deleteCognitoUser(options, username);
      const headers = { authorization: `Bearer ${adminKey}` };
      const body = { UserPoolId: userPoolId, Username: username };
      await callOperation('AdminDeleteUser', body, headers).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

export type IdentityProvider = ReturnType<typeof createCognitoProvider>;
