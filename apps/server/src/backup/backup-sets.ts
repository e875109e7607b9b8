import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MediaLocation } from '@escucho/portal';
import type { S3Location } from '@escucho/portal/s3';
import * as z from 'zod/mini';

const DAY_MS = 86_400_000;

/** The description of a backup set. It is written last: a set without it is incomplete. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** The version of Escucho that took it; the same version restores it. */
  version: z.string(),
  createdAt: z.string(),
  tables: z.number(),
  rows: z.number(),
  /** Whether it was restored into a scratch database and compared. */
  verified: z.boolean(),
  /** The other files by name, which is no path, with their size in bytes and SHA-256 in hex. */
  files: z.record(
    z.string().check(z.regex(/^\w[\w.]*$/)),
    z.object({ size: z.number(), sha256: z.string() }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The media at the time of a backup: keys, which are checksums of their content. */
export const mediaListSchema = z.array(z.string());

export const MANIFEST_FILE = 'manifest.json';
export const MEDIA_FILE = 'media.json';

/** Returns the names of the files that are encrypted where there is a recipient. */
export const getSecretFiles = (isEncrypted: boolean) => {
  const suffix = isEncrypted ? '.age' : '';
  return { database: `database.gz${suffix}`, secrets: `secrets.json${suffix}` };
};

/** A set in a store, by its name, which is the time it was begun. */
interface BackupSet {
  readonly name: string;
  readonly isComplete: boolean;
}

/** Returns the name of a set, e.g. `2026-11-23T03-06-40Z`: a time whose characters every file system accepts. */
export const toSetName = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Returns whether a text is the name of a backup set: its time, such as `2026-11-23T03-15-00Z`. */
const isSetName = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(text);

/** Returns the time at which a set was begun, in milliseconds. */
export const toSetTime = (name: string): number =>
  Date.parse(
    name.replace(
      /T(\d\d)-(\d\d)-(\d\d)Z$/,
      (_, hours, minutes, seconds) => `T${hours}:${minutes}:${seconds}Z`,
    ),
  );

/** Returns the newest complete set: one of the future, whose clock was wrong, only where all are. */
export function findNewestSet(sets: readonly BackupSet[], now: Date): BackupSet | undefined {
  const complete = sets
    .filter(({ isComplete }) => isComplete)
    .toSorted((one, other) => (one.name < other.name ? 1 : -1));
  return complete.find(({ name }) => toSetTime(name) <= now.getTime()) ?? complete[0];
}

/**
 * Returns the sets to remove: complete ones older than `keepDays`, except the newest, and incomplete ones older than a
 * day, which no process is still writing.
 */
export function selectExpiredSets(sets: readonly BackupSet[], now: Date, keepDays: number): BackupSet[] {
  const newest = findNewestSet(sets, now);
  return sets.filter((set) => {
    const days = set.isComplete ? keepDays : 1;
    return set !== newest && toSetTime(set.name) < now.getTime() - days * DAY_MS;
  });
}

/** Where backup sets are stored: a directory or a bucket, with a folder for each set. */
export interface BackupStore {
  list(): Promise<BackupSet[]>;
  /** Stores a local file in a set, completely or not at all. */
  put(set: string, name: string, path: string): Promise<void>;
  /** Copies a file of a set to a local path. */
  get(set: string, name: string, path: string): Promise<void>;
  remove(set: string): Promise<void>;
  /** Closes the connections of the store. */
  close(): void;
}

/** Opens a store of backup sets. Loads the AWS SDK only for a bucket. */
export const openBackupStore = async (location: MediaLocation): Promise<BackupStore> =>
  'directory' in location ? openDirectory(location.directory) : openBucket(location);

/** Groups the names of files, `SET/NAME`, by set. */
function toSets(paths: readonly string[]): BackupSet[] {
  const names = new Set(paths.map((path) => path.split('/')[0] ?? ''));
  return [...names]
    .filter(isSetName)
    .map((name) => ({ name, isComplete: paths.includes(`${name}/${MANIFEST_FILE}`) }));
}

async function openDirectory(directory: string): Promise<BackupStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    async list() {
      const sets = (await readdir(directory)).filter(isSetName);
      const files = await Promise.all(
        sets.map(async (set) => (await readdir(join(directory, set))).map((name) => `${set}/${name}`)),
      );
      return toSets([...sets, ...files.flat()]);
    },

    async put(set, name, path) {
      const target = join(directory, set, name);
      await mkdir(join(directory, set), { recursive: true, mode: 0o700 });
      await copyFile(path, `${target}.partial`);
      const copy = await open(`${target}.partial`);
      await copy.sync();
      await copy.close();
      await rename(`${target}.partial`, target);
    },

    get: (set, name, path) => copyFile(join(directory, set, name), path),
    remove: (set) => rm(join(directory, set), { recursive: true, force: true }),
    close() {},
  };
}

async function openBucket(location: S3Location): Promise<BackupStore> {
  const { createS3Client } = await import('@escucho/portal/s3');
  const { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  const client = createS3Client(location);
  const { bucket: Bucket, prefix } = location;
  const folder = prefix === '' ? '' : `${prefix}/`;

  async function listFiles(within = ''): Promise<string[]> {
    const paths: string[] = [];
    const request = { Bucket, Prefix: folder + within };
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, request))
      paths.push(...Contents.map(({ Key = '' }) => Key.slice(folder.length)));
    return paths;
  }

  return {
    list: async () => toSets(await listFiles()),

    async put(set, name, path) {
      const Key = `${folder}${set}/${name}`;
      await new Upload({ client, params: { Bucket, Key, Body: createReadStream(path) } }).done();
    },

    async get(set, name, path) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: `${folder}${set}/${name}` }));
      if (!(Body instanceof Readable)) throw new Error(`The bucket returned no content for ${set}/${name}`);
      await pipeline(Body, createWriteStream(path, { mode: 0o600 }));
    },

    async remove(set) {
      const paths = await listFiles(`${set}/`);
      // The manifest first: what remains of an interrupted removal is an incomplete set.
      const sorted = paths.toSorted((path) => (path.endsWith(`/${MANIFEST_FILE}`) ? -1 : 1));
      for (const path of sorted) await client.send(new DeleteObjectCommand({ Bucket, Key: folder + path }));
    },

    close: () => client.destroy(),
  };
}
