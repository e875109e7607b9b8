import type { PublicConfig } from '@escucho/contracts';
import { Amplify } from 'aws-amplify';
import { signInWithRedirect } from 'aws-amplify/auth';
import { Hub } from 'aws-amplify/utils';
import { readStorage } from '#shared/storage.ts';
import {
  createOAuthError,
  createStateError,
  getOAuthStorageKey,
  type HostedPages,
  type Provider,
} from '../model/oauth.ts';
import { configure, toPoolConfig } from './client.ts';

/** Configures the hosted pages; the identity client then handles a callback in the address at once. */
function configurePages(config: PublicConfig, { url, scopes, signInUrl, signOutUrl }: HostedPages): void {
  configure(config);
  const oauth = {
    domain: url.slice('https://'.length),
    scopes: [...scopes],
    redirectSignIn: [signInUrl],
    redirectSignOut: signOutUrl === undefined ? [] : [signOutUrl],
    responseType: 'code' as const,
  };
  Amplify.configure({ Auth: { Cognito: { ...toPoolConfig(config), loginWith: { oauth } } } });
}

/** Redirects to a provider by the identity client, which supports HTTPS only. Rejects if there is a session already. */
export async function startRedirect(
  config: PublicConfig,
  pages: HostedPages,
  { provider, lang }: { provider: Provider; lang: string },
): Promise<void> {
  configurePages(config, pages);
  await signInWithRedirect({ provider, options: { lang } });
}

/** Handles the callback; resolves once the tokens are stored. Rejects if the sign-in was not started in this browser. */
export async function finishRedirect(config: PublicConfig, pages: HostedPages): Promise<void> {
  if (readStorage(getOAuthStorageKey(pages.clientId, 'inflightOAuth')) !== 'true') throw createStateError();
  return new Promise((resolve, reject) => {
    const unsubscribe = Hub.listen('auth', ({ payload }) => {
      if (payload.event !== 'signInWithRedirect' && payload.event !== 'signInWithRedirect_failure') return;
      unsubscribe();
      if (payload.event === 'signInWithRedirect') resolve();
      else reject(payload.data.error ?? createOAuthError('unknown'));
    });
    configurePages(config, pages);
  });
}
