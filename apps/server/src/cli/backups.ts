import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openMediaStore } from '@escucho/portal';
import { type BackupStore, openBackupStore } from '../backup/backup-store.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { openInstance } from '../instance.ts';
import { readMediaLocation } from '../settings/media.ts';
import { type CommandContext, type Commands, commandLog as log } from './command.ts';

/** Returns the secret keys of a file as age-keygen writes it, with comments. */
export async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const lines = (await readFile(resolve(file), 'utf8')).split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
}

const restoreOptions = {
  set: { type: 'string' },
  identity: { type: 'string' },
  replace: { type: 'boolean' },
} as const;

/** Opens the store of an argument or, without one, of BACKUP_TO. */
async function openStore({ env, settings }: CommandContext, location?: string): Promise<BackupStore> {
  if (location !== undefined) return openBackupStore(readMediaLocation(location, env));
  if (!settings.backup) throw new Error('Where? Set BACKUP_TO to file:PATH or s3://BUCKET/PREFIX.');
  return openBackupStore(settings.backup.location);
}

/** The commands of `db` for backup sets: database, secrets and the list of the media. */
export const backupCommands: Commands = {
  async 'take-backup'(context) {
    const { settings, storage } = context;
    const { name, manifest, removed } = await takeBackup({
      connection: storage.connection,
      instance: await openInstance(settings),
      mediaStore: await openMediaStore(settings.mediaLocation),
      store: await openStore(context),
      recipients: settings.backup?.recipients ?? [],
      keepDays: settings.backup?.keepDays ?? Number.POSITIVE_INFINITY,
      dataDir: settings.dataDir,
      log,
      clock: () => new Date(),
    });
    const { tables, rows, verified } = manifest;
    const state = verified ? 'verified' : 'not verified';
    return `Took ${name}: ${tables} tables, ${rows} rows, ${state}. Removed ${removed.length} expired sets.`;
  },

  async 'list-backups'(context) {
    const [location] = context.args;
    const sets = await (await openStore(context, location)).list();
    const lines = sets
      .toSorted((one, other) => (one.name < other.name ? 1 : -1))
      .map(({ name, isComplete }) => (isComplete ? name : `${name}  incomplete`));
    return lines.join('\n') || 'There are no backup sets.';
  },

  async 'restore-backup'(context) {
    const { args, settings, storage } = context;
    const { values, positionals } = parseArgs({ args, options: restoreOptions, allowPositionals: true });
    const { name, manifest, missingMedia } = await restoreBackup({
      store: await openStore(context, positionals[0]),
      name: values.set,
      identities: await readIdentities(values.identity),
      connection: storage.connection,
      mediaStore: await openMediaStore(settings.mediaLocation),
      dataDir: settings.dataDir,
      secrets: settings.secrets,
      replace: values.replace === true,
    });
    const media =
      missingMedia === 0
        ? 'All media are there.'
        : `${missingMedia} files of the media are missing: copy them with npm run content -- move-media.`;
    return `Restored ${name}: ${manifest.tables} tables, ${manifest.rows} rows, and the secrets. ${media}`;
  },
};
