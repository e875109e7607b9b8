import type { Article } from '@escucho/contracts';
import { AudioLines } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useMemo } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { cn } from '#shared/ui/cn.ts';
import { dispatch } from '../engine/events.ts';
import { type Sentence, toParagraphs } from '../model/sentences.ts';
import { useReadingPreferences } from '../reading-preferences.ts';
import { LEGIBLE_FONT_FAMILY, loadLegibleFont } from './legible-font.ts';
import { useCurrentSentence } from './use-current-sentence.ts';
import { useFollowSentence } from './use-follow-sentence.ts';

interface SpokenProps {
  sentence: Sentence;
  index: number;
  isSpoken: boolean;
  /** The one sentence the tab key comes to. */
  isStop: boolean;
  /** The language of the translation that stands below it, if one does. */
  translated: string | null;
}

const SpokenSentence = memo(({ sentence, index, isSpoken, isStop, translated }: SpokenProps) => {
  const seek = () => dispatch({ type: 'seek', position: sentence.start });
  return (
    <span className={translated ? 'mb-2 block' : undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: a real button is a box of its own and cannot break across lines of a paragraph */}
      <span
        role="button"
        tabIndex={isStop ? 0 : -1}
        data-sentence={index}
        aria-current={isSpoken ? 'true' : undefined}
        onClick={seek}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          seek();
        }}
        className={cn(
          '-mx-[0.15em] cursor-pointer rounded-sm box-decoration-clone px-[0.15em] hover:text-ink',
          isSpoken ? 'bg-accent-soft text-ink' : 'text-muted',
        )}
      >
        {sentence.text}
      </span>{' '}
      {translated && (
        <span lang={translated} style={{ fontSize: '0.8em' }} className="block font-sans text-muted">
          {sentence.translation}
        </span>
      )}
    </span>
  );
});

/** Fetches the letters that are easy to tell apart once they are chosen; without them the text stays as it was. */
function useFace(): string | undefined {
  const face = useReadingPreferences((reading) => reading.face);
  useEffect(() => {
    if (face === 'clear') loadLegibleFont().catch(() => undefined);
  }, [face]);
  return face === 'clear' ? `"${LEGIBLE_FONT_FAMILY}", var(--font-sans)` : undefined;
}

const sentenceBeside = (event: KeyboardEvent<HTMLElement>, way: number) => {
  const from = event.target instanceof HTMLElement ? Number(event.target.dataset.sentence) : Number.NaN;
  return event.currentTarget.querySelector<HTMLElement>(`[data-sentence="${from + way}"]`);
};

/** PLAY-08: the text with the spoken sentence lit; a click on a sentence, or Enter, seeks there; up and down walk the sentences. */
export function ReadAlong({ article }: { article: Article }) {
  const t = useT();
  const { sentences, translationLanguage } = article;
  const paragraphs = useMemo(() => toParagraphs(sentences), [sentences]);
  const spoken = useCurrentSentence(sentences);
  const size = useReadingPreferences((reading) => reading.size);
  const hasTranslation = useReadingPreferences((reading) => reading.hasTranslation);
  const fontFamily = useFace();
  const { box, isAway, look, back } = useFollowSentence(spoken, `${size} ${hasTranslation} ${fontFamily}`);
  const translated = hasTranslation ? translationLanguage : null;

  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key.startsWith('Page')) look();
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const to = way && sentenceBeside(event, way);
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
      style={{ fontFamily, fontSize: `${(1.1875 * size) / 100}rem` }}
      className="mx-auto grid max-w-[38rem] gap-[1.1em] font-serif leading-[1.65]"
    >
      {paragraphs.map((paragraph) => (
        <p key={paragraph.first}>
          {paragraph.sentences.map((sentence, offset) => {
            const index = paragraph.first + offset;
            return (
              <SpokenSentence
                key={index}
                sentence={sentence}
                index={index}
                isSpoken={index === spoken}
                isStop={index === Math.max(spoken, 0)}
                translated={sentence.translation === null ? null : translated}
              />
            );
          })}
        </p>
      ))}
      {isAway && (
        <Button
          variant="solid"
          onClick={back}
          className="sticky bottom-4 justify-self-center font-sans shadow-pop"
        >
          <AudioLines aria-hidden className="size-4" />
          {t('reading.follow')}
        </Button>
      )}
    </section>
  );
}
