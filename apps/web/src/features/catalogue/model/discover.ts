import {
  type api,
  type ContinueListening,
  isSuitable,
  type Learning,
  type Playlist,
  type ResponseBody,
  type Track,
} from '@escucho/contracts';
import { type Source, toTrack } from '#features/player/player.ts';
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

/** A list that a suggestion may come from. */
export interface SuggestionList {
  source: Source;
  tracks: readonly Track[];
}

/** A track in the list that it plays from. */
export interface Suggestion extends SuggestionList {
  track: Track;
  index: number;
}

interface Listener {
  learning: Learning | undefined;
  /** The ids of tracks that were listened to before. */
  played: ReadonlySet<string>;
}

/**
 * Returns what to play after a track: the first of the lists that suits the learner or, after a track that does not,
 * that is like it. What may be played (PLAY-04) and is new comes first, then what needs a subscription, then what was
 * played before.
 */
export function selectSuggestion(
  after: Track,
  lists: readonly SuggestionList[],
  { learning, played }: Listener,
): Suggestion | undefined {
  const { language, level } = after;
  const isLikeOthers = learning === undefined || !isSuitable(after, learning);
  const target = isLikeOthers
    ? { language, level }
    : { language: learning.language ?? language, level: learning.level ?? level };
  const suitable = lists
    .flatMap((list) => list.tracks.map((track, index) => ({ ...list, track, index })))
    .filter(({ track }) => track._id !== after._id && isSuitable(track, target));
  const fresh = suitable.filter(({ track }) => !played.has(track._id));
  return fresh.find(({ track }) => track.url !== null) ?? fresh[0] ?? suitable[0];
}
