import type { PublicConfig } from '@escucho/contracts';
import { Amplify } from 'aws-amplify';
import { fetchAuthSession, signOut } from 'aws-amplify/auth';
import { ConsoleLogger } from 'aws-amplify/utils';

const isAmazon = (endpoint: string) => /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com\/?$/.test(endpoint);

let configured = false;

/** Points the identity client at the configured pool: Amazon's, or one at an address of its own. */
export function configure({ identity }: PublicConfig): void {
  if (configured) return;
  configured = true;
  // It would warn of every address that is not Amazon's, and log refused passwords.
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const endpoint = new URL(identity.endpoint, location.origin).href;
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: identity.userPoolId,
        userPoolClientId: identity.clientId,
        ...(!isAmazon(endpoint) && { userPoolEndpoint: endpoint }),
      },
    },
  });
}

/** Renews the tokens if they have ended. Out: whether there is a session afterwards. */
export async function renew(): Promise<boolean> {
  const { tokens } = await fetchAuthSession();
  return Boolean(tokens?.accessToken);
}

/** Ends the session on every device and forgets the tokens here. */
export const signOutEverywhere = (): Promise<void> => signOut({ global: true });
