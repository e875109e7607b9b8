import { limits } from '@escucho/contracts';
import { Pause, Play, RotateCcw, RotateCw, SkipBack, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { dispatch } from '../engine/events.ts';
import { usePlayer } from '../engine/store.ts';

const { skipSeconds } = limits.player;

const SkipMark = ({ children }: { children: ReactNode }) => (
  <span aria-hidden className="relative grid place-items-center">
    {children}
    <span className="absolute text-[0.5rem] font-bold tabular-nums">{skipSeconds}</span>
  </span>
);

/** Play or pause, whichever is next. A ring turns around it while sound is wanted and has not come yet. */
export function PlayButton({ className }: { className?: string }) {
  const t = useT();
  const hasTrack = usePlayer(({ activeTrack }) => activeTrack !== null);
  const isPlaying = usePlayer((player) => player.isPlaying);
  const isWaiting = usePlayer(({ isPlaying, phase }) => isPlaying && phase !== 'playing');
  const Icon = isPlaying ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={t(isPlaying ? 'player.pause' : 'player.play')}
      disabled={!hasTrack}
      onClick={() => dispatch({ type: 'toggle' })}
      className={cn(
        'relative grid shrink-0 place-items-center rounded-full bg-accent text-on-accent transition hover:bg-accent-strong active:scale-94 disabled:bg-overlay disabled:text-muted',
        className,
      )}
    >
      <Icon
        aria-hidden
        className={cn('size-2/5', !isPlaying && 'translate-x-[8%]')}
        fill="currentColor"
        strokeWidth={1}
      />
      {isWaiting && (
        <span
          aria-hidden
          className="absolute -inset-1 animate-spin rounded-full border-2 border-accent border-r-transparent [animation-delay:400ms] motion-reduce:animate-pulse"
        />
      )}
    </button>
  );
}

/** Back or forward by 15 seconds. */
export function SkipButton({ way, className }: { way: 'back' | 'forward'; className?: string }) {
  const t = useT();
  const hasTrack = usePlayer(({ activeTrack }) => activeTrack !== null);
  const seconds = way === 'back' ? -skipSeconds : skipSeconds;
  return (
    <IconButton
      label={t(`player.${way}`, { n: skipSeconds })}
      disabled={!hasTrack}
      onClick={() => dispatch({ type: 'skipBy', seconds })}
      className={cn('[&_svg]:size-6', className)}
    >
      <SkipMark>{way === 'back' ? <RotateCcw strokeWidth={1.5} /> : <RotateCw strokeWidth={1.5} />}</SkipMark>
    </IconButton>
  );
}

/** To the track before or after. */
export function StepButton({ way, className }: { way: 'previous' | 'next'; className?: string }) {
  const t = useT();
  const hasTrack = usePlayer(({ activeTrack }) => activeTrack !== null);
  const step = () =>
    dispatch(way === 'previous' ? { type: 'previous' } : { type: 'next', removeFromContinue: true });
  return (
    <IconButton label={t(`player.${way}`)} disabled={!hasTrack} onClick={step} className={cn(className)}>
      {way === 'previous' ? <SkipBack fill="currentColor" /> : <SkipForward fill="currentColor" />}
    </IconButton>
  );
}

/** Previous, −15, play, +15, next, for thumbs. */
export function Transport() {
  const side = 'size-12! [&_svg]:size-7!';
  return (
    <div className="mx-auto flex w-full max-w-sm items-center justify-between">
      <StepButton way="previous" className={side} />
      <SkipButton way="back" className={side} />
      <PlayButton className="size-16 sm:size-18" />
      <SkipButton way="forward" className={side} />
      <StepButton way="next" className={side} />
    </div>
  );
}
