import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isKey, MediaGone, type MediaStore } from './store.ts';

/** A store of files below a directory, which is made where there is none. Never reads or writes outside it. */
export async function openFileStore(directory: string): Promise<MediaStore> {
  await mkdir(directory, { recursive: true });
  const root = await realpath(directory);

  /** The file's path; undefined where there is none, or where a link would lead elsewhere. */
  async function pathOf(key: string): Promise<string | undefined> {
    if (!isKey(key)) return undefined;
    const path = join(root, key);
    const real = await realpath(path).catch(() => undefined);
    return real === path ? path : undefined;
  }

  return {
    async stat(key) {
      const path = await pathOf(key);
      const found = path === undefined ? undefined : await lstat(path).catch(() => undefined);
      return found?.isFile() ? { size: found.size, modified: found.mtime } : undefined;
    },

    async read(key, part) {
      const path = await pathOf(key);
      const file = path === undefined ? undefined : await open(path).catch(() => undefined);
      if (!file) throw new MediaGone(key);
      return file.createReadStream(part);
    },

    async put(key, bytes) {
      if (!isKey(key)) throw new Error('Not a key of the media store');
      const path = join(root, key);
      const unfinished = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(bytes, createWriteStream(unfinished, { flags: 'wx', flush: true }));
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },

    async remove(key) {
      const path = await pathOf(key);
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
