import type { Article } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { AudioLines } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react';
import { useMediaQuery } from '#shared/document.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { useReadingPreferences } from '#shared/preferences.ts';
import { Button } from '#shared/ui/button.tsx';
import { SentenceButton, toParagraphs } from '#shared/ui/sentences.tsx';
import { InlineQueryFallback, LoadingStatus, Skeleton } from '#shared/ui/states.tsx';
import { dispatch, getCurrentPosition, usePlayback, usePlayer } from '../engine/store.ts';
import { findSentenceIndex, type Sentence } from '../model/sentences.ts';
import { articleQuery } from '../queries.ts';
import { ReadingTools } from './reading-tools.tsx';

interface SentenceProps {
  sentence: Sentence & { index: number };
  isCurrent: boolean;
  isTabStop: boolean;
  /** The language of the translation shown below; null shows none. */
  translation: string | null;
}

const TextSentence = memo(({ sentence, isCurrent, isTabStop, translation }: SentenceProps) => {
  return (
    <span className={translation ? 'mb-2 block' : undefined}>
      <SentenceButton
        tabIndex={isTabStop ? 0 : -1}
        data-sentence={sentence.index}
        isCurrent={isCurrent}
        onPress={() => dispatch({ type: 'seek', position: sentence.start })}
        className={clsx('hover:text-ink', isCurrent ? 'bg-accent-soft text-ink' : 'text-muted')}
      >
        {sentence.text}
      </SentenceButton>{' '}
      {translation && (
        <span lang={translation} style={{ fontSize: '0.8em' }} className="block font-sans text-muted">
          {sentence.translation}
        </span>
      )}
    </span>
  );
});

const findSentence = (box: HTMLElement | null, index: number) =>
  box?.querySelector<HTMLElement>(`[data-sentence="${index}"]`);

/**
 * Returns the index of the current sentence, or -1 before the first (PLAY-08). It is updated on every animation frame while
 * playing, so that the highlight is in sync with the sound.
 */
function useCurrentSentence(sentences: readonly { start: number }[]): number {
  const isPlaying = usePlayer(({ phase }) => phase === 'playing');
  const [current, setCurrent] = useState(() => findSentenceIndex(sentences, getCurrentPosition()));
  useEffect(() => {
    const update = () => setCurrent(findSentenceIndex(sentences, getCurrentPosition()));
    update();
    const stop = usePlayback.subscribe(update);
    let frame = 0;
    const onFrame = () => {
      update();
      frame = requestAnimationFrame(onFrame);
    };
    if (isPlaying) frame = requestAnimationFrame(onFrame);
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [sentences, isPlaying]);
  return current;
}

/** Returns whether a sentence is visible, at least partly, in its scroll container. */
function isVisible(box: HTMLElement, sentence: HTMLElement): boolean {
  const around = box.parentElement?.getBoundingClientRect();
  const { top, bottom } = sentence.getBoundingClientRect();
  return !around || (bottom > around.top && top < around.bottom);
}

/**
 * Scrolls the current sentence into view, until the user scrolls away; it continues when the sentence becomes visible or
 * `resume` is called.
 * @param layout - changes whenever the text is laid out differently
 */
function useFollowSentence(index: number, layout: string) {
  const box = useRef<HTMLElement>(null);
  const isBrowsing = useRef(false);
  const isScrollbarHeld = useRef(false);
  const isFirst = useRef(true);
  const [isAway, setAway] = useState(false);

  const follow = (behavior: ScrollBehavior) => {
    isBrowsing.current = false;
    setAway(false);
    findSentence(box.current, index)?.scrollIntoView({ block: 'center', behavior });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout moves the sentence as another sentence does
  useEffect(() => {
    const sentence = findSentence(box.current, index);
    if (!box.current || !sentence || (isBrowsing.current && !isVisible(box.current, sentence))) return;
    // Afterwards by the style sheet: smooth, except with prefers-reduced-motion.
    follow(isFirst.current ? 'instant' : 'auto');
    isFirst.current = false;
  }, [index, layout]);
  useEffect(() => {
    const scrolled = () => {
      if (isScrollbarHeld.current) isBrowsing.current = true;
      const sentence = findSentence(box.current, index);
      if (isBrowsing.current && box.current && sentence) setAway(!isVisible(box.current, sentence));
    };
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', scrolled, { capture: true });
  }, [index]);
  useEffect(() => {
    // Of a drag of the scrollbar, browsers report the press, to the scroll container, but not in all cases the release.
    const listeners = new AbortController();
    const track = ({ type, target, buttons }: PointerEvent) => {
      if (type === 'pointerdown') isScrollbarHeld.current = target === box.current?.parentElement;
      else if (buttons === 0) isScrollbarHeld.current = false;
    };
    document.addEventListener('pointerdown', track, { signal: listeners.signal });
    document.addEventListener('pointermove', track, { signal: listeners.signal });
    return () => listeners.abort();
  }, []);

  const browse = () => {
    isBrowsing.current = true;
  };
  return { box, isAway, browse, resume: () => follow('auto') };
}

/** The text with the current sentence highlighted (PLAY-08). A click or Enter seeks to a sentence; arrow keys move between sentences. */
function ReadAlong({ article }: { article: Article }) {
  const t = useT();
  const { sentences, translationLanguage } = article;
  const paragraphs = useMemo(
    () => toParagraphs(sentences.map((sentence, index) => ({ ...sentence, index }))),
    [sentences],
  );
  const current = useCurrentSentence(sentences);
  // The text is hidden while it is neither read nor beside the controls, and hidden text does not scroll.
  const { size, face, hasTranslation, isReading } = useReadingPreferences();
  const isLandscape = useMediaQuery('(orientation: landscape)');
  const { box, isAway, browse, resume } = useFollowSentence(
    current,
    `${size} ${hasTranslation} ${face} ${isReading} ${isLandscape}`,
  );
  const translationShown = hasTranslation ? translationLanguage : null;

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key.startsWith('Page')) browse();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const from = event.target instanceof HTMLElement ? Number(event.target.dataset.sentence) : Number.NaN;
    const neighbour = step && findSentence(event.currentTarget, from + step);
    if (!neighbour) return;
    event.preventDefault();
    browse();
    neighbour.focus();
  };
  return (
    <section
      ref={box}
      aria-label={t('common.textOf', { title: article.title })}
      onKeyDown={handleKeyDown}
      onWheel={browse}
      onTouchMove={browse}
      style={{ fontSize: `${(1.1875 * size) / 100}rem` }}
      className={clsx(
        'mx-auto grid max-w-[38rem] gap-[1.1em] leading-[1.65]',
        face === 'clear' ? 'font-legible' : 'font-serif',
      )}
    >
      {paragraphs.map((paragraph) => (
        <p key={paragraph[0]?.index} lang={article.language}>
          {paragraph.map((sentence) => (
            <TextSentence
              key={sentence.index}
              sentence={sentence}
              isCurrent={sentence.index === current}
              isTabStop={sentence.index === Math.max(current, 0)}
              translation={sentence.translation === null ? null : translationShown}
            />
          ))}
        </p>
      ))}
      {isAway && (
        <Button
          variant="solid"
          onClick={resume}
          className="sticky bottom-4 justify-self-center font-sans shadow-pop"
        >
          <AudioLines aria-hidden className="size-4" />
          {t('reading.follow')}
        </Button>
      )}
    </section>
  );
}

const lines = ['w-full', 'w-11/12', 'w-[96%]', 'w-4/5', 'w-[92%]', 'w-2/3'];

/** The text of the active track, or why there is none. */
export function ArticleText({ id }: { id: string }) {
  const t = useT();
  const query = useQuery(articleQuery(id));
  const { data } = query;
  if (data && data.sentences.length > 0)
    return (
      <>
        {data.estimated && (
          <p className="mx-auto mb-4 max-w-[38rem] text-sm text-muted">{t('reading.estimated')}</p>
        )}
        <ReadAlong key={id} article={data} />
      </>
    );
  if (data) return <p className="text-center text-muted">{t('reading.none')}</p>;
  return (
    <InlineQueryFallback
      query={query}
      text={t('reading.failed')}
      className="grid justify-items-center gap-4 text-center text-muted"
      loading={
        <LoadingStatus className="mx-auto grid max-w-[38rem] gap-4">
          {lines.map((width) => (
            <Skeleton key={width} className={clsx('h-5', width)} />
          ))}
        </LoadingStatus>
      }
    />
  );
}

// Inline, because the style sheet is loaded on every page.
const faded = 'linear-gradient(transparent, black 2.5rem, black calc(100% - 2.5rem), transparent)';

/** The text of the full player with its tools. */
export function TextPane({ id, className }: { id: string; className: string }) {
  const { data } = useQuery(articleQuery(id));
  return (
    <div className={clsx('min-h-0 grid-rows-[minmax(0,1fr)_auto] gap-2', className)}>
      <div
        style={{ maskImage: faded }}
        // Below or beside the close button, which would cover the scrollbar.
        className="mt-10 min-h-0 overflow-y-auto scroll-smooth py-8 landscape:py-[min(30vh,50vh-6rem)] low:mt-0 low:mr-12 low:py-10"
      >
        <ArticleText id={id} />
      </div>
      {data && data.sentences.length > 0 && (
        <ReadingTools hasTranslation={data.translationLanguage !== null} />
      )}
    </div>
  );
}
