import { cognitoCredentialsProvider } from 'aws-amplify/auth/cognito';
import { findOwnEndpoint } from './client.ts';

/**
 * Returns a guest's identity id and credentials (AUTH-12). The identity client stores the id, caches the credentials for
 * 50 minutes, and sends each request up to 3 times with a backoff of at most 5 minutes. Rejects with the provider's error.
 */
export async function fetchGuestCredentials(endpoint: string, identityPoolId: string) {
  const identityPoolEndpoint = findOwnEndpoint(endpoint);
  return cognitoCredentialsProvider.getCredentialsAndIdentityId({
    authConfig: {
      Cognito: {
        identityPoolId,
        allowGuestAccess: true,
        ...(identityPoolEndpoint && { identityPoolEndpoint }),
      },
    },
    authenticated: false,
  });
}
