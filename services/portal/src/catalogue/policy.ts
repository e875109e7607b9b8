import { getLevelDistance, isSuitable, type Learning, type Track } from '@escucho/contracts';
import { hasFreeTrack, type Source } from '../media/policy.ts';

interface Candidate {
  id: string;
  topic: string;
  level: Track['level'];
}

/**
 * Returns articles related to one: the same topic first, then the nearest level, otherwise in the order of the candidates,
 * among which an article may appear twice.
 */
export function selectRelated<Row extends Candidate>(
  article: Candidate,
  candidates: readonly Row[],
  max: number,
): Row[] {
  const others = new Map(candidates.map((row) => [row.id, row]));
  others.delete(article.id);
  return [...others.values()]
    .sort(
      (one, other) =>
        Number(other.topic === article.topic) - Number(one.topic === article.topic) ||
        getLevelDistance(one.level, article.level) - getLevelDistance(other.level, article.level),
    )
    .slice(0, max);
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
