import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { assertMigrated, backup, createBackupKey, openDatabase, restore } from '@escucho/database';
import { createJobQueue, type DeadJob } from '@escucho/jobs';
import { openMediaStore } from '@escucho/portal';
import type { Kysely } from 'kysely';
import { type BackupStore, openBackupStore } from '../backup/backup-sets.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { createInstance, openMatchingInstance } from '../instance.ts';
import { migrateAll, serviceNames } from '../storage.ts';
import {
  assertNoArguments,
  type CommandContext,
  type CommandLine,
  type Commands,
  getArgument,
  isEntryPoint,
  commandLog as log,
  readSourceLocation,
  resolvePath,
  runCommand,
} from './command.ts';
import { moveCommands } from './move.ts';
import { createStepProgress } from './progress.ts';

/**
 * Checks the path of a file.
 *
 * @param required - what must exist: the file, or the directory of a new one
 * @throws Error where it is a directory, or the required path does not exist
 */
function assertFile(path: string, required = path): void {
  if (!existsSync(required)) throw new Error(`${required} does not exist.`);
  if (existsSync(path) && statSync(path).isDirectory())
    throw new Error(`${path} is a directory. Name a file.`);
}

/**
 * Returns the secret keys of a file as age-keygen writes it, with comments.
 *
 * @throws Error for a file without a key, such as that of the public key
 */
async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const path = resolvePath(file);
  assertFile(path);
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0)
    throw new Error(`${path} has no secret key of age, a line that starts with AGE-SECRET-KEY-.`);
  return identities;
}

const text = { type: 'string' } as const;
const restoreOptions = { identity: text, replace: { type: 'boolean' } } as const;

/** Opens the store of an argument or, without one, of BACKUP_TO. */
async function openStore({ env, settings }: CommandContext, location?: string): Promise<BackupStore> {
  if (location !== undefined) return openBackupStore(readSourceLocation('STORE', location, env));
  if (!settings.backup) throw new Error('Where? Set BACKUP_TO to file:PATH or s3://BUCKET/PREFIX.');
  return openBackupStore(settings.backup.location);
}

const backupCommands: Commands = {
  async 'take-backup'(context) {
    const { args, settings, storage } = context;
    assertNoArguments(args);
    // No secrets are created for a database without tables.
    await assertMigrated(storage.connection);
    const steps = createStepProgress();
    const { name, manifest, removed } = await takeBackup({
      connection: storage.connection,
      instance: await openMatchingInstance(settings, storage.connection),
      mediaStore: await openMediaStore(settings.mediaLocation),
      store: await openStore(context),
      recipients: settings.backup?.recipients ?? [],
      keepDays: settings.backup?.keepDays ?? Number.POSITIVE_INFINITY,
      dataDir: settings.dataDir,
      log,
      clock: () => new Date(),
      startStep: steps.start,
    }).finally(steps.clear);
    const { tables, rows, verified } = manifest;
    const state = verified ? 'verified' : 'not verified';
    return `Took ${name}: ${tables} tables, ${rows} rows, ${state}. Removed ${removed.length} expired sets.`;
  },

  async 'list-backups'(context) {
    const sets = await (await openStore(context, getArgument(context.args))).list();
    const lines = sets
      .toSorted((one, other) => (one.name < other.name ? 1 : -1))
      .map(({ name, isComplete }) => (isComplete ? name : `${name}  incomplete`));
    return lines.join('\n') || 'There are no backup sets.';
  },

  async 'restore-backup'(context) {
    const { args, settings, storage } = context;
    const options = { ...restoreOptions, set: text };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const steps = createStepProgress();
    const { name, manifest, missingMedia } = await restoreBackup({
      store: await openStore(context, getArgument(positionals)),
      name: values.set,
      identities: await readIdentities(values.identity),
      connection: storage.connection,
      mediaStore: await openMediaStore(settings.mediaLocation),
      dataDir: settings.dataDir,
      secrets: settings.secrets,
      replace: values.replace === true,
      startStep: steps.start,
    }).finally(steps.clear);
    const media =
      missingMedia === 0
        ? 'All media are there.'
        : `${missingMedia} files of the media are missing: copy them with npm run content -- move-media.`;
    return `Restored ${name}: ${manifest.tables} tables, ${manifest.rows} rows, and the secrets. ${media}`;
  },
};

/** Formats a dead job as one line; errors may have several lines and control characters. */
function formatDeadJob(service: string, { id, name, attempts, lastError, failedAt }: DeadJob): string {
  const [reason = ''] = (lastError ?? 'no error').trim().split('\n', 1);
  const time = `${failedAt.toISOString().slice(0, 16)}Z`;
  return [service, id, name, `${attempts} attempts`, time, reason.replace(/[\s\p{Cc}]+/gu, ' ')].join('  ');
}

async function listDeadJobs(db: Kysely<object>): Promise<string> {
  const lines: string[] = [];
  for (const service of serviceNames) {
    const jobs = await createJobQueue(service).findDeadJobs(db);
    lines.push(...jobs.map((job) => formatDeadJob(service, job)));
  }
  return lines.join('\n') || 'There are no dead jobs.';
}

async function retryDeadJobs(db: Kysely<object>, services: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const service of services) {
    const queue = createJobQueue(service);
    const ids = (await queue.findDeadJobs(db)).map(({ id }) => id);
    if (ids.length === 0) continue;
    await queue.retryDeadJobs(db, ids);
    lines.push(`${service}: ${ids.length} ${ids.length === 1 ? 'job' : 'jobs'} will run again.`);
  }
  return lines.join('\n') || 'There are no dead jobs.';
}

/** `db jobs`: lists the jobs that failed on every attempt, at most 1000 of each service, or makes them due again. */
export async function jobsCommand({
  args: [action, service, ...rest],
  storage: { connection },
}: CommandContext): Promise<string> {
  if ((action !== undefined && action !== 'retry') || rest.length > 0)
    throw new Error('Usage: npm run db -- jobs [retry [SERVICE]]');
  if (service !== undefined && !serviceNames.includes(service)) {
    throw new Error(`There is no service ${service}. The services are ${serviceNames.join(', ')}.`);
  }
  await migrateAll(connection);
  await using db = openDatabase<object>({ connection, schema: 'portal', maxConnections: 1, name: 'db jobs' });
  return await (action === undefined
    ? listDeadJobs(db)
    : retryDeadJobs(db, service === undefined ? serviceNames : [service]));
}

const help = `npm run db -- COMMAND

  migrate                  apply pending migrations
  backup FILE              write all data of the database to a gzip file; an existing one is replaced
    --recipient KEY        encrypt it for this public key of age (age1…); may be repeated
  restore FILE             restore a backup into an empty database
    --replace              delete existing data first
    --identity FILE        the file of the secret key of an encrypted backup
  take-backup              back up the database, the secrets and the list of media to BACKUP_TO, and verify it
  list-backups [STORE]     list the backup sets of BACKUP_TO or another store (file:PATH, s3://BUCKET/PREFIX)
  restore-backup [STORE]   restore the newest backup set, or another one by --set NAME, onto an empty machine
    --replace, --identity FILE
                           as for restore; --replace also replaces the secrets in the data directory
  move                     move everything to the database of NEW_DATABASE_URL (an address, or "embedded"), and the media to
                           NEW_MEDIA_STORE if that is set, while the product runs; it is read-only at the end
    --replace              delete existing data of the new database first
  make-writable            end the read-only state of the database after a move
  create-key FILE          write a new secret key of age to a file, and print its public key
  create-secrets FILE      write new secrets of an installation to a file, for SECRETS_FILE
  jobs                     list dead jobs of all services: jobs that failed on every attempt
  jobs retry [SERVICE]     run dead jobs again, of one service or of all

Passwords are encrypted with the secrets in the data directory: store secrets.json with every backup FILE.`;

/** Returns the absolute path of a command's file, which exists, or whose directory does where the command writes it. */
function getFile(command: string, args: string[], { isWritten = true } = {}): string {
  const file = getArgument(args);
  if (file === undefined) throw new Error(`Which file? npm run db -- ${command} FILE`);
  const path = resolvePath(file);
  assertFile(path, isWritten ? dirname(path) : path);
  return path;
}

/** `npm run db`. */
export const databaseCommandLine: CommandLine = {
  name: 'db',
  help,
  commands: {
    ...backupCommands,
    ...moveCommands,
    jobs: jobsCommand,
    async migrate({ args, storage }) {
      assertNoArguments(args);
      const applied = await migrateAll(storage.connection);
      return applied.length === 0 ? 'The tables are up to date.' : `Applied ${applied.join(', ')}.`;
    },
    async backup({ args, storage: { connection } }) {
      const options = { recipient: { type: 'string', multiple: true } } as const;
      const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
      const { recipient: recipients = [] } = values;
      const file = getFile('backup', positionals);
      const steps = createStepProgress();
      const onProgress = steps.start('Copying the database');
      const { tables } = await backup({ connection, file, recipients, onProgress }).finally(steps.clear);
      return `Wrote ${tables} tables to ${file}${recipients.length > 0 ? ', encrypted' : ''}.`;
    },
    async restore({ args, storage: { connection } }) {
      const { values, positionals } = parseArgs({ args, options: restoreOptions, allowPositionals: true });
      const file = getFile('restore', positionals, { isWritten: false });
      const identities = await readIdentities(values.identity);
      await migrateAll(connection);
      const steps = createStepProgress();
      const { tables } = await restore({
        connection,
        file,
        identities,
        replace: values.replace === true,
        onProgress: steps.start('Restoring the database'),
      }).finally(steps.clear);
      return `Filled ${tables} tables from ${file}.`;
    },
  },
  standaloneCommands: {
    async 'create-secrets'(args) {
      const file = getFile('create-secrets', args);
      await writeFile(file, `${JSON.stringify(createInstance(), null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      return `The secrets are in ${file}: nobody can sign in without them.`;
    },
    async 'create-key'(args) {
      const file = getFile('create-key', args);
      const { identity, recipient } = await createBackupKey();
      await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' });
      return `${recipient}\nThe secret key is in ${file}: store it elsewhere than the backups.`;
    },
  },
};

if (isEntryPoint(import.meta.filename)) await runCommand(databaseCommandLine);
