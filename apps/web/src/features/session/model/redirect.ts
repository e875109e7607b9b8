import type { PublicConfig } from '@escucho/contracts';
import { paths } from '#shared/paths.ts';
import { identityPrefix } from './stored-tokens.ts';

/** Who else may say who a reader is. */
export const providers = ['Facebook', 'Google'] as const;
export type Provider = (typeof providers)[number];

/** The hosted pages as this browser reaches them. */
export interface HostedPages {
  /** Without a slash at the end. */
  address: string;
  clientId: string;
  scopes: readonly string[];
  /** Where they send the reader back to. */
  signIn: string;
  /** Where they send the reader after signing out there; not there where that is not agreed on. */
  signOut: string | undefined;
}

/**
 * The hosted pages, if sign-in by redirect can work from here: they answer only to addresses agreed on. In: the
 * configuration, and the app's own origin. What lies on this origin is reached as it is, all else by https.
 */
export function hostedPagesOf({ identity }: PublicConfig, origin: string): HostedPages | null {
  const { oauth, clientId } = identity;
  const signIn = oauth?.redirectSignIn.find((target) => target === origin + paths.signIn);
  if (!oauth || signIn === undefined) return null;
  const here = new URL(origin);
  const isHere = oauth.domain.split('/', 1)[0] === here.host;
  const signOut = oauth.redirectSignOut.find((target) => target === origin + paths.signOut);
  const address = `${isHere ? here.protocol : 'https:'}//${oauth.domain}`;
  return { address, clientId, scopes: oauth.scopes, signIn, signOut };
}

/** The address that begins a sign-in. In: the hosted pages, the provider, our state and the challenge of our verifier. */
export function authorizeAddress(
  { address, clientId, scopes, signIn }: HostedPages,
  {
    provider,
    state,
    challenge,
    lang,
  }: { provider: Provider; state: string; challenge: string; lang: string },
): string {
  const query = new URLSearchParams({
    redirect_uri: signIn,
    response_type: 'code',
    client_id: clientId,
    identity_provider: provider,
    scope: scopes.join(' '),
    lang,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${address}/oauth2/authorize?${query}`;
}

/** The address that ends the session at the hosted pages and leads back; null where that is not agreed on. */
export const logoutAddress = ({ address, clientId, signOut }: HostedPages): string | null =>
  signOut === undefined
    ? null
    : `${address}/logout?${new URLSearchParams({ client_id: clientId, logout_uri: signOut })}`;

/** Somebody who comes back from the hosted pages. */
export type Return = { code: string; state: string } | { refused: string };

/** What the address says of how somebody comes back; null for everybody else. */
export function readReturn(search: string): Return | null {
  const query = new URLSearchParams(search);
  const [error, code, state] = [query.get('error'), query.get('code'), query.get('state')];
  if (error) return { refused: error };
  return code && state ? { code, state } : null;
}

/** A sign-in by redirect that failed, named as the identity client names it (`identityWords`). */
export function redirectFault(message: string): Error {
  return Object.assign(new Error(message), { name: 'OAuthSignInException' });
}

/** Whoever comes back is not who left from here (section 8). */
export const stateFault = (): Error => redirectFault('An error occurred while validating the state.');

/** In: an OAuth error. Its description is not shown: it is for developers, and anybody could put it into the address. */
export const refusal = (error: string): Error =>
  redirectFault(error === 'access_denied' ? 'User cancelled OAuth flow.' : error);

/** Where the identity client keeps what it must know of a sign-in by redirect: `.<client id>.<name>`. */
export const redirectKey = (
  clientId: string,
  name: 'oauthState' | 'oauthPKCE' | 'oauthSignIn' | 'inflightOAuth',
): string => `${identityPrefix}.${clientId}.${name}`;
