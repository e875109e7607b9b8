import type { Hit } from '@escucho/contracts';
import type { Links } from '../media/links.ts';
import { toTrack } from '../playlists/presenter.ts';
import { marksOf } from './marks.ts';
import type { HitRow } from './repository.ts';

function whereOf({ in_head, in_title, in_narrator, sentence }: HitRow): Hit['where'] {
  if (!in_head) return sentence ? 'text' : 'summary';
  if (in_title) return 'title';
  return in_narrator ? 'narrator' : 'topic';
}

/** A hit as the wire names it. In: the row; as a pattern the words that were looked for, null where there were none; the list's name. */
export function toHit(
  row: HitRow,
  { pattern, source, playable }: { pattern: string | null; source: string; playable: boolean },
  links: Links,
): Hit {
  const track = toTrack(row, { name: source, id: null }, playable, links);
  if (pattern === null) return { track, where: null, titleMarks: [], sentence: null };
  const { sentence } = row;
  return {
    track,
    where: whereOf(row),
    titleMarks: marksOf(row.title, pattern),
    sentence: sentence && { ...sentence, marks: marksOf(sentence.text, pattern) },
  };
}
