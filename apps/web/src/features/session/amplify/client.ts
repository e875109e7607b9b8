import { syncSessionStorage } from '@aws-amplify/core';
import type { PublicConfig } from '@escucho/contracts';
import { Amplify } from 'aws-amplify';
import { decodeJWT, fetchAuthSession } from 'aws-amplify/auth';
import { cognitoCredentialsProvider, cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { ConsoleLogger } from 'aws-amplify/utils';
import * as z from 'zod/mini';
import { ApiError } from '#shared/api/client.ts';
import { fetchInTime } from '#shared/network.ts';
import {
  getStorageKeys,
  readStorage,
  removeFromStorage,
  writeStorage,
  writeTabStorage,
} from '#shared/storage.ts';
import { withTabLock } from '#shared/tab-lock.ts';
import { buildLogoutUrl, findHostedPages } from '../model/oauth.ts';
import { findTokens, IDENTITY_KEY_PREFIX } from '../model/stored-tokens.ts';

/** Returns the address of an identity provider with its own endpoint; undefined for Amazon's, which the client finds by itself. */
function findOwnEndpoint(endpoint: string): string | undefined {
  const { href } = new URL(endpoint, location.origin);
  return /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com\/?$/.test(href) ? undefined : href;
}

let isConfigured = false;

/** Returns the identity client's configuration of the user pool, Amazon's or one with its own endpoint. */
export function toPoolConfig({ identity }: PublicConfig) {
  const userPoolEndpoint = findOwnEndpoint(identity.endpoint);
  return {
    userPoolId: identity.userPoolId,
    userPoolClientId: identity.clientId,
    ...(userPoolEndpoint && { userPoolEndpoint }),
  };
}

const getIdentityKeys = (): string[] =>
  getStorageKeys().filter((key) => key.startsWith(`${IDENTITY_KEY_PREFIX}.`));

// Where the browser refuses to store tokens, the app finds them in memory; the identity client has a memory of its own.
const tokenStorage = {
  setItem: async (key: string, value: string) => writeStorage(key, value),
  getItem: async (key: string) => readStorage(key),
  removeItem: async (key: string) => removeFromStorage(key),
  clear: async () => getIdentityKeys().forEach(removeFromStorage),
};

/** Limits the time of the identity client's requests to an address. The client itself sets no limit and has no option for one. */
function limitRequests(address: string): void {
  const { href } = new URL(address, location.origin);
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    init?.signal || String(input) !== href
      ? send(input, init)
      : fetchInTime(href, init).catch((error: unknown) => {
          // Unlike other errors of the network, the client does not retry this one: the user has waited long enough.
          throw error instanceof DOMException ? new ApiError('network', 0) : error;
        });
}

/** Configures the identity client once. */
export function configure(config: PublicConfig): void {
  if (isConfigured) return;
  isConfigured = true;
  // By default it warns of every endpoint that is not Amazon's, and logs refused passwords.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  limitRequests(config.identity.endpoint);
  Amplify.configure({ Auth: { Cognito: toPoolConfig(config) } });
  cognitoUserPoolsTokenProvider.setKeyValueStorage(tokenStorage);
  // The client needs the state of a sign-in in memory only, but fails where the tab's storage refuses it.
  syncSessionStorage.setItem = writeTabStorage;
}

const errorBody = z.object({ __type: z.string(), message: z._default(z.string(), '') });

/**
 * Calls an operation of the identity provider which the identity client does not have, or has without what is needed here.
 *
 * @throws Error with the provider's exception as its name; NetworkError without a response in time
 */
export async function callIdentity(endpoint: string, operation: string, input: object): Promise<unknown> {
  const response = await fetchInTime(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(input),
  }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  if (response?.ok) return body;
  const { data } = errorBody.safeParse(body);
  const name = data?.__type.split('#').at(-1) ?? (response ? 'InternalErrorException' : 'NetworkError');
  throw Object.assign(new Error(data?.message), { name });
}

/**
 * Runs an action that replaces the stored tokens, in one tab at a time. A provider may treat a refresh token that is sent
 * twice as stolen, and the tokens of a refresh must not overwrite those of a sign-in that ends their session.
 *
 * @throws {ApiError} `network` if another tab still waits for the provider after 30 seconds; the action is not run
 */
export const withRefreshLock = <Result>(action: () => Promise<Result>): Promise<Result> =>
  withTabLock('session-refresh', action, async () => {
    throw new ApiError('network', 0);
  });

interface IssuedTokens {
  access: string;
  id: string;
  refresh: string;
}

const getUsername = (access: string): string => String(decodeJWT(access).payload.username);

/** Ends a session at the identity provider. One that cannot be ended now expires by itself. */
const revokeSession = ({ identity }: PublicConfig, refresh: string): Promise<unknown> =>
  callIdentity(identity.endpoint, 'RevokeToken', { ClientId: identity.clientId, Token: refresh }).catch(
    () => undefined,
  );

/**
 * Stores the tokens of a sign-in under the identity client's keys, which all tabs read, and ends the session that they
 * replace. Where it throws, the new session ends.
 *
 * @throws OtherUserException where another user is signed in; that session stays
 * @throws {ApiError} if another tab does not finish its refresh
 */
export async function storeTokens(config: PublicConfig, tokens: IssuedTokens): Promise<void> {
  configure(config);
  let previous: string | null;
  try {
    previous = await withRefreshLock(() => replaceTokens(tokens));
  } catch (error) {
    await revokeSession(config, tokens.refresh);
    throw error;
  }
  if (previous && previous !== tokens.refresh) await revokeSession(config, previous);
}

/** Replaces the stored tokens; returns the refresh token that was stored before. */
async function replaceTokens({ access, id, refresh }: IssuedTokens): Promise<string | null> {
  const previous = findTokens(getStorageKeys(), readStorage);
  const username = getUsername(access);
  if (previous && getUsername(previous.access) !== username)
    throw Object.assign(new Error('Another user is signed in.'), { name: 'OtherUserException' });
  const accessToken = decodeJWT(access);
  await cognitoUserPoolsTokenProvider.tokenOrchestrator.setTokens({
    tokens: {
      accessToken,
      idToken: decodeJWT(id),
      refreshToken: refresh,
      clockDrift: (accessToken.payload.iat ?? 0) * 1000 - Date.now(),
      username,
    },
  });
  return previous?.refresh ?? null;
}

/** Refreshes the tokens unless that is done once no other tab does it, and returns whether there is a session. */
export const refreshSession = (isDone: () => boolean): Promise<boolean> =>
  withRefreshLock(
    async () => isDone() || Boolean((await fetchAuthSession({ forceRefresh: true })).tokens?.accessToken),
  );

const isFromHostedPages = (): boolean =>
  getIdentityKeys().some((key) => key.endsWith('.oauthSignIn') && readStorage(key)?.startsWith('true'));

const SIGN_OUT_ATTEMPTS = 3;
const SIGN_OUT_RETRY_DELAY_MS = 200;

/** Sends GlobalSignOut. The identity client's own sign-out hides the failures of this request. */
async function sendGlobalSignOut(endpoint: string, accessToken: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await callIdentity(endpoint, 'GlobalSignOut', { AccessToken: accessToken });
      return;
    } catch (error) {
      // The session has ended already.
      if (error instanceof Error && error.name === 'NotAuthorizedException') return;
      if (attempt === SIGN_OUT_ATTEMPTS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, SIGN_OUT_RETRY_DELAY_MS * attempt));
  }
}

/**
 * Ends the session on every device.
 *
 * @returns for a session that began at the hosted pages, the address that ends it there too and leads back; otherwise null
 * @throws if the provider does not confirm it
 */
export async function signOutEverywhere(config: PublicConfig, accessToken: string): Promise<string | null> {
  const pages = isFromHostedPages() ? findHostedPages(config, location.origin) : null;
  await sendGlobalSignOut(config.identity.endpoint, accessToken);
  return pages && buildLogoutUrl(pages);
}

/**
 * Returns a guest's identity id and credentials (AUTH-12). The identity client stores the id, caches the credentials for
 * 50 minutes, and sends each request up to 3 times with a backoff of at most 5 minutes. Rejects with the provider's error.
 */
export async function fetchGuestCredentials(endpoint: string, identityPoolId: string) {
  const identityPoolEndpoint = findOwnEndpoint(endpoint);
  return cognitoCredentialsProvider.getCredentialsAndIdentityId({
    authConfig: {
      Cognito: {
        identityPoolId,
        allowGuestAccess: true,
        ...(identityPoolEndpoint && { identityPoolEndpoint }),
      },
    },
    authenticated: false,
  });
}
