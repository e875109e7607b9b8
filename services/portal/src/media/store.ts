import type { Readable } from 'node:stream';

/** A file as it lies in a store. */
export interface Stored {
  /** Bytes. */
  size: number;
  modified: Date;
}

/** Places of the first and the last byte, from 0. */
export interface Part {
  start: number;
  end: number;
}

/**
 * Where media lie, by content-addressed key (see `keyOf`). Files never change under their key. What HTTP says of them
 * is `answerTo`'s, the same for every store.
 */
export interface MediaStore {
  /** Undefined where there is no such file. */
  stat(key: string): Promise<Stored | undefined>;
  /** Opens a file, or a part of it. Throws `MediaGone` where there is none. */
  read(key: string, part?: Part): Promise<Readable>;
  /** Keeps a file: whole or not at all. */
  put(key: string, bytes: Readable): Promise<void>;
  /** Removes a file; nothing happens where there is none. */
  remove(key: string): Promise<void>;
  /** Every key that is kept, in no order. */
  keys(): AsyncIterable<string>;
  /** Whether it can be reached; throws where it cannot. */
  check(): Promise<void>;
}

/** A file is not in the store, or no longer. */
export class MediaGone extends Error {
  override readonly name = 'MediaGone';
}

/** The media we serve, by extension. */
const contentTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  avif: 'image/avif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

const keyPattern = new RegExp(`^[0-9a-f]{2}/[0-9a-f]{62}\\.(${Object.keys(contentTypes).join('|')})$`);

/** Whether a text can be a key; nothing that can leads out of a store. */
export const isKey = (text: string): boolean => keyPattern.test(text);

/** A file's key. In: the SHA-256 of its bytes in hex, its extension. */
export const keyOf = (hash: string, extension: string): string =>
  `${hash.slice(0, 2)}/${hash.slice(2)}.${extension}`;

/** The SHA-256 that a key promises of its bytes, in hex. */
export const hashIn = (key: string): string => key.replace('/', '').replace(/\..*$/, '');

/** What a key's file is served as. */
export const contentTypeOf = (key: string): string =>
  contentTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
