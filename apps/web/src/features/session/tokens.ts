import { ApiError } from '#shared/api/client.ts';
import { readStored, removeStored, storedKeys } from '#shared/storage.ts';
import {
  expiryOf,
  findTokens,
  identityPrefix,
  isFresh,
  isUnderWay,
  jwtKey,
  type StoredTokens,
} from './model/stored-tokens.ts';
import { renewTokens } from './renewal.ts';

const cognitoTokens = (): StoredTokens | null => findTokens(storedKeys(), readStored);

/** A stored third-party token that still holds; preferred over the identity provider's (AUTH-14). */
export function foreignToken(): string | null {
  const token = readStored(jwtKey);
  return token && isFresh({ expiresAt: expiryOf(token), clockDrift: 0 }, Date.now()) ? token : null;
}

/** Whether the identity provider has a session to end. */
export const hasProviderTokens = (): boolean => cognitoTokens() !== null;

/** What can be said of the session from storage alone. `stale`: it must be renewed first. */
export function tokenState(): 'none' | 'valid' | 'stale' {
  if (foreignToken()) return 'valid';
  const tokens = cognitoTokens();
  if (!tokens) return 'none';
  if (isFresh(tokens, Date.now())) return 'valid';
  return tokens.refresh ? 'stale' : 'none';
}

/** The kept id token. */
export const idToken = (): string | null => cognitoTokens()?.id ?? null;

/** Forgets every token of every sign-in here; what a sign-in under way must know when it comes back stays. */
export function forgetTokens(): void {
  removeStored(jwtKey);
  for (const key of storedKeys())
    if (key.startsWith(`${identityPrefix}.`) && !isUnderWay(key)) removeStored(key);
}

// One tab renews at a time: of two that send the same token, the provider may take one for a thief.
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request('session-renewal', work) : work();

let renewing: Promise<boolean> | null = null;

/**
 * Renews the session once for all who ask at the same time (AUTH-10). Out: false when the provider refuses.
 * Rejects with ApiError when it cannot be asked; the tokens are kept then.
 */
export function renewOnce(): Promise<boolean> {
  renewing ??= alone(async () => tokenState() === 'valid' || (await renewTokens()))
    .catch((error: unknown) => {
      // Besides refusing, the provider clears the tokens of a session that is gone for other reasons.
      if (tokenState() === 'none') return false;
      throw error instanceof ApiError ? error : new ApiError('network', 0);
    })
    .finally(() => {
      renewing = null;
    });
  return renewing;
}

/** The bearer token for the own API, renewed when it has ended; null when there is no session. Rejects when renewal cannot be asked for. */
export async function bearerToken(): Promise<string | null> {
  if (tokenState() === 'stale') await renewOnce();
  return tokenState() === 'valid' ? (foreignToken() ?? cognitoTokens()?.access ?? null) : null;
}
