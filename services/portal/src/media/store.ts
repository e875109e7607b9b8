import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** What the store answers to a request for a file: what HTTP says of it (206 and its range, 304, 416, 404) and the bytes. */
export interface Opened {
  status: number;
  headers: OutgoingHttpHeaders;
  bytes: Readable;
}

/** Where media lie, by content-addressed key (see `keyOf`). Files never change under their key. */
export interface MediaStore {
  /** Size in bytes, or undefined where there is no such file. */
  stat(key: string): Promise<{ size: number } | undefined>;
  /** Opens a file, or the part that the request's Range and conditions ask for. */
  open(key: string, request: IncomingMessage): Promise<Opened>;
  /** Keeps a file: whole or not at all. */
  put(key: string, bytes: Readable): Promise<void>;
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

/** What a key's file is served as. */
export const contentTypeOf = (key: string): string =>
  contentTypes[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
