import { ListMusic, Repeat1 } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { WaveformIllustration } from '#shared/ui/states.tsx';
import { usePlayback, usePlayer } from '../engine/store.ts';
import { hasPlayedToEnd } from '../model/state.ts';
import { NextTrack, TrackTools } from '../player.ts';
import type { PlayerDrawer } from './full-player.tsx';
import {
  PlayButton,
  PlayerAnnouncement,
  PlayerErrorMessage,
  SkipButton,
  SleepControl,
  SpeedControl,
  StepButton,
  VolumeControl,
} from './player-controls.tsx';
import { Scrubber } from './scrubber.tsx';

/** The button with cover, title and narrator of the active track; opens the full player. */
function NowPlaying({ onOpen, onApproach }: { onOpen: () => void; onApproach: () => void }) {
  const t = useT();
  const track = usePlayer((player) => player.activeTrack);
  const isLooped = usePlayer(({ practice }) => practice?.mode === 'loop' || practice?.mode === 'speedLadder');
  if (!track)
    return (
      <div className="flex min-w-0 items-center gap-3">
        <span
          aria-hidden
          className="grid size-12 shrink-0 place-items-center overflow-hidden rounded-sm bg-overlay text-muted md:size-14 low:size-10"
        >
          <span className="w-3/5 [&_svg]:h-auto [&_svg]:w-full">
            <WaveformIllustration />
          </span>
        </span>
        <div className="min-w-0">
          <p className="truncate text-sm font-semibold">{t('player.nothing')}</p>
          <p className="line-clamp-2 text-xs text-muted low:line-clamp-1">{t('player.nothingHint')}</p>
        </div>
      </div>
    );
  return (
    <button
      type="button"
      onClick={onOpen}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      className="flex min-w-0 items-center gap-3 rounded-sm text-left"
    >
      <Cover src={track.image} size={56} className="size-12 shrink-0 rounded-sm md:size-14 low:size-10" />
      <span className="min-w-0">
        <span className="sr-only">{t('player.open')}: </span>
        <span lang={track.language} className="block truncate text-sm font-semibold">
          {track.title}
        </span>
        {isLooped ? (
          <span className="flex items-center gap-1.5 text-xs text-accent-text">
            <Repeat1 aria-hidden className="size-3.5 shrink-0" />
            <span className="truncate">{t('player.looped')}</span>
          </span>
        ) : (
          <span className="block truncate text-xs text-muted">{track.artist}</span>
        )}
      </span>
    </button>
  );
}

const FullPlayer = lazyComponent(async () => (await import('./full-player.tsx')).FullPlayer);
const QueueDrawer = lazyComponent(async () => (await import('./queue-drawer.tsx')).QueueDrawer);
const ContentsDrawer = lazyComponent(async () => (await import('./contents-drawer.tsx')).ContentsDrawer);

function ProgressLine() {
  const duration = usePlayer(({ activeTrack }) => activeTrack?.duration ?? 0);
  const ratio = usePlayback(({ position }) => (duration > 0 ? Math.floor(position) / duration : 0));
  return (
    <div aria-hidden className="absolute inset-x-0 -top-px h-0.5 md:hidden low:block">
      <div className="h-full origin-left bg-accent" style={{ transform: `scaleX(${ratio})` }} />
    </div>
  );
}

/** The player in the footer; on phones a compact one that opens the full player. */
export function PlayerBar() {
  const t = useT();
  const Next = use(NextTrack);
  const Tools = use(TrackTools);
  const track = usePlayer((player) => player.activeTrack);
  const isOver = usePlayer(hasPlayedToEnd);
  const [isFull, setFull] = useState(false);
  // Opens over the page or the full player.
  const [drawer, setDrawer] = useState<PlayerDrawer | null>(null);
  const hasTrack = track !== null;
  // Otherwise the full player would reopen over the queue drawer when a cleared queue is restored.
  useEffect(() => {
    if (!hasTrack) setFull(false);
  }, [hasTrack]);
  const next = isOver && track && (
    <LazyBoundary>
      <Next after={track} />
    </LazyBoundary>
  );
  return (
    <section
      id="player"
      tabIndex={-1}
      aria-label={t('player.region')}
      className="relative border-t border-line bg-surface/95 backdrop-blur-xl md:pb-[env(safe-area-inset-bottom)]"
    >
      <ProgressLine />
      <PlayerAnnouncement />
      <div className="border-b border-line px-3 py-2 empty:hidden md:px-5">{!isFull && next}</div>
      <div className="grid min-h-17 grid-cols-[minmax(0,1fr)_auto] items-center gap-3 px-3 md:min-h-23 low:min-h-14 md:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)_auto] md:px-5 lg:grid-cols-[minmax(240px,1fr)_minmax(0,480px)_minmax(240px,1fr)] lg:gap-6 xl:grid-cols-[minmax(336px,1fr)_minmax(0,672px)_minmax(336px,1fr)]">
        <NowPlaying onOpen={() => setFull(true)} onApproach={FullPlayer.preload} />
        <div className="min-w-0">
          <div className="relative z-1 flex items-center justify-center gap-1">
            <StepButton direction="previous" className="hidden md:grid" />
            <SkipButton direction="back" />
            <PlayButton className="mx-1 size-11" />
            <SkipButton direction="forward" className="hidden md:grid" />
            <StepButton direction="next" className="hidden md:grid" />
          </div>
          {/* On touch its room is 44 px high: the buttons lie over the beginning of it, clear of the footer's edge. */}
          <Scrubber className="hidden md:flex low:hidden pointer-coarse:-mt-2" />
        </div>
        <div className="relative hidden items-center justify-end gap-1 md:flex">
          {/* Narrow screens have them in the full player only. */}
          <span className="hidden xl:contents">{track && <Tools track={track} />}</span>
          <SpeedControl />
          <VolumeControl />
          <SleepControl />
          <IconButton
            label={t('player.queue')}
            aria-haspopup="dialog"
            onPointerEnter={QueueDrawer.preload}
            onClick={() => setDrawer('queue')}
          >
            <ListMusic />
          </IconButton>
        </div>
      </div>
      <PlayerErrorMessage className="px-3 pb-2" />
      <LazyBoundary onFailed={() => setFull(false)}>
        {isFull && <FullPlayer onClose={() => setFull(false)} next={next} onDrawer={setDrawer} />}
      </LazyBoundary>
      {/* A separate boundary: suspending the one above would unmount the full player and lose the focus. */}
      <LazyBoundary onFailed={() => setDrawer(null)}>
        {drawer === 'queue' && <QueueDrawer onClose={() => setDrawer(null)} />}
        {drawer === 'contents' && <ContentsDrawer onClose={() => setDrawer(null)} />}
      </LazyBoundary>
    </section>
  );
}
