import { isSuitable, type Learning, level as levels, type Playlist, type Track } from '@escucho/contracts';

/** The properties of a playlist on which access to its tracks depends (PLAY-04). */
export type Source = Pick<Playlist, 'name' | 'origin'>;

/** The first track of a playlist; null for an empty one. The list of a learner has no id. */
interface PlaylistStart extends Source {
  playlist: string | null;
  first: string | null;
}

/** Returns whether the first track of a playlist is free. */
export const hasFreeTrack = ({ name, origin }: Source): boolean =>
  origin === 'system' && name.includes('Latest');

/**
 * Returns whether a user may play a track (PLAY-04). Subscribers play everything; others the first track of a system
 * playlist whose name contains 'Latest'. Playlists of users have no free track, whatever their names.
 *
 * @param index - the track's index in the playlist, from 0
 */
export function mayPlay(isSubscribed: boolean, source: Source, index: number): boolean {
  return isSubscribed || (index === 0 && hasFreeTrack(source));
}

/**
 * Returns the tracks that everybody may play.
 *
 * @param playlist - restricts the result to tracks played from this playlist
 */
export function findFreeTracks(starts: readonly PlaylistStart[], playlist?: string): ReadonlySet<string> {
  const free = starts.filter(
    (start) => hasFreeTrack(start) && (playlist === undefined || playlist === start.playlist),
  );
  return new Set(free.flatMap(({ first }) => first ?? []));
}

/**
 * Returns the list 'Latest' of a learner's level and language, whose first track is free for the learner: the newest that
 * is not free for everybody already. Both level and language must be chosen.
 *
 * @param newest - tracks at the level and in the language, newest first
 */
export function toLearnerStart(
  { level, language }: Learning,
  newest: readonly string[],
  free: ReadonlySet<string>,
): PlaylistStart | undefined {
  const first = newest.find((track) => !free.has(track));
  if (level === null || language === null || first === undefined) return undefined;
  return { playlist: null, name: `Latest ${language} ${level}`, origin: 'system', first };
}

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

/** Visitors listen to an article of at most this length. */
const MAX_SAMPLE_SECONDS = 5 * 60;

interface Candidate extends Pick<Track, 'language' | 'level' | 'duration'> {
  id: string;
}

/**
 * Returns the article that visitors may listen to: the easiest of those that a user without a subscription could play, which
 * are free for everybody or the first of a learner's list (PLAY-04), and that are short. Undefined if there is none.
 *
 * @param newest - articles of one language, newest first within each level
 * @param free - the articles that everybody may play
 */
export function selectSample<Row extends Candidate>(
  newest: readonly Row[],
  free: ReadonlySet<string>,
): Row | undefined {
  const atLevels = levels.options.flatMap((level) => {
    const rows = newest.filter((row) => row.level === level);
    const [language = null] = rows.map((row) => row.language);
    const ids = rows.map(({ id }) => id);
    const own = toLearnerStart({ level, language }, ids, free)?.first;
    return rows.filter(({ id }) => id === own || free.has(id));
  });
  return atLevels.find(({ duration }) => duration <= MAX_SAMPLE_SECONDS);
}
