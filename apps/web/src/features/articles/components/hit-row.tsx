import type { SearchHit } from '@escucho/contracts';
import { Play } from 'lucide-react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { ArticleRow, type RowTools } from './article-row.tsx';
import { Marked } from './marked.tsx';

interface Props {
  hit: SearchHit;
  index: number;
  /** Plays the hit, from a second if one is named. */
  onPlay: (index: number, from?: number) => void;
  Tools: RowTools;
}

/** Something that was found: where the words stand, and the sentence that says them, to be heard from there (CAT-03). */
export function HitRow({ hit: { track, titleMarks, sentence }, index, onPlay, Tools }: Props) {
  const t = useT();
  const format = useFormat();
  return (
    <ArticleRow
      track={track}
      index={index}
      onPlay={onPlay}
      Tools={Tools}
      title={<Marked text={track.title} marks={titleMarks} />}
    >
      {sentence && (
        <p className="mt-1 flex items-center gap-2 text-sm text-muted">
          <q lang={track.language} className="line-clamp-2 min-w-0 font-serif">
            <Marked text={sentence.text} marks={sentence.marks} />
          </q>
          <button
            type="button"
            aria-label={t('articles.hearFrom', { title: track.title, time: format.time(sentence.start) })}
            onClick={() => onPlay(index, sentence.start)}
            className="flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-3 text-xs font-semibold text-accent-text hover:bg-hover pointer-fine:min-h-8"
          >
            <Play aria-hidden className="size-3" fill="currentColor" />
            {format.time(sentence.start)}
          </button>
        </p>
      )}
    </ArticleRow>
  );
}
