import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '@escucho/database';
import type { MediaStore } from '../media/store.ts';
import { allOf, type PlaylistEntry } from './piece.ts';
import type { KnownPiece, LibraryRepository } from './repository.ts';
import { foldersOf, PieceFault, readPlaylists, readSource, storeFiles } from './source.ts';

/** What a load came to: slugs. `loaded` are new or changed. */
export interface Loaded {
  loaded: string[];
  unchanged: string[];
  failed: { slug: string; reason: string }[];
}

interface Ports {
  library: LibraryRepository;
  store: MediaStore;
  log: Log;
  clock: () => Date;
}

const welcome = {
  en: [
    'Welcome to Escucho',
    'Choose something on Discover and press play. Stop whenever you like: every device of yours knows where you were.',
  ],
  es: [
    'Bienvenido a Escucho',
    'Elige algo en Descubrir y pulsa reproducir. Para cuando quieras: todos tus dispositivos saben dónde te quedaste.',
  ],
} satisfies Record<'en' | 'es', [string, string]>;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An id that follows from a name, so that addresses stay when the database is made anew. Out: a UUID of version 8. */
export function idOf(kind: 'article' | 'playlist' | 'notification', name: string): string {
  const bytes = sha256(`escucho ${kind} ${name}`).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Brings a folder of finished pieces into the catalogue. Doing so again changes only what changed. */
export function libraryService({ library, store, log, clock }: Ports) {
  async function allStored(keys: readonly string[]): Promise<boolean> {
    const found = await Promise.all(keys.map((key) => store.stat(key)));
    return found.every((file) => file !== undefined);
  }

  /** Out: whether anything was new. Throws `PieceFault`. */
  async function loadPiece(
    directory: string,
    folder: string,
    before: KnownPiece | undefined,
  ): Promise<boolean> {
    const id = idOf('article', folder);
    const { piece, text, files, stamp } = await readSource(directory, folder);
    const complete = before !== undefined && (await allStored(before.keys));
    if (complete && before.stamp === stamp) return false;
    const keys = await storeFiles(files, store);
    const hash = sha256(JSON.stringify([text, allOf(keys)])).toString('hex');
    if (complete && before.hash === hash) {
      await library.saveStamp(id, stamp);
      return false;
    }
    await library.savePiece(id, piece, keys, { stamp, hash });
    return true;
  }

  async function loadPieces(directory: string): Promise<Loaded> {
    const folders = await foldersOf(directory);
    const pieces = await library.findKnown(folders.map((folder) => idOf('article', folder)));
    const known = new Map(pieces.map((piece) => [piece.id, piece]));
    const result: Loaded = { loaded: [], unchanged: [], failed: [] };
    for (const folder of folders) {
      try {
        const isNew = await loadPiece(directory, folder, known.get(idOf('article', folder)));
        result[isNew ? 'loaded' : 'unchanged'].push(folder);
      } catch (error) {
        if (!(error instanceof PieceFault)) throw error;
        result.failed.push({ slug: folder, reason: error.message });
        log.warn({ piece: folder, reason: error.message }, 'A piece was left out');
      }
    }
    return result;
  }

  /** The ids of the pieces that are in the catalogue, each once; the others are named and left out. */
  function articlesOf({ key, pieces }: PlaylistEntry, available: ReadonlySet<string>): string[] {
    const ids = new Map(pieces.map((slug) => [idOf('article', slug), slug]));
    const missing = [...ids].filter(([id]) => !available.has(id)).map(([, slug]) => slug);
    if (missing.length > 0)
      log.warn({ playlist: key, missing }, 'A playlist names pieces that are not there');
    return [...ids.keys()].filter((id) => available.has(id));
  }

  async function loadPlaylists(path: string): Promise<void> {
    const entries = await readPlaylists(path);
    const known = await library.findPlaylistHashes(entries.map(({ key }) => idOf('playlist', key)));
    const available = await library.findArticles(
      entries.flatMap(({ pieces }) => pieces.map((slug) => idOf('article', slug))),
    );
    for (const [place, entry] of entries.entries()) {
      const id = idOf('playlist', entry.key);
      const articles = articlesOf(entry, available);
      const hash = sha256(JSON.stringify([entry, articles, place])).toString('hex');
      if (known.get(id) === hash) continue;
      await library.savePlaylist(id, entry, { articles, place, hash, now: clock() });
    }
  }

  return {
    /** In: the folder that holds `library/` and `playlists.json`. Bad pieces are named in the log and left out. */
    async load(directory: string): Promise<Loaded> {
      const result = await loadPieces(join(directory, 'library'));
      await loadPlaylists(join(directory, 'playlists.json')).catch((error: unknown) => {
        if (!(error instanceof PieceFault)) throw error;
        result.failed.push({ slug: 'playlists.json', reason: error.message });
        log.warn({ reason: error.message }, 'playlists.json was left out');
      });
      await library.saveNotification(idOf('notification', 'welcome'), welcome, clock());
      return result;
    },
  };
}
