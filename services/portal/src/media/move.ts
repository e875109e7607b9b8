import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { getKeyHash, MediaNotFoundError, type MediaStore } from './media-store.ts';

const CONCURRENCY = 4;

/** The result of a move: how many files were copied, how many existed already, and which failed. */
interface MoveResult {
  copied: number;
  present: number;
  failed: { key: string; reason: string }[];
}

class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** Passes bytes on and throws at the end when their hash is not the key's. */
async function* verifyContent(key: string, bytes: Readable): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== getKeyHash(key)) throw new DamagedFileError('is damaged');
}

/** Returns whether a store has an undamaged file. */
async function isIntact(store: MediaStore, key: string): Promise<boolean> {
  if (!(await store.stat(key))) return false;
  try {
    for await (const _ of verifyContent(key, await store.read(key)));
    return true;
  } catch (error) {
    if (error instanceof MediaNotFoundError || error instanceof DamagedFileError) return false;
    throw error;
  }
}

/**
 * Copies every file of a store to another one and verifies it before and after. A second run copies only files that are
 * missing or damaged. The source remains unchanged.
 *
 * @param options.onFile - receives the progress after each file
 */
export async function moveMedia(options: {
  from: MediaStore;
  to: MediaStore;
  onFile?: (done: number, total: number) => void;
}): Promise<MoveResult> {
  const { from, to, onFile } = options;
  const result: MoveResult = { copied: 0, present: 0, failed: [] };

  async function copyFile(key: string): Promise<void> {
    if (await isIntact(to, key)) {
      result.present += 1;
      return;
    }
    await to.put(key, Readable.from(verifyContent(key, await from.read(key))));
    if (!(await isIntact(to, key))) throw new Error('did not arrive whole');
    result.copied += 1;
  }

  const keys: string[] = [];
  for await (const key of from.keys()) keys.push(key);
  const queue = keys.values();
  let done = 0;
  async function work(): Promise<void> {
    for (const key of queue) {
      await copyFile(key).catch((error: unknown) => {
        result.failed.push({ key, reason: error instanceof Error ? error.message : String(error) });
      });
      done += 1;
      onFile?.(done, keys.length);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return result;
}
