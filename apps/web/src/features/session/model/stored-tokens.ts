/** What the browser keeps of a session: who may be asked to renew it is `refresh`. Times in milliseconds. */
export interface StoredTokens {
  access: string;
  id: string | null;
  expiresAt: number;
  /** The server's clock minus ours. */
  clockDrift: number;
  refresh: string | null;
}

/** Where a third party's token is kept (AUTH-14). */
export const jwtKey = 'jwtAccessToken';
/** Keys of the identity provider's own client start with this; then `.<client id>.<user name>.<name>`. */
export const identityPrefix = 'CognitoIdentityServiceProvider';

/** Whether a key of the identity client belongs to a sign-in that is under way, and not to a session. */
export const isUnderWay = (key: string): boolean => /\.(oauth(State|PKCE)|inflight\w+)$/.test(key);

/** Tokens are given up this long before they end. */
const margin = 5_000;

/** A token's `exp` as a moment; 0 where there is none to be read. */
export function expiryOf(token: string): number {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : 0;
    return typeof exp === 'number' ? exp * 1000 : 0;
  } catch {
    return 0;
  }
}

/**
 * The newest session in the identity client's own keys, read without loading that client.
 * In: all keys of the storage and how to read one. Out: its tokens, or null when nobody has signed in here.
 */
export function findTokens(
  keys: readonly string[],
  read: (key: string) => string | null,
): StoredTokens | null {
  const sessions = keys
    .filter((key) => key.startsWith(`${identityPrefix}.`) && key.endsWith('.LastAuthUser'))
    .flatMap((key) => {
      const of = (name: string) => read(`${key.slice(0, -'LastAuthUser'.length)}${read(key)}.${name}`);
      const access = of('accessToken');
      if (!access) return [];
      const clockDrift = Number(of('clockDrift') ?? 0) || 0;
      return [
        { access, id: of('idToken'), refresh: of('refreshToken'), clockDrift, expiresAt: expiryOf(access) },
      ];
    });
  return sessions.sort((a, b) => b.expiresAt - a.expiresAt)[0] ?? null;
}

/** Whether tokens may still be sent. In: when they end, the clock drift, and now. */
export const isFresh = (
  { expiresAt, clockDrift }: Pick<StoredTokens, 'expiresAt' | 'clockDrift'>,
  now: number,
) => now + clockDrift + margin < expiresAt;
