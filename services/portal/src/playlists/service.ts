import { AppError, type Playlist, type Track } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { Links } from '../media/links.ts';
import { type Paging, windowOf } from '../paging.ts';
import { toPlaylist, toTracks } from './presenter.ts';
import { PICTURES, type PlaylistRepository, type PlaylistSearch } from './repository.ts';

const DISCOVER = { rows: 20, tracks: 12 };

interface Ports {
  playlists: PlaylistRepository;
  links: Links;
}

type Wanted = Paging & Omit<PlaylistSearch, 'limit' | 'offset'>;

/** Playlists as a reader sees them (LIST-07): the system's and the own; others answer `not_found`. */
export function playlistService({ playlists, links }: Ports) {
  return {
    async find(reader: Reader, id: string): Promise<Playlist> {
      const row = await playlists.find(reader.id, id);
      if (!row) throw new AppError('not_found');
      return toPlaylist(row, links);
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
