import { AppError, type FieldError, type MessageKey, type Playlist, type Track } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/service.ts';
import type { Links } from '../media/links.ts';
import { type Paging, toWindow } from '../paging.ts';
import { type Change, isFull, type PlaylistChangeRepository } from './change-repository.ts';
import { findRefusalCode, MAX_FRACTION_DIGITS, type PlaylistAction } from './policy.ts';
import { toPlaylist, toTracks } from './presenter.ts';
import { COVER_COUNT, type PlaylistRepository, type PlaylistSearch } from './repository.ts';

const DISCOVER = { rows: 20, tracks: 12 };

interface PlaylistServiceDeps {
  playlists: PlaylistRepository;
  changes: PlaylistChangeRepository;
  links: Links;
  clock: () => Date;
}

type PlaylistPageQuery = Paging & Omit<PlaylistSearch, 'limit' | 'offset'>;

function limitReached(path: string, code: MessageKey): AppError {
  const fault: FieldError = { path, code, message: '' };
  return new AppError('limit_reached', { fields: [fault] });
}

/** Playlists as a reader sees them (LIST-07): the system's and the own; others answer `not_found`. */
export function createPlaylistService({ playlists, changes, links, clock }: PlaylistServiceDeps) {
  async function find(reader: CurrentUser, id: string): Promise<Playlist> {
    const row = await playlists.find(reader.id, id);
    if (!row) throw new AppError('not_found');
    return toPlaylist(row, links);
  }

  async function throwRefusal(reader: CurrentUser, id: string, wish: PlaylistAction): Promise<never> {
    throw new AppError(findRefusalCode((await playlists.find(reader.id, id))?.origin, wish));
  }

  /** A change as one statement, or with moves as one transaction. Out: whether it was done. */
  function apply(reader: CurrentUser, id: string, change: Change): Promise<boolean> {
    const { moved = [] } = change;
    if (moved.length === 0) return changes.change(reader.id, id, change, clock());
    return changes.runInTransaction(async (within) => {
      if (!(await within.change(reader.id, id, change, clock()))) return false;
      for (const move of moved)
        if ((await within.move(id, move)) > MAX_FRACTION_DIGITS) await within.renumber(id);
      return true;
    });
  }

  /** Throws `not_found`, `forbidden`, `limit_reached`; then nothing has changed. */
  async function change(reader: CurrentUser, id: string, change: Change): Promise<void> {
    const done = await apply(reader, id, change).catch((error: unknown) => {
      throw isFull(error) ? limitReached('body.articles.added', 'playlist_full') : error;
    });
    const wish = change.name === undefined && change.active === undefined ? 'tracks' : 'list';
    if (!done) await throwRefusal(reader, id, wish);
  }

  return {
    find,
    change,

    /** Makes a playlist with tracks in it. Throws `not_found` for an unknown track, `limit_reached`. */
    async create(
      reader: CurrentUser,
      { added, ...list }: { name: string; active: boolean; added: string[] },
    ) {
      const made = await changes.runInTransaction(async (within) => {
        const id = await within.create(reader.id, list, clock());
        if (id === undefined) throw limitReached('body.name', 'playlist_limit');
        const filled = added.length === 0 || (await within.change(reader.id, id, { added }, clock()));
        if (!filled) throw new AppError('not_found');
        return id;
      });
      return find(reader, made);
    },

    /** Throws `not_found`, `forbidden`. */
    async remove(reader: CurrentUser, id: string): Promise<{ _id: string }> {
      if (!(await changes.remove(reader.id, id))) await throwRefusal(reader, id, 'list');
      return { _id: id };
    },

    async findPage(reader: CurrentUser, { page, limit, ...wanted }: PlaylistPageQuery) {
      const { rows, total } = await playlists.findPage(reader.id, {
        ...wanted,
        ...toWindow({ page, limit }),
      });
      return { docs: rows.map((row) => toPlaylist(row, links)), totalDocs: total };
    },

    /** The playlist's tracks in order, with progress, heart and, where the reader may play, a signed address. */
    async findContent(reader: CurrentUser, id: string, paging: Paging) {
      const window = toWindow(paging);
      const row = await playlists.findContent(reader.id, id, window);
      if (!row) throw new AppError('not_found');
      const docs = toTracks(row, window.offset, reader.subscription.isActive, links);
      return { docs, totalDocs: row.total_tracks };
    },

    /** Discover's rows (CAT-02): each system playlist with its first tracks. */
    async findDiscoverRows(reader: CurrentUser): Promise<{ playlist: Playlist; tracks: Track[] }[]> {
      const rows = await playlists.findSystemPlaylists(reader.id, DISCOVER);
      return rows.map((row) => ({
        playlist: toPlaylist({ ...row, images: row.tracks.slice(0, COVER_COUNT) }, links),
        tracks: toTracks(row, 0, reader.subscription.isActive, links),
      }));
    },
  };
}

export type PlaylistService = ReturnType<typeof createPlaylistService>;
