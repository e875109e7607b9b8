import { type ErrorCode, isSuitable, type Learning, type Playlist, type Track } from '@escucho/contracts';
import { hasFreeTrack, type Source } from '../media/policy.ts';

/** A change of a playlist's tracks, or of the playlist itself: its name, visibility or existence. */
export type PlaylistAction = 'tracks' | 'list';

/**
 * Returns the error code for an action that changed nothing (LIST-07). System playlists cannot be changed; favourites
 * cannot be renamed or deleted. In a playlist the user may change, something the action names does not exist.
 *
 * @param origin - undefined when the user sees no such playlist
 */
export function getRefusalCode(origin: Playlist['origin'] | undefined, action: PlaylistAction): ErrorCode {
  if (origin === undefined) return 'not_found';
  return origin === 'system' || (origin === 'auto' && action === 'list') ? 'forbidden' : 'not_found';
}

/** Above this number of fraction digits the sort keys of a playlist are renumbered: each move into the same gap adds one. */
export const MAX_FRACTION_DIGITS = 100;

/** A system playlist with some of its tracks in order; `first` is the id of its very first. */
interface DiscoverRow<Row> extends Source {
  first: string | null;
  tracks: readonly Row[];
}

/**
 * Returns the tracks of a row of Discover that a learner sees: those that suit, and the very first where it is free, which
 * stays in front (PLAY-04).
 */
export const selectRowTracks = <Row extends Pick<Track, 'language' | 'level'> & { id: string }>(
  row: DiscoverRow<Row>,
  learning: Learning,
  isSubscribed: boolean,
): Row[] =>
  row.tracks.filter(
    (track) => isSuitable(track, learning) || (!isSubscribed && hasFreeTrack(row) && track.id === row.first),
  );
