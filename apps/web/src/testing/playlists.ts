import type { Playlist } from '@escucho/contracts';
import { toId } from '../features/player/testing/fixtures.ts';

/** Builds a playlist of the user; its id ends in the number. */
export const buildPlaylist = (number: number, changes: Partial<Playlist> = {}): Playlist => ({
  _id: toId(number),
  name: 'Morning walk',
  titles: null,
  origin: 'user',
  active: true,
  images: [],
  totalTracks: 2,
  totalDuration: 200,
  createdAt: '2026-11-01T00:00:00.000Z',
  ...changes,
});

/** Builds a system playlist. */
export const buildSystemPlaylist = (
  number: number,
  name: string,
  titles: Playlist['titles'] = null,
): Playlist => buildPlaylist(number, { name, titles, origin: 'system' });
