import type { PublicConfig } from '@escucho/contracts';
import { paths } from '#shared/paths.ts';
import { IDENTITY_KEY_PREFIX } from './stored-tokens.ts';

/** The external identity providers. */
export const providers = ['Facebook', 'Google'] as const;
export type Provider = (typeof providers)[number];

/** The identity provider's hosted pages (OAuth 2.0 endpoints) as this browser reaches them. */
export interface HostedPages {
  /** Without a trailing slash. */
  url: string;
  clientId: string;
  scopes: readonly string[];
  /** The redirect URI after signing in. */
  signInUrl: string;
  /** The redirect URI after signing out; undefined if none is registered. */
  signOutUrl: string | undefined;
}

/**
 * Returns the hosted pages if sign-in by redirect works from this origin; they answer only to registered redirect URIs.
 * Pages on this origin use its scheme, others HTTPS.
 */
export function findHostedPages({ identity }: PublicConfig, origin: string): HostedPages | null {
  const { oauth, clientId } = identity;
  const signInUrl = oauth?.redirectSignIn.find((url) => url === origin + paths.signIn);
  if (!oauth || signInUrl === undefined) return null;
  const { host, protocol } = new URL(origin);
  const isSameOrigin = oauth.domain.split('/', 1)[0] === host;
  return {
    url: `${isSameOrigin ? protocol : 'https:'}//${oauth.domain}`,
    clientId,
    scopes: oauth.scopes,
    signInUrl,
    signOutUrl: oauth.redirectSignOut.find((url) => url === origin + paths.signOut),
  };
}

export interface RedirectRequest {
  provider: Provider;
  /** The language of the provider's pages. */
  lang: string;
  /** `login`: the provider asks the user to sign in although it knows a session. */
  prompt?: 'login';
}

/** Builds the address that starts a sign-in by authorization code with PKCE (RFC 7636). */
export function buildAuthorizeUrl(
  { url, clientId, scopes, signInUrl }: HostedPages,
  { provider, state, challenge, lang, prompt }: RedirectRequest & { state: string; challenge: string },
): string {
  const query = new URLSearchParams({
    redirect_uri: signInUrl,
    response_type: 'code',
    client_id: clientId,
    identity_provider: provider,
    scope: scopes.join(' '),
    lang,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  });
  return `${url}/oauth2/authorize?${query}`;
}

/** Builds the address that ends the session at the hosted pages and leads back; null if no redirect URI is registered. */
export const buildLogoutUrl = ({ url, clientId, signOutUrl }: HostedPages): string | null =>
  signOutUrl === undefined
    ? null
    : `${url}/logout?${new URLSearchParams({ client_id: clientId, logout_uri: signOutUrl })}`;

/** The parameters of an authorization response (RFC 6749, section 4.1.2). */
export type OAuthCallbackParams = { code: string; state: string } | { error: string };

/** Returns the authorization response in an address's query; null if there is none. */
export function parseCallback(search: string): OAuthCallbackParams | null {
  const query = new URLSearchParams(search);
  const [error, code, state] = [query.get('error'), query.get('code'), query.get('state')];
  if (error) return { error };
  return code && state ? { code, state } : null;
}

/** Creates an error of a sign-in by redirect, with the name that the identity client uses. */
export function createOAuthError(message: string): Error {
  return Object.assign(new Error(message), { name: 'OAuthSignInException' });
}

/** Returns the key under which the identity client stores a value of a sign-in by redirect. */
export const getOAuthStorageKey = (
  clientId: string,
  name: 'oauthState' | 'oauthPKCE' | 'oauthSignIn',
): string => `${IDENTITY_KEY_PREFIX}.${clientId}.${name}`;
