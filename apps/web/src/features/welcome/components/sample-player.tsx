import type { Sample } from '@escucho/contracts';
import { clsx } from 'clsx';
import { Languages, Pause, Play } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { Sentences } from '#shared/ui/sentences.tsx';
import { Slider } from '#shared/ui/slider.tsx';
import { InlineError } from '#shared/ui/states.tsx';

/** Returns the position of a media element in seconds, on every animation frame while it plays. */
function usePosition(audio: RefObject<HTMLAudioElement | null>, isPlaying: boolean) {
  const [position, setPosition] = useState(0);
  useEffect(() => {
    if (!isPlaying) return;
    let frame = 0;
    const update = () => {
      setPosition(audio.current?.currentTime ?? 0);
      frame = requestAnimationFrame(update);
    };
    frame = requestAnimationFrame(update);
    return () => cancelAnimationFrame(frame);
  }, [audio, isPlaying]);
  return [position, setPosition] as const;
}

/** The text of a sample in a box of its own, which scrolls to the sentence that is spoken. */
function SampleText({ sample, spoken, onSeek }: SampleTextProps) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const [isTranslated, setTranslated] = useState(false);
  const { sentences, language, translationLanguage, title } = sample;
  // biome-ignore lint/correctness/useExhaustiveDependencies: translations move the sentence as another sentence does
  useEffect(() => {
    const sentence = box.current?.querySelector<HTMLElement>('[aria-current]');
    if (!box.current || !sentence) return;
    box.current.scrollTop = sentence.offsetTop - (box.current.clientHeight - sentence.offsetHeight) / 2;
  }, [spoken, isTranslated]);
  return (
    <>
      <section
        ref={box}
        aria-label={t('common.textOf', { title })}
        className="relative mt-4 h-64 overflow-y-auto scroll-smooth px-1 font-serif text-lg leading-relaxed"
      >
        <div lang={language} className="grid gap-4">
          <Sentences
            sentences={sentences}
            position={spoken}
            onSeek={onSeek}
            translationLanguage={isTranslated ? translationLanguage : null}
          />
        </div>
      </section>
      {translationLanguage && (
        <Button
          aria-pressed={isTranslated}
          onClick={() => setTranslated(!isTranslated)}
          className={clsx('mt-4', isTranslated && 'text-accent-text')}
        >
          <Languages aria-hidden className="size-4" />
          {t('common.translation')}
        </Button>
      )}
    </>
  );
}

interface SampleTextProps {
  sample: Sample;
  /** Where the sentence that is spoken starts, in seconds; null before the first. */
  spoken: number | null;
  onSeek: (to: number) => void;
}

/**
 * A narrated article that plays without an account, with its text.
 *
 * @param onRetry fetches the sample again, with a fresh link
 */
export function SamplePlayer({ sample, onRetry }: { sample: Sample; onRetry: () => void }) {
  const t = useT();
  const format = useFormat();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [position, setPosition] = usePosition(audio, isPlaying);
  const { title, sentences, duration, narrator, level, language } = sample;
  const hasStarted = isPlaying || position > 0;
  const spoken = hasStarted ? sentences.findLast(({ start }) => start <= position) : undefined;

  // An element without a document plays on.
  useEffect(() => {
    const element = audio.current;
    return () => element?.pause();
  }, []);

  function play(): void {
    audio.current?.play().catch((error: unknown) => {
      // A pause right after it is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(true);
    });
  }
  function seek(to: number): void {
    if (audio.current) audio.current.currentTime = to;
    setPosition(to);
  }

  return (
    <article aria-label={title} className="p-5 sm:p-6">
      {/* biome-ignore lint/a11y/useMediaCaption: the whole text is shown beside it */}
      <audio
        ref={audio}
        src={sample.url}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onError={() => setFailed(true)}
      />
      <div className="flex items-center gap-4">
        <Cover
          src={sample.artwork}
          size={112}
          decoding="auto"
          className="size-16 shrink-0 rounded-md sm:size-28"
        />
        <div className="min-w-0 grow">
          <p className="text-xs text-muted">{t('welcome.sample')}</p>
          <h2 lang={language} className="mt-0.5 line-clamp-2 heading text-lg text-balance">
            {title}
          </h2>
          <p className="mt-1 text-sm text-muted">
            {level} · {t('welcome.narrator', { name: narrator.name })}
          </p>
        </div>
        <button
          type="button"
          aria-label={t(isPlaying ? 'discover.pause' : 'discover.play', { title })}
          onClick={() => (isPlaying ? audio.current?.pause() : play())}
          className="grid size-14 shrink-0 place-items-center rounded-full bg-accent sm:size-16 text-on-accent transition hover:bg-accent-strong active:scale-94 [&_svg]:size-6"
        >
          {isPlaying ? (
            <Pause fill="currentColor" strokeWidth={1} />
          ) : (
            <Play fill="currentColor" strokeWidth={1} />
          )}
        </button>
      </div>
      <div className="mt-4 flex items-center gap-3 text-xs text-muted tabular-nums">
        {format.time(position)}
        <Slider
          label={t('welcome.position')}
          value={position}
          max={duration}
          step="any"
          text={format.time}
          onChange={seek}
        />
        {format.time(duration)}
      </div>
      {hasFailed ? (
        <InlineError
          text={t('welcome.sampleFailed')}
          onRetry={onRetry}
          className="mt-4 grid h-64 place-content-center justify-items-center gap-4 text-center text-muted"
        />
      ) : (
        <SampleText
          sample={sample}
          spoken={spoken?.start ?? null}
          onSeek={(to) => {
            seek(to);
            play();
          }}
        />
      )}
    </article>
  );
}
