/** The tokens of a session as the browser stores them. Times in milliseconds. */
export interface StoredTokens {
  access: string;
  id: string | null;
  expiresAt: number;
  /** The server's clock minus the browser's. */
  clockDrift: number;
  refresh: string | null;
}

/** The key of a third party's token (AUTH-14). */
export const JWT_KEY = 'jwtAccessToken';
/** The prefix of the identity client's keys; `.<client id>.<user name>.<name>` follows. */
export const IDENTITY_KEY_PREFIX = 'CognitoIdentityServiceProvider';

/** Returns whether a key is one of the identity client's and belongs to a sign-in that is under way rather than to a session. */
export const isPendingSignInKey = (key: string): boolean =>
  key.startsWith(`${IDENTITY_KEY_PREFIX}.`) && /\.(oauth(State|PKCE)|inflight\w+)$/.test(key);

/** Tokens are refreshed this long before they expire. */
const EXPIRY_MARGIN_MS = 5_000;

/** Returns the claims of a token, unchecked; undefined if they cannot be read. */
export function readClaims(token: string): unknown {
  try {
    const payload = token.split('.')[1] ?? '';
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** Returns a token's `exp` in milliseconds; 0 if it cannot be read. */
export function getExpiry(token: string): number {
  const { exp } = Object(readClaims(token));
  return typeof exp === 'number' ? exp * 1000 : 0;
}

/** Returns the newest session under the identity client's keys, read without loading that client; null if there is none. */
export function findTokens(
  keys: readonly string[],
  read: (key: string) => string | null,
): StoredTokens | null {
  const sessions = keys
    .filter((key) => key.startsWith(`${IDENTITY_KEY_PREFIX}.`) && key.endsWith('.LastAuthUser'))
    .flatMap((key) => {
      const readToken = (name: string) => read(`${key.slice(0, -'LastAuthUser'.length)}${read(key)}.${name}`);
      const access = readToken('accessToken');
      if (!access) return [];
      return [
        {
          access,
          id: readToken('idToken'),
          refresh: readToken('refreshToken'),
          clockDrift: Number(readToken('clockDrift') ?? 0) || 0,
          expiresAt: getExpiry(access),
        },
      ];
    });
  return sessions.sort((a, b) => b.expiresAt - a.expiresAt)[0] ?? null;
}

/**
 * Returns whether tokens may still be sent.
 *
 * @param now in milliseconds
 */
export const isFresh = (
  { expiresAt, clockDrift }: Pick<StoredTokens, 'expiresAt' | 'clockDrift'>,
  now: number,
) => now + clockDrift + EXPIRY_MARGIN_MS < expiresAt;
