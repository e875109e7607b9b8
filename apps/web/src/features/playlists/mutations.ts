import { api, type Playlist } from '@escucho/contracts';
import { call } from '#shared/api/client.ts';

/** Creates a playlist of the user (LIST-01), optionally with a first track. */
export const createPlaylist = (name: string, trackId?: string): Promise<Playlist> =>
  call(api.playlists.createPlaylist, {
    body: {
      name,
      origin: 'user',
      active: 'true',
      ...(trackId !== undefined && { 'articles.added': trackId }),
    },
  });

/** A change of a playlist, as the API takes it: tracks by id; a move is `TRACK:AFTER`, `TRACK:` moves to the top. */
export interface PlaylistChange {
  name?: string;
  'articles.added'?: string;
  'articles.removed'?: string;
  'articles.moved'?: string | string[];
}

/** Changes a playlist (LIST-01) and returns it as it is then. */
export const changePlaylist = ({ _id, origin }: Playlist, change: PlaylistChange): Promise<Playlist> =>
  call(api.playlists.changePlaylist, {
    body: { _id, origin: origin === 'auto' ? 'auto' : 'user', ...change },
  });

/** Deletes a playlist of the user (LIST-05). */
export const deletePlaylist = (id: string) => call(api.playlists.deletePlaylist, { params: { id } });

/** Restores a playlist that was just deleted. */
export const restorePlaylist = (id: string) => call(api.playlists.restorePlaylist, { params: { id } });
