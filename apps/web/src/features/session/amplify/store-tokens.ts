import type { PublicConfig } from '@escucho/contracts';
import { decodeJWT } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { getStorageKeys, readStorage } from '#shared/storage.ts';
import { findTokens } from '../model/stored-tokens.ts';
import { callIdentity, configure } from './client.ts';

interface IssuedTokens {
  access: string;
  id: string;
  refresh: string;
}

const getUsername = (access: string): string => String(decodeJWT(access).payload.username);

/** Ends a session at the identity provider. One that cannot be ended now expires by itself. */
const revokeSession = ({ identity }: PublicConfig, refresh: string): Promise<unknown> =>
  callIdentity(identity.endpoint, 'RevokeToken', { ClientId: identity.clientId, Token: refresh }).catch(
    () => undefined,
  );

/**
 * Stores the tokens of a sign-in under the identity client's keys, which all tabs read, and ends the session that they
 * replace.
 *
 * @throws OtherUserException where another user is signed in; that session stays, and the new one ends
 */
export async function storeTokens(
  config: PublicConfig,
  { access, id, refresh }: IssuedTokens,
): Promise<void> {
  configure(config);
  const previous = findTokens(getStorageKeys(), readStorage);
  const username = getUsername(access);
  if (previous && getUsername(previous.access) !== username) {
    await revokeSession(config, refresh);
    throw Object.assign(new Error('Another user is signed in.'), { name: 'OtherUserException' });
  }
  const accessToken = decodeJWT(access);
  await cognitoUserPoolsTokenProvider.tokenOrchestrator.setTokens({
    tokens: {
      accessToken,
      idToken: decodeJWT(id),
      refreshToken: refresh,
      clockDrift: (accessToken.payload.iat ?? 0) * 1000 - Date.now(),
      username,
    },
  });
  if (previous?.refresh && previous.refresh !== refresh) await revokeSession(config, previous.refresh);
}
