import { identityApi, type PublicConfig } from '@escucho/contracts';
import { generateCodeVerifier, generateState } from 'aws-amplify/auth/cognito';
import { call } from '#shared/api/client.ts';
import { readStorage, removeFromStorage, writeStorage } from '#shared/storage.ts';
import {
  buildAuthorizeUrl,
  createOAuthError,
  getOAuthStorageKey,
  type HostedPages,
  type RedirectRequest,
} from '../model/oauth.ts';
import { storeTokens } from './client.ts';

const CODE_VERIFIER_LENGTH = 128;

/**
 * Redirects to a provider with a state of 32 characters and PKCE's S256 (AUTH-08). The identity client's own redirect
 * requires HTTPS, which a local installation does not have.
 */
export function startRedirect(pages: HostedPages, request: RedirectRequest): void {
  const state = generateState();
  const verifier = generateCodeVerifier(CODE_VERIFIER_LENGTH);
  writeStorage(getOAuthStorageKey(pages.clientId, 'oauthState'), state);
  writeStorage(getOAuthStorageKey(pages.clientId, 'oauthPKCE'), verifier.value);
  const challenge = verifier.toCodeChallenge();
  location.assign(buildAuthorizeUrl(pages, { ...request, state, challenge }));
}

/** Reads and removes a stored value: it is good for one callback. */
function consume(clientId: string, name: 'oauthState' | 'oauthPKCE'): string | null {
  const key = getOAuthStorageKey(clientId, name);
  const value = readStorage(key);
  removeFromStorage(key);
  return value;
}

/** Handles the callback: checks the state, redeems the code, and stores the tokens under the identity client's keys. */
export async function finishRedirect(
  config: PublicConfig,
  pages: HostedPages,
  { code, state }: { code: string; state: string },
): Promise<void> {
  const { url, clientId, signInUrl } = pages;
  const expectedState = consume(clientId, 'oauthState');
  const verifier = consume(clientId, 'oauthPKCE');
  // The sign-in was not started in this browser (section 8).
  if (expectedState === null || expectedState !== state || verifier === null)
    throw createOAuthError('An error occurred while validating the state.');
  const response = await call(
    identityApi.redeemCode,
    {
      body: {
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: signInUrl,
        code,
        code_verifier: verifier,
      },
    },
    { base: url },
  );
  const { access_token: access, id_token: id, refresh_token: refresh } = response;
  await storeTokens(config, { access, id, refresh });
  writeStorage(getOAuthStorageKey(clientId, 'oauthSignIn'), 'true,false');
}
