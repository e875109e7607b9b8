import { api, type User } from '@escucho/contracts';
import { ApiError, call } from '#shared/api/client.ts';
import { loadConfig } from '#shared/config.ts';
import { lazyImport } from '#shared/lazy.ts';
import { getStorageKeys, isUnstored, readStorage, removeFromStorage } from '#shared/storage.ts';
import {
  findTokens,
  getExpiry,
  IDENTITY_KEY_PREFIX,
  isFresh,
  isPendingSignInKey,
  JWT_KEY,
  readClaims,
  type StoredTokens,
} from './model/stored-tokens.ts';

// Fetched in advance: a page that stays open refreshes its tokens after an update, when the file may be gone.
const importClient = lazyImport(() => import('./amplify/client.ts'));

/** Loads and configures the part of the identity client that signed-in pages need. */
export async function loadIdentityClient() {
  const [client, config] = await Promise.all([importClient(), loadConfig()]);
  client.configure(config);
  return client;
}

/** Returns a function that imports code of the identity client, which is loaded and configured as well. */
export function importIdentityCode<Code>(load: () => Promise<Code>): () => Promise<Code> {
  const importCode = lazyImport(load);
  return async () => {
    const [code] = await Promise.all([importCode(), loadIdentityClient()]);
    return code;
  };
}

/**
 * Returns a function that imports code of the identity client for operations of the signed-in user. It refreshes expired
 * tokens first: the identity client would refresh them at the same time as another tab.
 */
export function importUserCode<Code>(load: () => Promise<Code>): () => Promise<Code> {
  const importCode = importIdentityCode(load);
  return async () => {
    const [code] = await Promise.all([importCode(), getBearerToken()]);
    return code;
  };
}

const getProviderTokens = (): StoredTokens | null => findTokens(getStorageKeys(), readStorage);

/** Returns the stored third-party token unless it has expired. It takes precedence over the provider's (AUTH-14). */
export function getThirdPartyToken(): string | null {
  const token = readStorage(JWT_KEY);
  return token && isFresh({ expiresAt: getExpiry(token), clockDrift: 0 }, Date.now()) ? token : null;
}

/** Returns the state of the stored tokens; `stale` tokens have expired and can be refreshed. */
export function getTokenState(): 'none' | 'valid' | 'stale' {
  if (getThirdPartyToken()) return 'valid';
  const tokens = getProviderTokens();
  if (!tokens) return 'none';
  if (isFresh(tokens, Date.now())) return 'valid';
  return tokens.refresh ? 'stale' : 'none';
}

/** Returns the identity provider's ID token, or null. */
export const getIdToken = (): string | null => getProviderTokens()?.id ?? null;

/** How a user signs in: with a password of this account, through an operator, or through an external provider. */
export type SignInMethod = 'password' | 'operator' | { provider: string };

/** Returns how the signed-in user signs in. */
export function getSignInMethod({ isExternal }: User): SignInMethod {
  if (isExternal) return 'operator';
  const provider: unknown = Object(readClaims(getIdToken() ?? '')).identities?.[0]?.providerName;
  return typeof provider === 'string' ? { provider } : 'password';
}

/** Returns the keys of all sessions, without those of a sign-in by redirect that is under way. */
const getTokenKeys = (): string[] =>
  getStorageKeys().filter(
    (key) => key === JWT_KEY || (key.startsWith(`${IDENTITY_KEY_PREFIX}.`) && !isPendingSignInKey(key)),
  );

/** Returns whether the browser refuses to store the tokens, so that the session ends with this page. */
export const hasUnstoredTokens = (): boolean => getTokenKeys().some(isUnstored);

/** Removes all tokens of this browser. */
export const clearTokens = (): void => getTokenKeys().forEach(removeFromStorage);

const hasValidToken = (expired?: string): boolean =>
  getTokenState() === 'valid' && (expired === undefined || getProviderTokens()?.access !== expired);

/**
 * Refreshes the tokens once no other tab does.
 *
 * @param isDone returns whether another tab has done it while this one waited
 * @returns false if the provider refuses: the session is over
 * @throws {ApiError} if the provider cannot be reached; the tokens stay stored
 */
async function refreshUnless(isDone: () => boolean): Promise<boolean> {
  try {
    return await (await loadIdentityClient()).refreshSession(isDone);
  } catch (error) {
    // The identity client also throws after it has removed the tokens of a session that no longer exists.
    if (getTokenState() === 'none') return false;
    throw error instanceof ApiError ? error : new ApiError('network', 0);
  }
}

/** Refreshes the tokens although they have not expired, so that their claims are up to date. Rejects as `refreshTokens`. */
export const forceTokenRefresh = (): Promise<boolean> => refreshUnless(() => false);

let pendingRefresh: Promise<boolean> | null = null;

/**
 * Refreshes expired tokens, once for all concurrent callers (AUTH-10).
 *
 * @param expired the access token that the server has refused as expired
 * @returns false if the provider refuses: the session is over
 * @throws {ApiError} if the provider cannot be reached; the tokens stay stored
 */
export function refreshTokens(expired?: string): Promise<boolean> {
  pendingRefresh ??= refreshUnless(() => hasValidToken(expired)).finally(() => {
    pendingRefresh = null;
  });
  return pendingRefresh;
}

/**
 * Returns the bearer token for the portal's API, refreshed if it has expired; null without a session.
 *
 * @param expired the token that the server has refused as expired, although it has not by this device's clock
 * @throws {ApiError} if it cannot be refreshed now
 */
export async function getBearerToken(expired?: string): Promise<string | null> {
  if (getTokenState() !== 'none' && !hasValidToken(expired)) await refreshTokens(expired);
  return getTokenState() === 'valid' ? (getThirdPartyToken() ?? getProviderTokens()?.access ?? null) : null;
}

/** The errors of a session that has ended already. */
const endedSessionErrors: readonly ApiError['code'][] = [
  'unauthorized',
  'token_expired',
  'operator_plan_ended',
];

/**
 * Ends the session on every device (AUTH-09).
 *
 * @returns the address that ends it at the hosted pages too and leads back, or null
 * @throws if the identity provider, or the portal for a third party's user, does not confirm it; the tokens stay stored
 */
export async function endProviderSession(): Promise<string | null> {
  if (getThirdPartyToken()) {
    await call(api.auth.signOut, {}).catch((error: unknown) => {
      if (!(error instanceof ApiError && endedSessionErrors.includes(error.code))) throw error;
    });
    return null;
  }
  // The provider refuses to sign out with an expired token.
  if (getTokenState() === 'stale') await refreshTokens();
  const access = getProviderTokens()?.access;
  return access ? (await loadIdentityClient()).signOutEverywhere(await loadConfig(), access) : null;
}

/** Fetches the credentials of a guest where guest access is enabled (AUTH-12); elsewhere loads no code for it. */
export async function loadGuestCredentials(): Promise<void> {
  const { identity } = await loadConfig();
  if (!identity.guestAccess || !identity.identityPoolId) return;
  await (await importClient()).fetchGuestCredentials(identity.endpoint, identity.identityPoolId);
}
