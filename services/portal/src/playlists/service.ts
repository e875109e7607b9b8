import { AppError, type FieldError, type MessageKey, type Playlist, type Track } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { Links } from '../media/links.ts';
import { type Paging, windowOf } from '../paging.ts';
import { type Change, isFull, type PlaylistChangeRepository } from './change-repository.ts';
import { MOST_DIGITS, refusalOf, type Wish } from './policy.ts';
import { toPlaylist, toTracks } from './presenter.ts';
import { PICTURES, type PlaylistRepository, type PlaylistSearch } from './repository.ts';

const DISCOVER = { rows: 20, tracks: 12 };

interface Ports {
  playlists: PlaylistRepository;
  changes: PlaylistChangeRepository;
  links: Links;
  clock: () => Date;
}

type Wanted = Paging & Omit<PlaylistSearch, 'limit' | 'offset'>;

function limitReached(path: string, code: MessageKey): AppError {
  const fault: FieldError = { path, code, message: '' };
  return new AppError('limit_reached', { fields: [fault] });
}

/** Playlists as a reader sees them (LIST-07): the system's and the own; others answer `not_found`. */
export function playlistService({ playlists, changes, links, clock }: Ports) {
  async function find(reader: Reader, id: string): Promise<Playlist> {
    const row = await playlists.find(reader.id, id);
    if (!row) throw new AppError('not_found');
    return toPlaylist(row, links);
  }

  async function refuse(reader: Reader, id: string, wish: Wish): Promise<never> {
    throw new AppError(refusalOf((await playlists.find(reader.id, id))?.origin, wish));
  }

  /** A change as one statement, or with moves as one transaction. Out: whether it was done. */
  function apply(reader: Reader, id: string, change: Change): Promise<boolean> {
    const { moved = [] } = change;
    if (moved.length === 0) return changes.change(reader.id, id, change, clock());
    return changes.together(async (within) => {
      if (!(await within.change(reader.id, id, change, clock()))) return false;
      for (const move of moved) if ((await within.move(id, move)) > MOST_DIGITS) await within.renumber(id);
      return true;
    });
  }

  /** Throws `not_found`, `forbidden`, `limit_reached`; then nothing has changed. */
  async function change(reader: Reader, id: string, change: Change): Promise<void> {
    const done = await apply(reader, id, change).catch((error: unknown) => {
      throw isFull(error) ? limitReached('body.articles.added', 'playlist_full') : error;
    });
    const wish = change.name === undefined && change.active === undefined ? 'tracks' : 'list';
    if (!done) await refuse(reader, id, wish);
  }

  return {
    find,
    change,

    /** Makes a playlist with tracks in it. Throws `not_found` for an unknown track, `limit_reached`. */
    async create(reader: Reader, { added, ...list }: { name: string; active: boolean; added: string[] }) {
      const made = await changes.together(async (within) => {
        const id = await within.create(reader.id, list, clock());
        if (id === undefined) throw limitReached('body.name', 'playlist_limit');
        const filled = added.length === 0 || (await within.change(reader.id, id, { added }, clock()));
        if (!filled) throw new AppError('not_found');
        return id;
      });
      return find(reader, made);
    },

    /** Throws `not_found`, `forbidden`. */
    async remove(reader: Reader, id: string): Promise<{ _id: string }> {
      if (!(await changes.remove(reader.id, id))) await refuse(reader, id, 'list');
      return { _id: id };
    },

    async findPage(reader: Reader, { page, limit, ...wanted }: Wanted) {
      const { rows, total } = await playlists.findPage(reader.id, {
        ...wanted,
        ...windowOf({ page, limit }),
      });
      return { docs: rows.map((row) => toPlaylist(row, links)), totalDocs: total };
    },

    /** The playlist's tracks in order, with progress, heart and, where the reader may play, a signed address. */
    async findContent(reader: Reader, id: string, paging: Paging) {
      const window = windowOf(paging);
      const row = await playlists.findContent(reader.id, id, window);
      if (!row) throw new AppError('not_found');
      const docs = toTracks(row, window.offset, reader.subscription.isActive, links);
      return { docs, totalDocs: row.total_tracks };
    },

    /** Discover's rows (CAT-02): each system playlist with its first tracks. */
    async findRows(reader: Reader): Promise<{ playlist: Playlist; tracks: Track[] }[]> {
      const rows = await playlists.findRows(reader.id, DISCOVER);
      return rows.map((row) => ({
        playlist: toPlaylist({ ...row, images: row.tracks.slice(0, PICTURES) }, links),
        tracks: toTracks(row, 0, reader.subscription.isActive, links),
      }));
    },
  };
}

export type PlaylistService = ReturnType<typeof playlistService>;
