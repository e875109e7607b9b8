import type { PublicConfig } from '@escucho/contracts';
import { Amplify } from 'aws-amplify';
import { signInWithRedirect } from 'aws-amplify/auth';
import { Hub } from 'aws-amplify/utils';
import { readStored } from '#shared/storage.ts';
import {
  type HostedPages,
  type Provider,
  redirectFault,
  redirectKey,
  stateFault,
} from '../model/redirect.ts';
import { configure, poolOf } from './renewal.ts';

/** Names the hosted pages to the identity client, which at once takes in whoever comes back from them. */
function configurePages(config: PublicConfig, { address, scopes, signIn, signOut }: HostedPages): void {
  configure(config);
  const oauth = {
    domain: address.slice('https://'.length),
    scopes: [...scopes],
    redirectSignIn: [signIn],
    redirectSignOut: signOut === undefined ? [] : [signOut],
    responseType: 'code' as const,
  };
  Amplify.configure({ Auth: { Cognito: { ...poolOf(config), loginWith: { oauth } } } });
}

/** Leaves for a provider by the identity client's own way, which knows https alone. Rejects when there is a session already. */
export async function begin(
  config: PublicConfig,
  pages: HostedPages,
  { provider, lang }: { provider: Provider; lang: string },
): Promise<void> {
  configurePages(config, pages);
  await signInWithRedirect({ provider, options: { lang } });
}

/** Takes in whoever comes back: resolves once their tokens are kept. Who did not leave from here is not taken in. */
export async function finish(config: PublicConfig, pages: HostedPages): Promise<void> {
  if (readStored(redirectKey(pages.clientId, 'inflightOAuth')) !== 'true') throw stateFault();
  return new Promise((resolve, reject) => {
    const stop = Hub.listen('auth', ({ payload }) => {
      if (payload.event !== 'signInWithRedirect' && payload.event !== 'signInWithRedirect_failure') return;
      stop();
      if (payload.event === 'signInWithRedirect') resolve();
      else reject(payload.data.error ?? redirectFault('unknown'));
    });
    configurePages(config, pages);
  });
}
