import type { api, ContinueListening, Playlist, ResponseBody } from '@escucho/contracts';
import { toTrack } from '#features/player/player.ts';
import type { T } from '#shared/i18n/i18n.ts';

export type Discover = ResponseBody<(typeof api)['catalogue']['discover']>;
export type Row = Discover['rows'][number];

/** Returns a row's title: a system playlist's in the user's language, otherwise its name (CAT-02). */
export const getRowTitle = (playlist: Playlist, language: 'en' | 'es'): string =>
  playlist.titles?.[language] ?? playlist.name;

/** Returns a row's playlist as a source of the player (CAT-02). */
export const toSource = (playlist: Playlist) => ({ name: playlist.name, playlist: playlist._id });

/** Returns the tracks at the user's level with their source of the player; null without a level (CAT-02). */
export const toLevelList = (t: T, { atLevel }: Discover) =>
  atLevel && {
    source: { name: t('discover.atLevel', { level: atLevel.level }), playlist: null },
    tracks: atLevel.tracks,
  };

/** Continue listening as a source of the player. */
export const continueSource = { name: 'Continue listening', playlist: null };

/**
 * Returns how to resume an entry of continue listening: with the other entries behind it. Without a subscription an entry
 * that is the first item of a row is played within that row, where playing it is allowed (PLAY-04).
 */
export function getResumption(
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
    ? { source: toSource(row.playlist), tracks: row.tracks, index: 0 }
    : { source: continueSource, tracks: entries.map(toTrack(continueSource)), index };
}

/** Returns the message key of the greeting at an hour, 0 to 23. */
export function getGreetingKey(hour: number) {
  if (hour >= 5 && hour < 12) return 'discover.goodMorning';
  return hour >= 12 && hour < 19 ? 'discover.goodAfternoon' : 'discover.goodEvening';
}

/** Returns how much of a track was listened to, 0 to 1. */
export const getProgressRatio = (position: number, duration: number): number =>
  duration > 0 ? Math.min(1, Math.max(0, position / duration)) : 0;
