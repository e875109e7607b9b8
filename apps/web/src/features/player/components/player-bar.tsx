import type { Track } from '@escucho/contracts';
import { ListMusic } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { usePlayback, usePlayer } from '../engine/store.ts';
import { NowPlaying } from './now-playing.tsx';
import { PlayButton, SkipButton, StepButton } from './player-controls.tsx';
import { PlayerAnnouncement, PlayerErrorMessage } from './player-status.tsx';
import { Scrubber } from './scrubber.tsx';
import { SleepControl } from './sleep.tsx';
import { SpeedButton, VolumeControl } from './sound.tsx';

const loadFull = lazyImport(() => import('./full-player.tsx'));
const FullPlayer = lazy(loadFull);
const loadQueue = lazyImport(() => import('./queue-drawer.tsx'));
const QueueDrawer = lazy(loadQueue);
const PartsDrawer = lazy(lazyImport(() => import('./parts-drawer.tsx')));

/** How far the track is, as a hairline on the phone's small player. */
function Hairline() {
  const duration = usePlayer(({ activeTrack }) => activeTrack?.duration ?? 0);
  const share = usePlayback(({ position }) => (duration > 0 ? Math.floor(position) / duration : 0));
  return (
    <div aria-hidden className="absolute inset-x-0 -top-px h-0.5 md:hidden">
      <div className="h-full origin-left bg-accent" style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}

/** What opens from the player: the queue, or chapters and bookmarks. */
export type PlayerDrawer = 'queue' | 'parts';

/** What else can be done with the track that plays; handed in by the app. */
export type PlayerTools = ComponentType<{ track: Track }>;

/** The footer player; on a phone a small one that opens to the whole screen. */
export function PlayerBar({ Tools }: { Tools: PlayerTools }) {
  const t = useT();
  const track = usePlayer((player) => player.activeTrack);
  const [isFull, setFull] = useState(false);
  // Over the page, or over the full player.
  const [drawer, setDrawer] = useState<PlayerDrawer | null>(null);
  const hasTrack = track !== null;
  // A full player that came back with a track would lie over the queue it was cleared in.
  useEffect(() => {
    if (!hasTrack) setFull(false);
  }, [hasTrack]);
  return (
    <section
      aria-label={t('player.region')}
      className="relative border-t border-line bg-surface/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-xl"
    >
      <Hairline />
      <PlayerAnnouncement />
      <div className="grid h-17 grid-cols-[minmax(0,1fr)_auto] items-center gap-3 px-3 md:h-23 md:grid-cols-[minmax(0,1fr)_minmax(0,1.7fr)_auto] md:px-5 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,42rem)_minmax(0,1fr)] lg:gap-6">
        <NowPlaying onOpen={() => setFull(true)} onNear={() => void loadFull()} />
        <div className="min-w-0">
          <div className="flex items-center justify-center gap-1">
            <StepButton way="previous" className="hidden md:grid" />
            <SkipButton way="back" />
            <PlayButton className="mx-1 size-11" />
            <SkipButton way="forward" className="hidden md:grid" />
            <StepButton way="next" className="hidden md:grid" />
          </div>
          <Scrubber className="hidden md:flex" />
        </div>
        <div className="relative hidden items-center justify-end gap-1 md:flex">
          {/* In less room the title comes first; the full player has them. */}
          <span className="hidden lg:contents">{track && <Tools track={track} />}</span>
          <SpeedButton />
          <VolumeControl />
          <SleepControl />
          <IconButton
            label={t('player.queue')}
            aria-haspopup="dialog"
            onPointerEnter={() => void loadQueue()}
            onClick={() => setDrawer('queue')}
          >
            <ListMusic />
          </IconButton>
        </div>
      </div>
      <PlayerErrorMessage className="px-3 pb-2" />
      <Suspense>
        {isFull && <FullPlayer onClose={() => setFull(false)} Tools={Tools} onDrawer={setDrawer} />}
      </Suspense>
      {/* On its own: what waits for its code in the same boundary would close the full player, and take the focus with it. */}
      <Suspense>
        {drawer === 'queue' && <QueueDrawer onClose={() => setDrawer(null)} />}
        {drawer === 'parts' && <PartsDrawer onClose={() => setDrawer(null)} />}
      </Suspense>
    </section>
  );
}
