import type { api, ContinueListening, Playlist, ResponseBody } from '@escucho/contracts';
import { toTrack } from '#features/player/player.ts';

export type Discover = ResponseBody<(typeof api)['catalogue']['discover']>;
export type Row = Discover['rows'][number];

/** A row's title: a system playlist's in the reader's language, otherwise its name (CAT-02). */
export const rowTitle = (playlist: Playlist, language: 'en' | 'es'): string =>
  playlist.titles?.[language] ?? playlist.name;

/** A row as a source: played by its name, its id goes along (CAT-02). */
export const sourceOf = (playlist: Playlist) => ({ name: playlist.name, playlist: playlist._id });

/** Continue listening as a source of its own. */
export const continueSource = { name: 'Continue listening', playlist: null };

/**
 * How an entry of continue listening is played on: with the others of its list; for a reader without a subscription as the
 * first item of a row, where it is one, so that what the gate let begin it lets go on (PLAY-04).
 */
export function resumption(
  entries: readonly ContinueListening[],
  index: number,
  rows: readonly Row[],
  isSubscribed: boolean,
) {
  const entry = entries[index];
  const row = isSubscribed
    ? undefined
    : rows.find(({ playlist, tracks }) => playlist.name.includes('Latest') && tracks[0]?._id === entry?._id);
  return row
    ? { source: sourceOf(row.playlist), tracks: row.tracks, index: 0 }
    : { source: continueSource, tracks: entries.map(toTrack(continueSource)), index };
}

/** The greeting of an hour, 0 to 23. */
export function greetingOf(
  hour: number,
): 'discover.goodMorning' | 'discover.goodAfternoon' | 'discover.goodEvening' {
  if (hour >= 5 && hour < 12) return 'discover.goodMorning';
  return hour >= 12 && hour < 19 ? 'discover.goodAfternoon' : 'discover.goodEvening';
}

/** How much of a track was heard, 0 to 1. */
export const heardShare = (place: number, duration: number): number =>
  duration > 0 ? Math.min(1, Math.max(0, place / duration)) : 0;
