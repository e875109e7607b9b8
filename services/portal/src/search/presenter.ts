import type { SearchHit } from '@escucho/contracts';
import type { Links } from '../media/links.ts';
import { toTrack } from '../playlists/presenter.ts';
import type { TrackRow } from '../playlists/repository.ts';
import { marksOf } from './marks.ts';
import type { HitRow } from './repository.ts';

function whereOf({ in_head, in_title, in_narrator, sentence }: HitRow): SearchHit['where'] {
  if (!in_head) return sentence ? 'text' : 'summary';
  if (in_title) return 'title';
  return in_narrator ? 'narrator' : 'topic';
}

/** A hit as the wire names it. In: the hit and its track; the words that were looked for, null where there were none; the list's name. */
export function toHit(
  hit: HitRow,
  row: TrackRow,
  { words, source, playable }: { words: ReadonlySet<string> | null; source: string; playable: boolean },
  links: Links,
): SearchHit {
  const track = toTrack(row, { name: source, id: null }, playable, links);
  if (words === null) return { track, where: null, titleMarks: [], sentence: null };
  const { sentence } = hit;
  return {
    track,
    where: whereOf(hit),
    titleMarks: marksOf(row.title, words),
    sentence: sentence && { ...sentence, marks: marksOf(sentence.text, words) },
  };
}
