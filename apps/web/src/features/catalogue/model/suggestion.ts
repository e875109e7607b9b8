import { isSuitable, type Learning, type Track } from '@escucho/contracts';
import type { Source } from '#features/player/player.ts';

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
