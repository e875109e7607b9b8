import type { PublicConfig } from '@escucho/contracts';
import type { Settings } from './settings.ts';

const scopes = ['phone', 'email', 'profile', 'openid', 'aws.cognito.signin.user.admin'];

/**
 * Returns the origins of the product: the public one or, without PUBLIC_URL, the loopback ones. Other origins are not
 * offered sign-in by redirect.
 */
export function ownOrigins({ publicUrl, followHost, port }: Settings): [string, ...string[]] {
  return followHost ? [publicUrl, `http://127.0.0.1:${port}`, `http://[::1]:${port}`] : [publicUrl];
}

/** Returns the redirect URIs after sign-in and sign-out. */
export function redirectTargets(origins: readonly string[]) {
  return {
    redirectUris: origins.map((origin) => `${origin}/auth/sign-in`),
    logoutUris: origins.map((origin) => `${origin}/auth/sign-out`),
  };
}

/** Returns the web app's OAuth configuration for an origin; null where sign-in by redirect is unavailable. */
export function publicOAuth(settings: Settings, origin: string): PublicConfig['identity']['oauth'] {
  const origins = ownOrigins(settings);
  const { redirectUris: redirectSignIn, logoutUris: redirectSignOut } = redirectTargets(origins);
  const { outsideIdentity } = settings;
  const ours = origins.includes(origin) ? `${new URL(origin).host}/identity` : undefined;
  const domain = outsideIdentity ? outsideIdentity.oauthDomain : ours;
  return domain === undefined ? null : { domain, scopes, redirectSignIn, redirectSignOut };
}
