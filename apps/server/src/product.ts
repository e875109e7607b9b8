import { join } from 'node:path';
import { openDatabase } from '@escucho/database';
import { loadLibrary, openMediaStore } from '@escucho/portal';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { prepareDemoAccounts } from './demo-accounts.ts';
import { loadInstance } from './instance.ts';
import type { Settings } from './settings.ts';
import { getWorkspaceDirectory, migrateAll, openStorage } from './storage.ts';

/** The running product, with notes for its operator. */
export interface Product {
  app: FastifyInstance;
  notes: readonly string[];
  stop: () => Promise<void>;
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
      await prepareDemoAccounts(connection, instance, settings);
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
