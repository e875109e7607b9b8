import type { Connection } from '@escucho/database';
import { assertSecretsMatch } from '@escucho/identity';
import { findIdentitySecrets, type Instance, openInstance } from './instance.ts';
import type { Settings } from './settings.ts';

/**
 * Opens the secrets of the installation. Those that are missing are created once it is certain that the database was not
 * made with others.
 *
 * @param connection - of a migrated database
 * @throws DatabaseError `secrets-differ` for others than those of the database: nobody could sign in
 */
export async function openMatchingInstance(settings: Settings, connection: Connection): Promise<Instance> {
  // An external identity provider leaves nothing in the database to compare with.
  if (!settings.externalIdentity)
    await assertSecretsMatch(connection, async () => {
      const found = await findIdentitySecrets(settings);
      return found && { poolId: found.userPoolId, secret: found.identitySecret };
    });
  return openInstance(settings);
}
