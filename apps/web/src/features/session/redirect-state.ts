import { readStored, removeStored, storedKeys } from '#shared/storage.ts';
import { identityPrefix, isUnderWay } from './model/stored-tokens.ts';

const identityKeys = () => storedKeys().filter((key) => key.startsWith(`${identityPrefix}.`));

/** Gives up a sign-in by redirect: the identity client would hold every other one back for it. */
export function giveUpRedirect(): void {
  for (const key of identityKeys()) if (isUnderWay(key)) removeStored(key);
}

/** Whether the session was begun at the hosted pages, and is to be ended there as well. */
export const isFromHostedPages = (): boolean =>
  identityKeys().some((key) => key.endsWith('.oauthSignIn') && readStored(key)?.startsWith('true'));
