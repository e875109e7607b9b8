import { identityApi, type PublicConfig } from '@escucho/contracts';
import { decodeJWT } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider, generateCodeVerifier, generateState } from 'aws-amplify/auth/cognito';
import { call } from '#shared/api/client.ts';
import { readStored, removeStored, writeStored } from '#shared/storage.ts';
import {
  authorizeAddress,
  type HostedPages,
  type Provider,
  redirectKey,
  stateFault,
} from '../model/redirect.ts';
import { configure } from './renewal.ts';

const verifierLength = 128;

/**
 * Leaves for a provider as the identity client would, which cannot where there is no https: with a state of 32
 * characters and PKCE's S256 (AUTH-08). In: the hosted pages, the provider, how to go to an address.
 */
export function begin(
  pages: HostedPages,
  { provider, lang }: { provider: Provider; lang: string },
  go: (address: string) => void,
): void {
  const state = generateState();
  const verifier = generateCodeVerifier(verifierLength);
  writeStored(redirectKey(pages.clientId, 'oauthState'), state);
  writeStored(redirectKey(pages.clientId, 'oauthPKCE'), verifier.value);
  go(authorizeAddress(pages, { provider, lang, state, challenge: verifier.toCodeChallenge() }));
}

function taken(clientId: string, name: 'oauthState' | 'oauthPKCE'): string | null {
  const key = redirectKey(clientId, name);
  const kept = readStored(key);
  removeStored(key);
  return kept;
}

/** Takes in whoever comes back: checks the state, redeems the code once, and keeps the tokens where the identity client looks for them. */
export async function finish(
  config: PublicConfig,
  pages: HostedPages,
  { code, state }: { code: string; state: string },
): Promise<void> {
  const { address, clientId, signIn } = pages;
  const [known, verifier] = [taken(clientId, 'oauthState'), taken(clientId, 'oauthPKCE')];
  if (known === null || known !== state || verifier === null) throw stateFault();
  const body = {
    ...{ grant_type: 'authorization_code' as const, client_id: clientId, redirect_uri: signIn },
    ...{ code, code_verifier: verifier },
  };
  const answer = await call(identityApi.oauth.redeemCode, { body }, { base: address });
  configure(config);
  const accessToken = decodeJWT(answer.access_token);
  const { username, iat } = accessToken.payload;
  await cognitoUserPoolsTokenProvider.tokenOrchestrator.setTokens({
    tokens: {
      accessToken,
      idToken: decodeJWT(answer.id_token),
      refreshToken: answer.refresh_token,
      clockDrift: (iat ?? 0) * 1000 - Date.now(),
      username: String(username),
    },
  });
  writeStored(redirectKey(clientId, 'oauthSignIn'), 'true,false');
}
