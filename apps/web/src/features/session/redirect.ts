import { loadConfig } from '#shared/config.ts';
import { readStored, removeStored, writeStored } from '#shared/storage.ts';
import {
  type HostedPages,
  hostedPagesOf,
  type Provider,
  type Return,
  redirectFault,
  refusal,
} from './model/redirect.ts';
import { giveUpRedirect } from './redirect-state.ts';
import { enter } from './runner.ts';

/** Where the reader wanted to go before leaving for a provider. */
const returnKey = 'sign-in-return-to';

const isSecure = ({ address }: HostedPages) => address.startsWith('https:');
const ours = () => import('./amplify/own-redirect.ts');
const theirs = () => import('./amplify/redirect.ts');

async function hostedPages() {
  const config = await loadConfig();
  const pages = hostedPagesOf(config, location.origin);
  if (!pages) throw redirectFault('There are no hosted pages.');
  return { config, pages };
}

const isAlreadyIn = (error: unknown) =>
  error instanceof Error && error.name === 'UserAlreadyAuthenticatedException';

/**
 * Leaves for Google or Facebook (AUTH-08); where there is a session already, that one goes on. In: the provider, the
 * language of its pages, where the reader wants to go in the end. Rejects with the provider's error.
 */
export async function leaveFor(
  provider: Provider,
  lang: string,
  returnTo: string | undefined,
): Promise<void> {
  const { config, pages } = await hostedPages();
  giveUpRedirect();
  if (returnTo) writeStored(returnKey, returnTo);
  else removeStored(returnKey);
  if (!isSecure(pages)) {
    const { begin } = await ours();
    return begin(pages, { provider, lang }, (address) => location.assign(address));
  }
  const { begin } = await theirs();
  await begin(config, pages, { provider, lang }).catch((error: unknown) => {
    if (!isAlreadyIn(error)) throw error;
    return enter();
  });
}

/** Where the reader wanted to go before leaving, told once. */
export function takeReturnTo(): string | undefined {
  const returnTo = readStored(returnKey) ?? undefined;
  removeStored(returnKey);
  return returnTo;
}

/** Takes in whoever comes back from a provider. Resolves once their tokens are kept; rejects with what went wrong. */
export async function comeBack(returned: Return): Promise<void> {
  try {
    if ('refused' in returned) throw refusal(returned.refused);
    const { config, pages } = await hostedPages();
    if (isSecure(pages)) await (await theirs()).finish(config, pages);
    else await (await ours()).finish(config, pages, returned);
  } finally {
    giveUpRedirect();
  }
}
