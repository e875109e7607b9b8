import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { getErrorMessage } from '@escucho/database';

/** Metadata of a stored file. */
export interface StoredFile {
  /** In bytes. */
  size: number;
  modified: Date;
}

/** The offsets of the first and the last byte, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores media by content-addressed keys (see `toKey`). The file of a key never changes. */
export interface MediaStore {
  /** Returns undefined when there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** @throws MediaNotFoundError when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Stores a file completely or not at all.
   *
   * @param source - its bytes, or the path of a file that has them
   */
  put(key: string, source: Readable | string): Promise<void>;
  /** Removes a file if it exists. */
  remove(key: string): Promise<void>;
  /** Iterates over all keys, in no particular order. */
  keys(): AsyncIterable<string>;
  /** Throws when the store cannot be reached. */
  check(): Promise<void>;
}

export class MediaNotFoundError extends Error {
  override readonly name = 'MediaNotFoundError';
}

/** Media types by file extension. */
const contentTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  avif: 'image/avif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

const keyPattern = new RegExp(`^[0-9a-f]{2}/[0-9a-f]{62}\\.(${Object.keys(contentTypes).join('|')})$`);

/** Returns whether a text has the form of a key. Keys cannot name anything outside a store. */
export const isKey = (text: string): boolean => keyPattern.test(text);

/**
 * Returns the key of a file.
 *
 * @param hash - the SHA-256 of its content, in hex
 * @param extension - without dot
 */
export const toKey = (hash: string, extension: string): string =>
  `${hash.slice(0, 2)}/${hash.slice(2)}.${extension}`;

/** Returns the SHA-256 of the content of a key's file, in hex. */
export const getKeyHash = (key: string): string => key.replace('/', '').replace(/\..*$/, '');

export const getContentType = (key: string): string =>
  contentTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a file in chunks of one buffer, each valid until the next one is requested. The chunks of a stream have a buffer each,
 * and glibc does not return all of their memory.
 */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readChunks(path)) hash.update(chunk);
  return hash.digest('hex');
}

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
        result.failed.push({ key, reason: getErrorMessage(error) });
      });
      done += 1;
      onFile?.(done, keys.length);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return result;
}
