import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MediaLocation } from '@escucho/portal';
import type { S3Location } from '@escucho/portal/s3';
import { type BackupSet, isSetName, MANIFEST_FILE } from './backup-set.ts';

/** Where backup sets are stored: a directory or a bucket, with a folder for each set. */
export interface BackupStore {
  list(): Promise<BackupSet[]>;
  /** Stores a local file in a set, completely or not at all. */
  put(set: string, name: string, path: string): Promise<void>;
  /** Copies a file of a set to a local path. */
  get(set: string, name: string, path: string): Promise<void>;
  remove(set: string): Promise<void>;
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
  };
}
