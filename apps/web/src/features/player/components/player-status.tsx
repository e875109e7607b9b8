import { RotateCw, TriangleAlert } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { dispatch, usePlayer } from '../engine/store.ts';

/** Announces the player's state to screen readers. */
export function PlayerAnnouncement() {
  const t = useT();
  const title = usePlayer(({ activeTrack }) => activeTrack?.title ?? '');
  const phase = usePlayer((player) => player.phase);
  const text =
    phase === 'playing'
      ? t('player.sayPlaying', { title })
      : phase === 'paused'
        ? t('player.sayPaused')
        : phase === 'loading'
          ? t('player.sayLoading', { title })
          : '';
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

/** The error with a retry button (PLAY-06). */
export function PlayerErrorMessage({ className }: { className?: string }) {
  const t = useT();
  const error = usePlayer((player) => player.error);
  if (!error) return null;
  return (
    <div role="alert" className={cn('flex items-center justify-center gap-3 text-xs', className)}>
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      <span className="min-w-0 truncate">{t(`player.failed_${error}`)}</span>
      <button
        type="button"
        onClick={() => dispatch({ type: 'play' })}
        className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-full bg-overlay px-3 font-semibold transition hover:bg-hover active:scale-97 pointer-coarse:min-h-11"
      >
        <RotateCw aria-hidden className="size-3.5" />
        {t('common.retry')}
      </button>
    </div>
  );
}
