import { loadConfig } from '#shared/config.ts';

/** The part of the identity client that every signed-in page may need. */
export async function renewal() {
  const [client, config] = await Promise.all([import('./amplify/renewal.ts'), loadConfig()]);
  client.configure(config);
  return client;
}

/** Renews the tokens. Out: false when the provider refuses: the session is over (AUTH-10). Rejects when it cannot be asked. */
export const renewTokens = async (): Promise<boolean> => (await renewal()).renew();

/** Ends the session on every device (AUTH-09). Out: where it must be ended as well, an address that leads back; else null. */
export const endSession = async (): Promise<string | null> =>
  (await renewal()).signOutEverywhere(await loadConfig());
