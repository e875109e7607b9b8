import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, DatabaseError, openBackup, restore } from '@escucho/database';
import { hashFile, type MediaStore } from '@escucho/portal';
import { getSecretsPath, type Instance, parseSecrets, writeInstance } from '../instance.ts';
import { getProductVersion, migrateAll } from '../storage.ts';
import {
  type BackupStore,
  findNewestSet,
  getSecretFiles,
  MANIFEST_FILE,
  MEDIA_FILE,
  manifestSchema,
  mediaListSchema,
} from './backup-sets.ts';
import { type StartStep, withWorkDirectory } from './take-backup.ts';

interface RestoreDeps {
  readonly store: BackupStore;
  /** The name of a set; the newest complete one if unset. */
  readonly name: string | undefined;
  /** Secret keys of age. */
  readonly identities: readonly string[];
  readonly connection: Connection;
  readonly mediaStore: MediaStore;
  readonly dataDir: string;
  /** The secrets of the environment, which must be those of the set. */
  readonly secrets: Instance | undefined;
  /** Whether to replace existing rows and secrets. */
  readonly replace: boolean;
  readonly startStep?: StartStep;
}

/**
 * Restores a backup set: the database, the secrets of the data directory, and a check of the media.
 *
 * @returns its name and manifest, and how many media are missing
 * @throws DatabaseError `backup-missing`, `backup-damaged`, `backup-key`, `backup-mismatch`, `backup-not-empty`,
 * `backup-running`
 */
export const restoreBackup = (deps: RestoreDeps) =>
  withWorkDirectory(deps, (work) => restoreBackupFrom(work, deps));

async function restoreBackupFrom(work: string, deps: RestoreDeps) {
  const { store, identities, connection, mediaStore, replace } = deps;
  const sets = (await store.list()).filter((set) => deps.name === undefined || set.name === deps.name);
  const name = findNewestSet(sets, new Date())?.name;
  if (name === undefined)
    throw new DatabaseError(
      'backup-missing',
      `There is no complete backup set ${deps.name ?? 'in the store'}.`,
    );
  deps.startStep?.(`Reading ${name}`);
  const manifest = await fetchSet(store, name, work);
  const files = getSecretFiles(`${getSecretFiles(true).database}` in manifest.files);
  const secrets = parseSecrets(await text(await openBackup(join(work, files.secrets), identities)));
  if (!secrets) throw new DatabaseError('backup-damaged', `${name}/${files.secrets} is incomplete.`);
  const saveSecrets = await prepareSecrets(secrets, deps);
  await migrateAll(connection);
  try {
    const onProgress = deps.startStep?.('Restoring the database');
    await restore({ connection, file: join(work, files.database), identities, replace, onProgress });
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'backup-mismatch') throw error;
    const versions = `The set was made by version ${manifest.version}; this is ${getProductVersion()}.`;
    throw new DatabaseError('backup-mismatch', `${error.message} ${versions}`, { cause: error });
  }
  await saveSecrets();
  const media = mediaListSchema.parse(JSON.parse(await readFile(join(work, MEDIA_FILE), 'utf8')));
  return { name, manifest, missingMedia: await countMissing(media, mediaStore) };
}

/** Copies a set to a directory, verifies its checksums, and returns its manifest. */
async function fetchSet(store: BackupStore, name: string, work: string) {
  await store.get(name, MANIFEST_FILE, join(work, MANIFEST_FILE));
  const content: unknown = JSON.parse(await readFile(join(work, MANIFEST_FILE), 'utf8'));
  const { data: manifest } = manifestSchema.safeParse(content);
  if (!manifest) throw new DatabaseError('backup-damaged', `${name}/${MANIFEST_FILE} is not usable.`);
  for (const [file, { sha256 }] of Object.entries(manifest.files)) {
    await store.get(name, file, join(work, file));
    if ((await hashFile(join(work, file))) !== sha256)
      throw new DatabaseError(
        'backup-damaged',
        `${name}/${file} does not have the checksum of the manifest.`,
      );
  }
  return manifest;
}

/**
 * Compares the secrets of a set with those of the installation.
 *
 * @returns the function that writes them to the data directory, if they are not there
 * @throws DatabaseError `backup-not-empty` where others are there
 */
async function prepareSecrets(
  found: Instance,
  { secrets, dataDir, replace }: RestoreDeps,
): Promise<() => Promise<void>> {
  const path = getSecretsPath(dataDir);
  const stored = await readFile(path, 'utf8').catch(() => undefined);
  const current = secrets ?? (stored === undefined ? undefined : parseSecrets(stored));
  if (current && isDeepStrictEqual(current, found)) return async () => {};
  if (secrets || (stored !== undefined && !replace)) {
    throw new DatabaseError(
      'backup-not-empty',
      secrets
        ? 'SECRETS are not those of the backup: nobody could sign in. Unset SECRETS to restore them into the data directory.'
        : `${path} has other secrets than the backup: restore into a new data directory, or replace them by --replace.`,
    );
  }
  return async () => {
    await mkdir(dataDir, { recursive: true });
    if (stored !== undefined) await copyFile(path, `${path}.before-restore`);
    await writeInstance(path, found, { replace: true });
  };
}

async function countMissing(media: readonly string[], mediaStore: MediaStore): Promise<number> {
  const present = new Set<string>();
  for await (const key of mediaStore.keys()) present.add(key);
  return media.filter((key) => !present.has(key)).length;
}
