import { decodeJWT } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { getStorageKeys, readStorage } from '#shared/storage.ts';
import { findTokens, type StoredTokens } from '../model/stored-tokens.ts';

interface IssuedTokens {
  access: string;
  id: string;
  refresh: string;
}

const getUsername = (access: string): string => String(decodeJWT(access).payload.username);

/**
 * Stores tokens under the identity client's keys, which all tabs read. The identity client must be configured.
 *
 * @returns the tokens of the same user that they replace, or null
 * @throws OtherUserException where another user is signed in; that session stays as it is
 */
export async function storeTokens({ access, id, refresh }: IssuedTokens): Promise<StoredTokens | null> {
  const previous = findTokens(getStorageKeys(), readStorage);
  const username = getUsername(access);
  if (previous && getUsername(previous.access) !== username)
    throw Object.assign(new Error('Another user is signed in.'), { name: 'OtherUserException' });
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
  return previous;
}
