import { join } from 'node:path';
import { grantSubscription } from '@escucho/billing';
import { type Connection, openDatabase } from '@escucho/database';
import { seedAccount } from '@escucho/identity';
import { loadLibrary, openMediaStore, seedUser } from '@escucho/portal';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { type Instance, loadInstance } from './instance.ts';
import type { Settings } from './settings.ts';
import { getWorkspaceDirectory, migrateAll, openStorage } from './storage.ts';

/** The accounts of demo mode. */
export const demoAccounts = [
  {
    email: 'demo@escucho.test',
    password: 'Escucho2026',
    firstName: 'Ana',
    lastName: 'Torres',
    subscribed: true,
  },
  {
    email: 'free@escucho.test',
    password: 'Escucho2026',
    firstName: 'Luis',
    lastName: 'Quispe',
    subscribed: false,
  },
] as const;

/** The running product, with notes for its operator. */
export interface Product {
  app: FastifyInstance;
  notes: readonly string[];
  stop: () => Promise<void>;
}

async function seedDemo(
  connection: Connection,
  { userPoolId: poolId, identitySecret: secret }: Instance,
  isBillingExternal: boolean,
): Promise<void> {
  for (const { subscribed, ...account } of demoAccounts) {
    const subject = await seedAccount({ connection, poolId, secret }, account);
    // The embedded billing provider grants the subscription; an external one does not know the demo accounts.
    const subscribedInPortal = subscribed && isBillingExternal;
    const userId = await seedUser({ connection, subject, ...account, subscribed: subscribedInPortal });
    if (subscribed && !isBillingExternal) await grantSubscription({ connection, appUserId: userId });
  }
}

/**
 * Prepares the data directory, the database, its tables, the content and the demo accounts, then listens. On an error,
 * stops what was started.
 */
export async function startProduct(settings: Settings): Promise<Product> {
  const instance = await loadInstance(settings.dataDir);
  const mediaStore = await openMediaStore(settings.mediaLocation);
  const database = await openStorage(settings);
  try {
    const { connection, notes } = database;
    await migrateAll(connection);
    const health = openDatabase<object>({
      connection,
      schema: 'portal',
      maxConnections: 1,
      name: 'escucho health',
    });
    const app = await buildApp({
      settings,
      instance,
      connection,
      mediaStore,
      webDirectory: join(getWorkspaceDirectory('@escucho/web'), 'dist'),
      probes: { database: () => sql`select 1`.execute(health), media: mediaStore.check },
    });
    app.addHook('onClose', () => health.destroy());
    try {
      await loadLibrary({
        connection,
        mediaStore,
        directory: getWorkspaceDirectory('@escucho/content'),
        log: app.log,
      });
      if (settings.demo && !settings.externalIdentity) {
        await seedDemo(connection, instance, settings.externalBilling !== undefined);
      }
      await app.listen({ port: settings.port, host: settings.host });
    } catch (error) {
      // Before the database stops, since the app would log lost connections.
      await app.close();
      throw error;
    }
    const stop = async () => {
      await app.close();
      await database.stop();
    };
    return { app, notes, stop };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
