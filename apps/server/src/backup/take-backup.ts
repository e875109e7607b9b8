import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  backup,
  type Connection,
  createBackupKey,
  DatabaseError,
  encryptTo,
  type Log,
  type ReportProgress,
  restore,
  withBackupLock,
  withScratchDatabase,
} from '@escucho/database';
import { defineJob, handleJob } from '@escucho/jobs';
import { hashFile, type InstallationJobs, type MediaStore } from '@escucho/portal';
import * as z from 'zod/mini';
import type { Instance } from '../instance.ts';
import type { BackupSettings } from '../settings/stores.ts';
import { getProductVersion, migrateAll } from '../storage.ts';
import {
  type BackupStore,
  getSecretFiles,
  MANIFEST_FILE,
  type Manifest,
  MEDIA_FILE,
  openBackupStore,
  selectExpiredSets,
  toSetName,
} from './backup-sets.ts';

/** Receives the name of a step that begins. Returns the function that receives its progress. */
export type StartStep = (step: string) => ReportProgress;

interface BackupDeps {
  readonly connection: Connection;
  readonly instance: Instance;
  readonly mediaStore: MediaStore;
  readonly store: BackupStore;
  /** Public keys of age; without any, the set is not encrypted. */
  readonly recipients: readonly string[];
  readonly keepDays: number;
  /** A directory that is free to write, for a copy of the set. */
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: () => Date;
  readonly startStep?: StartStep;
}

const WORK_PREFIX = 'backup-work-';

/** Removes the directories of killed processes: they may hold the database unencrypted. */
async function removeAbandonedDirectories(dataDir: string): Promise<void> {
  const abandoned = (await readdir(dataDir)).filter((name) => name.startsWith(WORK_PREFIX));
  for (const name of abandoned) await rm(join(dataDir, name), { recursive: true, force: true });
}

/**
 * Runs `work` with a new directory that only this account may read, and removes it.
 *
 * @throws DatabaseError `backup-running` while another process does so for the same database
 */
export const withWorkDirectory = <Result>(
  { connection, dataDir }: { connection: Connection; dataDir: string },
  work: (directory: string) => Promise<Result>,
): Promise<Result> =>
  withBackupLock(connection, async () => {
    await mkdir(dataDir, { recursive: true });
    await removeAbandonedDirectories(dataDir);
    const directory = await mkdtemp(join(dataDir, WORK_PREFIX));
    try {
      return await work(directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

async function writeMediaList(path: string, mediaStore: MediaStore): Promise<void> {
  const keys: string[] = [];
  for await (const key of mediaStore.keys()) keys.push(key);
  await writeFile(path, JSON.stringify(keys.sort()));
}

async function writeSecrets(path: string, instance: Instance, recipients: readonly string[]): Promise<void> {
  const content = async function* () {
    yield Buffer.from(`${JSON.stringify(instance, null, 2)}\n`);
  };
  const output = createWriteStream(path, { mode: 0o600 });
  if (recipients.length > 0) await pipeline(content, await encryptTo(recipients), output);
  else await pipeline(content, output);
}

/**
 * Restores the backup of a database into a scratch database and compares the number of rows.
 *
 * @returns false where the role may not create databases
 * @throws DatabaseError `backup-damaged` and the errors of `restore`
 */
async function verifyDatabase(
  connection: Connection,
  file: string,
  identities: readonly string[],
  rows: number,
  onProgress: ReportProgress | undefined,
): Promise<boolean> {
  const found = await withScratchDatabase(connection, async (scratch) => {
    await migrateAll(scratch);
    return (await restore({ connection: scratch, file, identities, onProgress })).rows;
  });
  if (found === undefined || found === rows) return found !== undefined;
  throw new DatabaseError('backup-damaged', `The backup has ${found} rows instead of ${rows}.`);
}

/**
 * Takes a backup set of the database, the secrets and the list of the media, stores it, reads it back, verifies it, and
 * removes expired sets.
 *
 * @returns its name and manifest, and the names of the removed sets
 * @throws DatabaseError `backup-running` while another process does so, `backup-damaged` where the verification fails
 */
export const takeBackup = (deps: BackupDeps) => withWorkDirectory(deps, (work) => takeBackupIn(work, deps));

async function takeBackupIn(work: string, deps: BackupDeps) {
  const { connection, instance, mediaStore, store, keepDays, log, clock } = deps;
  const createdAt = clock();
  const name = toSetName(createdAt);
  // The secret keys of the recipients are elsewhere: a key that is forgotten afterwards allows the verification.
  const key = deps.recipients.length > 0 ? await createBackupKey() : undefined;
  const recipients = key ? [...deps.recipients, key.recipient] : [];
  const files = getSecretFiles(key !== undefined);
  const { tables, rows } = await backup({
    connection,
    file: join(work, files.database),
    recipients,
    onProgress: deps.startStep?.('Copying the database'),
  });
  await writeSecrets(join(work, files.secrets), instance, recipients);
  await writeMediaList(join(work, MEDIA_FILE), mediaStore);

  const measured: Manifest['files'] = {};
  for (const file of [files.database, files.secrets, MEDIA_FILE]) {
    const path = join(work, file);
    const sha256 = await hashFile(path);
    measured[file] = { size: (await stat(path)).size, sha256 };
    await store.put(name, file, path);
    await rm(path);
    await store.get(name, file, path);
    if ((await hashFile(path)) !== sha256)
      throw new DatabaseError('backup-damaged', `${name}/${file} differs from what was stored.`);
  }
  const verified = await verifyDatabase(
    connection,
    join(work, files.database),
    key ? [key.identity] : [],
    rows,
    deps.startStep?.('Verifying the backup'),
  );
  if (!verified) log.warn({ set: name }, 'backup not verified: the database role may not create databases');

  const manifest: Manifest = {
    format: 1,
    version: getProductVersion(),
    createdAt: createdAt.toISOString(),
    tables,
    rows,
    verified,
    files: measured,
  };
  await writeFile(join(work, MANIFEST_FILE), JSON.stringify(manifest, null, 2));
  await store.put(name, MANIFEST_FILE, join(work, MANIFEST_FILE));
  const expired = selectExpiredSets(await store.list(), clock(), keepDays);
  for (const set of expired) await store.remove(set.name);
  return { name, manifest, removed: expired.map((set) => set.name) };
}

const takeScheduledBackup = defineJob({
  name: 'take_backup',
  payload: z.object({}),
  // Within half a minute: the next backup comes by the schedule.
  maxAttempts: 4,
});

/** Returns the job that takes backups by the schedule; undefined without one. */
export function createBackupJobs(
  settings: BackupSettings | undefined,
  deps: Omit<BackupDeps, 'store' | 'recipients' | 'keepDays'>,
): InstallationJobs | undefined {
  if (settings?.schedule === undefined) return undefined;
  const { location, recipients, keepDays, schedule } = settings;
  const handler = handleJob(takeScheduledBackup, async () => {
    try {
      const store = await openBackupStore(location);
      const { name, manifest, removed } = await takeBackup({
        ...deps,
        store,
        recipients,
        keepDays,
      }).finally(store.close);
      const { tables, rows, verified } = manifest;
      deps.log.info({ set: name, tables, rows, verified, removed: removed.length }, 'backup taken');
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === 'backup-running')) throw error;
      deps.log.info({}, 'backup skipped: another process is taking one');
    }
  });
  return { handlers: [handler], schedule: [{ job: takeScheduledBackup, cron: schedule }] };
}
