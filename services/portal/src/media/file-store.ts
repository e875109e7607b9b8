import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isKey, MediaNotFoundError, type MediaStore, readChunks } from './media-store.ts';
import type { S3Location } from './s3-store.ts';

/** Where media are stored: a directory, or an S3 bucket. */
export type MediaLocation = { directory: string } | S3Location;

/** Opens a media store. Loads the AWS SDK only for a bucket. */
export async function openMediaStore(location: MediaLocation): Promise<MediaStore> {
  if ('directory' in location) return openFileStore(location.directory);
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(location);
}

/** Where files are written until they are complete. It is no folder of keys. */
const INCOMPLETE_FOLDER = 'incomplete';
const ABANDONED_MS = 24 * 3_600_000;

/** Removes the incomplete files of killed processes, which nobody has written to for a day. */
async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    // One that cannot be removed is no reason not to start.
    if (stats && stats.mtimeMs <= Date.now() - ABANDONED_MS) await rm(path, { force: true }).catch(() => {});
  }
}

/** Opens a store in a directory, which is created if missing. Never reads or writes outside it. */
async function openFileStore(directory: string): Promise<MediaStore> {
  await mkdir(directory, { recursive: true });
  const root = await realpath(directory);
  await removeAbandonedFiles(join(root, INCOMPLETE_FOLDER));

  /** Returns the path of a file; undefined when there is none or a symbolic link leads out of the directory. */
  async function findPath(key: string): Promise<string | undefined> {
    if (!isKey(key)) return undefined;
    const path = join(root, key);
    const real = await realpath(path).catch(() => undefined);
    return real === path ? path : undefined;
  }

  return {
    async stat(key) {
      const path = await findPath(key);
      const stats = path === undefined ? undefined : await lstat(path).catch(() => undefined);
      return stats?.isFile() ? { size: stats.size, modified: stats.mtime } : undefined;
    },

    async read(key, range) {
      const path = await findPath(key);
      const file = path === undefined ? undefined : await open(path).catch(() => undefined);
      if (!file) throw new MediaNotFoundError(key);
      return file.createReadStream(range);
    },

    async put(key, source) {
      if (!isKey(key)) throw new Error('Not a key of the media store');
      const path = join(root, key);
      const incomplete = join(root, INCOMPLETE_FOLDER, randomUUID());
      for (const file of [path, incomplete]) await mkdir(dirname(file), { recursive: true });
      try {
        const bytes = typeof source === 'string' ? readChunks(source) : source;
        await writeFile(incomplete, bytes, { flag: 'wx', flush: true });
        await rename(incomplete, path);
      } catch (error) {
        await rm(incomplete, { force: true });
        throw error;
      }
    },

    async remove(key) {
      const path = await findPath(key);
      if (path !== undefined) await rm(path, { force: true });
    },

    async *keys() {
      for (const folder of (await readdir(root)).sort()) {
        const names = /^[0-9a-f]{2}$/.test(folder) ? await readdir(join(root, folder)) : [];
        yield* names.map((name) => `${folder}/${name}`).filter(isKey);
      }
    },

    check: () => access(root, constants.R_OK | constants.W_OK),
  };
}
