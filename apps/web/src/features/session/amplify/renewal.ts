import type { PublicConfig } from '@escucho/contracts';
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, signOut } from 'aws-amplify/auth';
import { ConsoleLogger } from 'aws-amplify/utils';
import { hostedPagesOf, logoutAddress } from '../model/redirect.ts';
import { isFromHostedPages } from '../redirect-state.ts';

const isAmazon = (endpoint: string) => /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com\/?$/.test(endpoint);

let configured = false;

/** The configured pool, Amazon's or one at an address of its own, as the identity client wants it named. */
export function poolOf({ identity }: PublicConfig) {
  const endpoint = new URL(identity.endpoint, location.origin).href;
  return {
    userPoolId: identity.userPoolId,
    userPoolClientId: identity.clientId,
    ...(!isAmazon(endpoint) && { userPoolEndpoint: endpoint }),
  };
}

/** Points the identity client at the configured pool. */
export function configure(config: PublicConfig): void {
  if (configured) return;
  configured = true;
  // It would warn of every address that is not Amazon's, and log refused passwords.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  Amplify.configure({ Auth: { Cognito: poolOf(config) } });
}

/** Renews the tokens if they have ended. Out: whether there is a session afterwards. */
export async function renew(): Promise<boolean> {
  const { tokens } = await fetchAuthSession();
  return Boolean(tokens?.accessToken);
}

/**
 * Ends the session on every device and forgets the tokens here. Out: for a session that was begun at the hosted pages,
 * the address that ends it there and leads back; null where there is no need, or no way.
 */
export async function signOutEverywhere(config: PublicConfig): Promise<string | null> {
  const isThere = isFromHostedPages() && navigator.onLine;
  await signOut({ global: true });
  const pages = isThere ? hostedPagesOf(config, location.origin) : null;
  return pages && logoutAddress(pages);
}
