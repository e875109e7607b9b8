import type { Readable } from 'node:stream';

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
  /** Stores a file completely or not at all. */
  put(key: string, bytes: Readable): Promise<void>;
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
