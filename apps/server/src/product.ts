import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, getErrorCode, openDatabase } from '@escucho/database';
import { loadLibrary, type MediaStore, openMediaStore } from '@escucho/portal';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { buildApp, type Probes } from './app.ts';
import { prepareDemoAccounts } from './demo-accounts.ts';
import { findIdentitySecrets, type Instance, openInstance, openMatchingInstance } from './instance.ts';
import { usesDatabase } from './settings/processes.ts';
import { EnvError } from './settings/variables.ts';
import type { Settings } from './settings.ts';
import { getWorkspaceDirectory, migrateAll, openStorage } from './storage.ts';

/** The running product, with notes for its operator. */
export interface Product {
  app: FastifyInstance;
  notes: readonly string[];
  stop: () => Promise<void>;
}

/** What the services of a process store their data in. */
interface Stores {
  connection: Connection;
  mediaStore: MediaStore;
}

const webDirectory = join(getWorkspaceDirectory('@escucho/web'), 'dist');

/**
 * Connections that wait to be accepted; Node.js allows 511. When everybody connects at once, after an outage, a reverse
 * proxy would get none for its health check and take the process for dead. `net.core.somaxconn` limits it further.
 */
const MAX_PENDING_CONNECTIONS = 4096;

/** Builds the app, whose readiness also depends on the database and the media, as far as it uses them. */
async function buildWithProbes(
  settings: Settings,
  instance: Instance,
  stores: Stores | undefined,
  probes: Probes,
): Promise<FastifyInstance> {
  const health =
    stores &&
    openDatabase<object>({
      connection: stores.connection,
      schema: 'portal',
      maxConnections: 1,
      name: 'escucho health',
    });
  const app = await buildApp({
    settings,
    instance,
    connection: stores?.connection,
    mediaStore: stores?.mediaStore,
    webDirectory,
    probes: {
      ...probes,
      ...(health && { database: () => sql`select 1`.execute(health) }),
      ...(stores && settings.roles.includes('portal') && { media: stores.mediaStore.check }),
    },
  });
  app.addHook('onClose', async () => health?.destroy());
  return app;
}

/** @throws EnvError where the name to listen on has no address; the error would be taken for one of the database */
async function listen(app: FastifyInstance, { port, host }: Settings): Promise<void> {
  await app.listen({ port, host, backlog: MAX_PENDING_CONNECTIONS }).catch((error: unknown) => {
    throw getErrorCode(error) === 'ENOTFOUND' ? new EnvError([`HOST: ${host} has no address`]) : error;
  });
}

/**
 * Prepares the data directory, the database, its tables, the content and the demo accounts, as far as the roles of this
 * process need them, then listens. On an error, stops what was started.
 *
 * @param options.contentDirectory - replaces the articles that come with the product
 */
export async function startProduct(
  settings: Settings,
  { contentDirectory: directory = getWorkspaceDirectory('@escucho/content') } = {},
): Promise<Product> {
  // Before the database is started and migrated: this reports a directory that cannot be used, and a damaged file.
  if (!settings.secrets) await mkdir(settings.dataDir, { recursive: true });
  await findIdentitySecrets(settings);
  const needsDatabase = usesDatabase(settings.roles);
  const mediaStore = needsDatabase ? await openMediaStore(settings.mediaLocation) : undefined;
  const database = needsDatabase ? await openStorage(settings) : undefined;
  try {
    const stores = mediaStore && database && { connection: database.connection, mediaStore };
    if (stores) await migrateAll(stores.connection);
    const instance = stores
      ? await openMatchingInstance(settings, stores.connection)
      : await openInstance(settings);
    let isStopping = false;
    const probes: Probes = {
      process: async () => {
        if (isStopping) throw new Error('The process is stopping.');
      },
    };
    const app = await buildWithProbes(settings, instance, stores, probes);
    try {
      if (stores && settings.roles.includes('portal'))
        await Promise.all([
          loadLibrary({ ...stores, directory, log: app.log }),
          prepareDemoAccounts(stores.connection, instance, settings),
        ]);
      await listen(app, settings);
    } catch (error) {
      // Before the database stops, since the app would log lost connections.
      await app.close();
      throw error;
    }
    const stop = async () => {
      isStopping = true;
      await wait(settings.shutdownDelaySeconds * 1000);
      await app.close();
      await database?.stop();
    };
    return { app, notes: database?.notes ?? [], stop };
  } catch (error) {
    await database?.stop();
    throw error;
  }
}
