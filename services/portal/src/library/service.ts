import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '@escucho/database';
import type { MediaStore } from '../media/store.ts';
import { keeper } from './keep.ts';
import type { PlaylistEntry } from './piece.ts';
import type { KnownPiece, LibraryRepository } from './repository.ts';
import { foldersOf, PieceFault, readPlaylists, readSource } from './source.ts';

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

/** Where the playlists of an operator's own begin on Discover. */
const OWN_PLACES = 1000;

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
  const { keep, isWhole } = keeper({ library, store });

  /** Out: whether anything was new. Throws `PieceFault`. */
  async function loadPiece(
    directory: string,
    folder: string,
    before: KnownPiece | undefined,
  ): Promise<boolean> {
    const source = await readSource(directory, folder);
    const whole = before !== undefined && (await isWhole(before)) ? before : undefined;
    if (whole?.stamp === source.stamp) return false;
    return keep({ id: idOf('article', folder), ...source }, whole);
  }

  async function loadPieces(directory: string): Promise<Loaded> {
    const withdrawn = await library.findWithdrawn();
    const all = await foldersOf(directory);
    const folders = all.filter((folder) => !withdrawn.ids.has(idOf('article', folder)));
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

  /** The ids of the pieces that are in the catalogue, each once; the others are left out, and named unless an editor withdrew them. */
  function articlesOf(
    { key, articles }: PlaylistEntry,
    available: ReadonlySet<string>,
    withdrawn: ReadonlySet<string>,
  ): string[] {
    const ids = new Map(articles.map((slug) => [idOf('article', slug), slug]));
    const missing = [...ids]
      .filter(([id]) => !available.has(id) && !withdrawn.has(id))
      .map(([, slug]) => slug);
    if (missing.length > 0)
      log.warn({ playlist: key, missing }, 'A playlist names pieces that are not there');
    return [...ids.keys()].filter((id) => available.has(id));
  }

  /** Out: how many playlists were new or changed. Throws `PieceFault`. */
  async function loadPlaylists(path: string, firstPlace: number): Promise<number> {
    const entries = await readPlaylists(path);
    const known = await library.findPlaylistHashes(entries.map(({ key }) => idOf('playlist', key)));
    const available = await library.findArticles(
      entries.flatMap(({ articles }) => articles.map((slug) => idOf('article', slug))),
    );
    const withdrawn = await library.findWithdrawn();
    let changed = 0;
    for (const [index, entry] of entries.entries()) {
      const id = idOf('playlist', entry.key);
      const place = firstPlace + index;
      const articles = articlesOf(entry, available, withdrawn.ids);
      const hash = sha256(JSON.stringify([entry, articles, place])).toString('hex');
      if (known.get(id) === hash) continue;
      await library.savePlaylist(id, entry, { articles, place, hash, now: clock() });
      changed += 1;
    }
    return changed;
  }

  return {
    /** In: the folder that holds `library/` and `playlists.json`. Bad pieces are named in the log and left out. */
    async load(directory: string): Promise<Loaded> {
      const result = await loadPieces(join(directory, 'library'));
      await loadPlaylists(join(directory, 'playlists.json'), 0).catch((error: unknown) => {
        if (!(error instanceof PieceFault)) throw error;
        result.failed.push({ slug: 'playlists.json', reason: error.message });
        log.warn({ reason: error.message }, 'playlists.json was left out');
      });
      await library.saveNotification(idOf('notification', 'welcome'), welcome, clock());
      return result;
    },

    /** Makes system playlists of a file like `playlists.json`; new ones stand on Discover behind those that came with a load. */
    loadPlaylists: (path: string): Promise<number> => loadPlaylists(path, OWN_PLACES),
  };
}
