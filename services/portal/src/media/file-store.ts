import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import send from '@fastify/send';
import { isKey, type MediaStore, type Opened } from './store.ts';

const missing = (): Opened => ({ status: 404, headers: {}, bytes: Readable.from([]) });

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

  const stat: MediaStore['stat'] = async (key) => {
    const path = await pathOf(key);
    const found = path === undefined ? undefined : await lstat(path);
    return found?.isFile() ? { size: found.size } : undefined;
  };

  return {
    stat,

    async open(key, request) {
      if (!(await stat(key))) return missing();
      const options = { root, index: false, cacheControl: false, contentType: false } as const;
      const { statusCode, headers, stream } = await send(request, `/${key}`, options);
      return { status: statusCode, headers, bytes: stream };
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
  };
}
