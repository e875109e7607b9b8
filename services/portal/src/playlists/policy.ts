import type { ErrorCode, Playlist } from '@escucho/contracts';

/** What a reader wants of a playlist: its tracks changed, or the list itself renamed or deleted. */
export type PlaylistAction = 'tracks' | 'list';

/**
 * Why a playlist was not changed (LIST-07). In: the origin of the list, undefined where the reader sees none such, and
 * the wish. System playlists stay as they are, and favourites keep their name and are not deleted; both the reader sees,
 * so that it is forbidden. Whatever the reader may change was refused for something in the wish that does not exist.
 */
export function findRefusalCode(origin: Playlist['origin'] | undefined, wish: PlaylistAction): ErrorCode {
  if (origin === undefined) return 'not_found';
  return origin === 'system' || (origin === 'auto' && wish === 'list') ? 'forbidden' : 'not_found';
}

/** More digits after the point than this, and a list is numbered anew: each move into the same gap adds one. */
export const MAX_FRACTION_DIGITS = 100;
