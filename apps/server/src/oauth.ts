import type { PublicConfig } from '@escucho/contracts';
import type { Settings } from './settings.ts';

const scopes = ['phone', 'email', 'profile', 'openid', 'aws.cognito.signin.user.admin'];

/**
 * The origins at which people reach the product: the public one, and, while no public address is named, every way to
 * this machine from itself. What comes by another is not offered sign-in by redirect.
 */
export function ownOrigins({ publicUrl, followHost, port }: Settings): [string, ...string[]] {
  return followHost ? [publicUrl, `http://127.0.0.1:${port}`, `http://[::1]:${port}`] : [publicUrl];
}

/** Where the web app takes people back after a sign-in or a sign-out by redirect. */
export function redirectTargets(origins: readonly string[]) {
  return {
    redirectUris: origins.map((origin) => `${origin}/auth/sign-in`),
    logoutUris: origins.map((origin) => `${origin}/auth/sign-out`),
  };
}

/** The web's part of OAuth, for a browser that came by `origin`; null where there is none. */
export function publicOAuth(settings: Settings, origin: string): PublicConfig['identity']['oauth'] {
  const origins = ownOrigins(settings);
  const { redirectUris: redirectSignIn, logoutUris: redirectSignOut } = redirectTargets(origins);
  const { outsideIdentity } = settings;
  const ours = origins.includes(origin) ? `${new URL(origin).host}/identity` : undefined;
  const domain = outsideIdentity ? outsideIdentity.oauthDomain : ours;
  return domain === undefined ? null : { domain, scopes, redirectSignIn, redirectSignOut };
}
