import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import { keyOf, type MediaStore } from '../media/store.ts';
import { allOf, type Piece, type PieceMedia, pieceSchema, playlistsSchema } from './piece.ts';

/** A piece that cannot be used; the message says why, for the person who made it. */
export class PieceFault extends Error {}

/** A piece as it lies on disk: what it says, the paths of its files, and a stamp that changes when any of it is written. */
export interface Source {
  piece: Piece;
  text: string;
  files: PieceMedia;
  stamp: string;
}

const PIECE = 'article.json';

async function parsed<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
): Promise<{ text: string; value: z.output<Schema> }> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new PieceFault('cannot be read');
  });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new PieceFault('is not JSON');
  }
  const result = safeParse(schema, data);
  if (result.success) return { text, value: result.data };
  throw faultOf(result.error);
}

/** What a schema found wrong, for the person who made the piece. */
export function faultOf({ issues }: Pick<z.core.$ZodError, 'issues'>): PieceFault {
  const faults = issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return new PieceFault(faults.join('; '));
}

function filesOf(library: string, folder: string, piece: Piece): PieceMedia {
  const own = (name: string) => join(library, folder, name);
  const portrait = piece.narrator.image ?? null;
  return {
    image: own('cover-320.avif'),
    artwork: own('cover-640.webp'),
    audio: own(piece.audio.file),
    portrait: portrait === null ? null : join(library, portrait),
    pages: piece.pages.map(({ picture }) => own(`${picture}.avif`)),
  };
}

/** The folders of a library that hold a article.json, by name. */
export async function foldersOf(library: string): Promise<string[]> {
  const entries = await readdir(library, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const marked = await Promise.all(
    folders.map((name) => stat(join(library, name, PIECE)).catch(() => undefined)),
  );
  return folders.filter((_, index) => marked[index]).sort();
}

/** Reads a piece. In: the library, the piece's folder in it. Throws `PieceFault`. */
export async function readSource(library: string, folder: string): Promise<Source> {
  const { text, value: piece } = await parsed(join(library, folder, PIECE), pieceSchema);
  if (piece.slug !== folder) throw new PieceFault(`slug: is not the folder's name but ${piece.slug}`);
  const files = filesOf(library, folder, piece);
  const stamp = createHash('sha256').update(text);
  for (const path of allOf(files)) {
    const name = relative(library, path);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.size === 0) throw new PieceFault(`${name}: missing or empty`);
    stamp.update(`\n${name} ${found.size} ${found.mtimeMs}`);
  }
  return { piece, text, files, stamp: stamp.digest('hex') };
}

/** Reads the system's playlists; none where there is no such file. Throws `PieceFault`. */
export async function readPlaylists(path: string) {
  const exists = await stat(path).catch(() => undefined);
  return exists ? (await parsed(path, playlistsSchema)).value : [];
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Puts a piece's files into the store where they are not there yet. In: their paths. Out: their keys. */
export async function storeFiles(paths: PieceMedia, store: MediaStore): Promise<PieceMedia> {
  async function keep(path: string): Promise<string> {
    const key = keyOf(await hashOf(path), extname(path).slice(1));
    if (!(await store.stat(key))) await store.put(key, createReadStream(path));
    return key;
  }
  const [image, artwork, audio] = [
    await keep(paths.image),
    await keep(paths.artwork),
    await keep(paths.audio),
  ];
  const portrait = paths.portrait === null ? null : await keep(paths.portrait);
  const pages: string[] = [];
  for (const path of paths.pages) pages.push(await keep(path));
  return { image, artwork, audio, portrait, pages };
}
