import type { PublicConfig } from '@escucho/contracts';
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, signOut } from 'aws-amplify/auth';
import { ConsoleLogger } from 'aws-amplify/utils';
import { getStorageKeys, readStorage } from '#shared/storage.ts';
import { buildLogoutUrl, findHostedPages } from '../model/oauth.ts';
import { IDENTITY_KEY_PREFIX } from '../model/stored-tokens.ts';

const isAmazon = (endpoint: string) => /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com\/?$/.test(endpoint);

let isConfigured = false;

/** Returns the identity client's configuration of the user pool, Amazon's or one with its own endpoint. */
export function toPoolConfig({ identity }: PublicConfig) {
  const endpoint = new URL(identity.endpoint, location.origin).href;
  return {
    userPoolId: identity.userPoolId,
    userPoolClientId: identity.clientId,
    ...(!isAmazon(endpoint) && { userPoolEndpoint: endpoint }),
  };
}

/** Configures the identity client once. */
export function configure(config: PublicConfig): void {
  if (isConfigured) return;
  isConfigured = true;
  // By default it warns of every endpoint that is not Amazon's, and logs refused passwords.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  Amplify.configure({ Auth: { Cognito: toPoolConfig(config) } });
}

/** Renews expired tokens and returns whether there is a session. */
export async function renewSession(): Promise<boolean> {
  const { tokens } = await fetchAuthSession();
  return Boolean(tokens?.accessToken);
}

const isFromHostedPages = (): boolean =>
  getStorageKeys().some(
    (key) =>
      key.startsWith(`${IDENTITY_KEY_PREFIX}.`) &&
      key.endsWith('.oauthSignIn') &&
      readStorage(key)?.startsWith('true'),
  );

/**
 * Ends the session on every device and removes its tokens.
 *
 * @returns for a session that began at the hosted pages, the address that ends it there too and leads back; otherwise null
 */
export async function signOutEverywhere(config: PublicConfig): Promise<string | null> {
  const endsAtHostedPages = isFromHostedPages() && navigator.onLine;
  await signOut({ global: true });
  const pages = endsAtHostedPages ? findHostedPages(config, location.origin) : null;
  return pages && buildLogoutUrl(pages);
}
