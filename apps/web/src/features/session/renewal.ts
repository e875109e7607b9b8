import { loadConfig } from '../../shared/config.ts';

/** The part of the identity client that every signed-in page may need. */
export async function renewal() {
  const [client, config] = await Promise.all([import('./amplify/renewal.ts'), loadConfig()]);
  client.configure(config);
  return client;
}

/** Renews the tokens. Out: false when the provider refuses: the session is over (AUTH-10). Rejects when it cannot be asked. */
export const renewTokens = async (): Promise<boolean> => (await renewal()).renew();

/**
 * Ends the session on every device (AUTH-09). In: whether it was begun at the hosted pages. Out: the address at which
 * it must be ended there, which leads back; null where there is no need, or no way.
 */
export const endSession = async (fromHostedPages: boolean): Promise<string | null> =>
  (await renewal()).signOutEverywhere(fromHostedPages ? await loadConfig() : null);
