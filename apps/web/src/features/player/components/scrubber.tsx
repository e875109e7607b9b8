import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Slider } from '#shared/ui/slider.tsx';
import { dispatch, usePlayback, usePlayer } from '../engine/store.ts';
import { getTickPositions } from '../model/sentences.ts';
import { articleQuery } from '../queries.ts';

/** Assistive technology changes the slider without a pointer release; after this delay the change counts. */
const COMMIT_DELAY_MS = 400;

/** Marks for the starts of sentences, and wider ones for chapters and pages. */
function SentenceTicks({ id, duration }: { id: string; duration: number }) {
  const isLoaded = usePlayer(({ phase }) => phase === 'playing' || phase === 'paused');
  const { data } = useQuery({ ...articleQuery(id), enabled: isLoaded });
  const paths = useMemo(() => {
    const sections = [...(data?.chapters ?? []), ...(data?.pages ?? [])];
    return [data?.sentences ?? [], sections].map((starts) =>
      getTickPositions(starts, duration)
        .map((share) => `M${(share * 1000).toFixed(1)} 0v10`)
        .join(''),
    );
  }, [data, duration]);
  return (
    <svg
      aria-hidden
      viewBox="0 0 1000 10"
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 my-auto h-1 w-full text-surface"
    >
      <path d={paths[0]} stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      <path d={paths[1]} stroke="currentColor" strokeWidth="4" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** The seek slider with position and buffered range (PLAY-06). The only component that renders each second. */
export function Scrubber({ className }: { className?: string }) {
  const t = useT();
  const format = useFormat();
  const id = usePlayer(({ activeTrack }) => activeTrack?._id);
  const duration = usePlayer(({ activeTrack }) => activeTrack?.duration ?? 0);
  const second = usePlayback(({ position }) => Math.floor(position));
  const buffered = usePlayback((progress) => progress.buffered);
  const [dragged, setDragged] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A seek or another track discards the slider's uncommitted value.
    const stop = usePlayback.subscribe((now, before) => {
      if (now.jumps === before.jumps) return;
      clearTimeout(timer.current);
      setDragged(null);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, []);

  const commit = (position: number) => dispatch({ type: 'seek', position });
  const drag = (position: number) => {
    clearTimeout(timer.current);
    setDragged(position);
    timer.current = setTimeout(() => commit(position), COMMIT_DELAY_MS);
  };
  const shown = dragged ?? second;
  const toSpokenText = (value: number) =>
    t('player.positionText', { now: format.spokenDuration(value), all: format.spokenDuration(duration) });
  return (
    <div className={clsx('flex w-full items-center gap-3 text-xs text-muted tabular-nums', className)}>
      <span className="min-w-10 text-right">{format.time(shown)}</span>
      <Slider
        label={t('player.position')}
        value={shown}
        max={duration}
        buffered={buffered}
        disabled={id === undefined}
        onChange={drag}
        onCommit={(position) => dragged !== null && commit(position)}
        text={toSpokenText}
        ticks={id === undefined ? null : <SentenceTicks id={id} duration={duration} />}
        className="flex-1 pointer-fine:h-6!"
      />
      <span className="min-w-10">{format.time(duration)}</span>
    </div>
  );
}
