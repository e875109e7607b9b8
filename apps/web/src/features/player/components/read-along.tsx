import type { Article } from '@escucho/contracts';
import { type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { cn } from '../../../shared/ui/cn.ts';
import { dispatch } from '../dispatch.ts';
import { paragraphsOf, type Sentence, sentenceAt } from '../model/sentences.ts';
import { useProgress } from '../store.ts';

/** The page follows the voice again this long after the reader scrolled; milliseconds. */
const patience = 5000;

interface SpokenProps {
  sentence: Sentence;
  index: number;
  isSpoken: boolean;
  /** The one sentence the tab key comes to. */
  isStop: boolean;
}

const SpokenSentence = memo(({ sentence, index, isSpoken, isStop }: SpokenProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a real button is a box of its own and cannot break across lines of a paragraph
  <span
    role="button"
    tabIndex={isStop ? 0 : -1}
    data-sentence={index}
    aria-current={isSpoken ? 'true' : undefined}
    onClick={() => dispatch({ type: 'seek', position: sentence.start })}
    onKeyDown={(event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      dispatch({ type: 'seek', position: sentence.start });
    }}
    className={cn(
      '-mx-[0.15em] cursor-pointer rounded-sm box-decoration-clone px-[0.15em] transition-colors hover:text-ink',
      isSpoken ? 'bg-accent-soft text-ink' : 'text-muted',
    )}
  >
    {sentence.text}
  </span>
));

const sentenceIn = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLElement>(`[data-sentence="${index}"]`);

/** Keeps the spoken sentence in sight, unless the reader has just looked elsewhere. Out: the box, and what to call when they look. */
function useFollow(index: number) {
  const box = useRef<HTMLElement>(null);
  const lookedAt = useRef(Number.NEGATIVE_INFINITY);
  const isFirst = useRef(true);
  useEffect(() => {
    if (performance.now() - lookedAt.current < patience) return;
    // From then on as the page scrolls elsewhere: smoothly, or at once for who wants no movement.
    const behavior = isFirst.current ? 'instant' : 'auto';
    isFirst.current = false;
    sentenceIn(box.current, index)?.scrollIntoView({ block: 'center', behavior });
  }, [index]);
  const look = () => {
    lookedAt.current = performance.now();
  };
  return { box, look };
}

/** PLAY-08: the text with the spoken sentence lit; a click on a sentence, or Enter, seeks there; up and down walk the sentences. */
export function ReadAlong({ article }: { article: Article }) {
  const t = useT();
  const { sentences } = article;
  const paragraphs = useMemo(() => paragraphsOf(sentences), [sentences]);
  const spoken = useProgress(({ position }) => sentenceAt(sentences, position));
  const { box, look } = useFollow(spoken);

  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const from = event.target instanceof HTMLElement ? Number(event.target.dataset.sentence) : Number.NaN;
    const to = way && sentenceIn(box.current, from + way);
    if (!to) return;
    event.preventDefault();
    look();
    to.focus();
  };
  return (
    <section
      ref={box}
      lang={article.language}
      aria-label={t('player.text', { title: article.title })}
      onKeyDown={walk}
      onWheel={look}
      onTouchMove={look}
      className="mx-auto grid max-w-[38rem] gap-[1.1em] font-serif text-[1.1875rem] leading-[1.65] md:text-[1.25rem]"
    >
      {paragraphs.map((paragraph) => (
        <p key={paragraph.first}>
          {paragraph.sentences.map((sentence, offset) => {
            const index = paragraph.first + offset;
            return (
              <span key={index}>
                <SpokenSentence
                  sentence={sentence}
                  index={index}
                  isSpoken={index === spoken}
                  isStop={index === Math.max(spoken, 0)}
                />{' '}
              </span>
            );
          })}
        </p>
      ))}
    </section>
  );
}
