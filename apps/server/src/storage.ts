import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  assertSameDirectDatabase,
  type Connection,
  connectionFromUrl,
  findRunningEmbedded,
  migrateSchemas,
  startEmbedded,
} from '@escucho/database';
import { createJobQueue, migrateJobQueue } from '@escucho/jobs';
import * as z from 'zod/mini';
import type { Settings } from './settings.ts';

/** The database connection, with notes for the operator. */
export interface Storage {
  connection: Connection;
  notes: readonly string[];
  stop: () => Promise<void>;
}

type StorageSettings = Pick<Settings, 'databaseUrl' | 'directDatabaseUrl' | 'readDatabaseUrl' | 'dataDir'>;

const stopNothing = async () => {};
const getEmbeddedDirectory = ({ dataDir }: StorageSettings) => join(dataDir, 'postgres');

/**
 * Opens the database of DATABASE_URL, or starts the embedded one in the data directory.
 *
 * @throws DatabaseError `direct-differs` where DATABASE_DIRECT_URL leads to another database
 */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const { databaseUrl, directDatabaseUrl, readDatabaseUrl } = settings;
  if (databaseUrl !== undefined) {
    const direct = directDatabaseUrl && connectionFromUrl(directDatabaseUrl, 'DATABASE_DIRECT_URL');
    const replica = readDatabaseUrl && connectionFromUrl(readDatabaseUrl, 'DATABASE_READ_URL');
    const connection = {
      ...connectionFromUrl(databaseUrl),
      ...(direct && { direct }),
      ...(replica && { replica }),
    };
    await assertSameDirectDatabase(connection);
    return { connection, notes: [], stop: stopNothing };
  }
  const { connection, note, stop } = await startEmbedded({ dataDir: getEmbeddedDirectory(settings) });
  return { connection, notes: note === undefined ? [] : [note], stop };
}

/** Returns whether the embedded database is used, and the data directory does not have it yet. */
export const lacksDatabase = (settings: StorageSettings): boolean =>
  settings.databaseUrl === undefined && !existsSync(getEmbeddedDirectory(settings));

/** Opens the database for a command that may run next to the product. */
export async function connectStorage(settings: StorageSettings): Promise<Storage> {
  const running =
    settings.databaseUrl === undefined
      ? await findRunningEmbedded(getEmbeddedDirectory(settings))
      : undefined;
  return running ? { connection: running, notes: [], stop: stopNothing } : openStorage(settings);
}

/** The services with tables and a job queue in the database; each has a schema of its name. */
export const serviceNames = ['identity', 'billing', 'portal'];

/**
 * Brings the audit log and the tables of every service up to date, all or none of them, then the job queues.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrateAll(connection: Connection): Promise<string[]> {
  const schemas = ['audit', ...serviceNames].map((schema) => ({
    schema,
    directory: join(getWorkspaceDirectory(`@escucho/${schema}`), 'migrations'),
  }));
  const applied = await migrateSchemas({ connection, schemas });
  await Promise.all(serviceNames.map((service) => migrateJobQueue(connection, createJobQueue(service))));
  return applied;
}

/** Returns the directory of a workspace, from bundles and from sources. */
export const getWorkspaceDirectory = (workspace: string): string =>
  dirname(createRequire(import.meta.url).resolve(`${workspace}/package.json`));

/** Returns the version of the product, e.g. `0.1.0`. */
export function getProductVersion(): string {
  const text = readFileSync(join(getWorkspaceDirectory('@escucho/server'), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
