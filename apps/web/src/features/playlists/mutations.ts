import { api, type Playlist } from '@escucho/contracts';
import { call } from '#shared/api/client.ts';

/** A new playlist of the reader, with a track in it if given (LIST-01). */
export const createPlaylist = (name: string, track?: string): Promise<Playlist> =>
  call(api.playlists.createPlaylist, {
    body: { name, origin: 'user', active: 'true', ...(track !== undefined && { 'articles.added': track }) },
  });

/** What is to change: tracks by id; a move is `TRACK:AFTER`, `TRACK:` goes to the top. */
export interface Change {
  name?: string;
  'articles.added'?: string;
  'articles.removed'?: string;
  'articles.moved'?: string | string[];
}

/** Changes a playlist (LIST-01). Out: as it is then. */
export const changePlaylist = ({ _id, origin }: Playlist, change: Change): Promise<Playlist> =>
  call(api.playlists.changePlaylist, {
    body: { _id, origin: origin === 'auto' ? 'auto' : 'user', ...change },
  });

export const deletePlaylist = (id: string) => call(api.playlists.deletePlaylist, { params: { id } });
