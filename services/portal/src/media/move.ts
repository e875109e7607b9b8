import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { hashIn, MediaGone, type MediaStore } from './store.ts';

const AT_ONCE = 4;

/** What a move came to: how many files were copied, how many lay there whole before, and the keys that failed and why. */
export interface Moved {
  copied: number;
  present: number;
  failed: { key: string; reason: string }[];
}

/** Passes bytes on and throws at their end when they are not what the key promises. */
async function* checked(key: string, bytes: Readable): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== hashIn(key)) throw new Error('is damaged');
}

async function isWhole(store: MediaStore, key: string): Promise<boolean> {
  if (!(await store.stat(key))) return false;
  try {
    for await (const _ of checked(key, await store.read(key)));
    return true;
  } catch (error) {
    if (error instanceof MediaGone || (error instanceof Error && error.message === 'is damaged'))
      return false;
    throw error;
  }
}

/**
 * Copies every file of one store into another, each compared with its key before and after: a second run copies only
 * what is missing or damaged there. The first store keeps its files. In: the stores; `onFile` hears how many are done.
 */
export async function moveMedia(options: {
  from: MediaStore;
  to: MediaStore;
  onFile?: (done: number, total: number) => void;
}): Promise<Moved> {
  const { from, to, onFile } = options;
  const moved: Moved = { copied: 0, present: 0, failed: [] };

  async function move(key: string): Promise<void> {
    if (await isWhole(to, key)) {
      moved.present += 1;
      return;
    }
    await to.put(key, Readable.from(checked(key, await from.read(key))));
    if (!(await isWhole(to, key))) throw new Error('did not arrive whole');
    moved.copied += 1;
  }

  const keys: string[] = [];
  for await (const key of from.keys()) keys.push(key);
  const waiting = keys.values();
  let done = 0;
  async function work(): Promise<void> {
    for (const key of waiting) {
      await move(key).catch((error: unknown) => {
        moved.failed.push({ key, reason: error instanceof Error ? error.message : String(error) });
      });
      done += 1;
      onFile?.(done, keys.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return moved;
}
