import type { Track } from '@escucho/contracts';
import { clsx } from 'clsx';
import { Bookmark, BookOpenText, ListMusic } from 'lucide-react';
import { type ReactNode, use } from 'react';
import { Link } from 'wouter';
import { useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { useReadingPreferences } from '#shared/preferences.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { usePlayer } from '../engine/store.ts';
import { TrackTools } from '../player.ts';
import { TextPane } from './article-text.tsx';
import {
  PlayerAnnouncement,
  PlayerErrorMessage,
  SleepControl,
  SpeedControl,
  Transport,
  VolumeControl,
} from './player-controls.tsx';
import { Scrubber } from './scrubber.tsx';

/** The drawers of the player: the queue, or chapters and bookmarks. */
export type PlayerDrawer = 'queue' | 'contents';

interface ControlsProps {
  track: Track;
  /** What to play next, once the track is over. */
  next: ReactNode;
  onDrawer: (drawer: PlayerDrawer) => void;
  onClose: () => void;
}

function Controls({ track, next, onDrawer, onClose }: ControlsProps) {
  const t = useT();
  const Tools = use(TrackTools);
  const isReading = useReadingPreferences((preferences) => preferences.isReading);
  return (
    <div className="row-start-2 grid grid-cols-1 gap-3 sm:gap-4">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <p
            lang={track.language}
            className="line-clamp-2 font-serif text-lg font-semibold text-balance wrap-anywhere"
          >
            <Link to={paths.article(track._id)} onClick={onClose} className="hover:underline">
              {track.title}
            </Link>
          </p>
          <p className="truncate text-sm text-muted">{track.artist}</p>
        </div>
        <Tools track={track} />
      </div>
      <Scrubber />
      <PlayerErrorMessage />
      <Transport />
      {next}
      {/* The negative margins fit all touch targets in one row at 320 px. */}
      <div className="relative mx-auto flex w-full max-w-sm items-center justify-between max-[22rem]:-mx-3.5 max-[22rem]:w-auto">
        <SpeedControl />
        <IconButton
          label={t('common.textOf', { title: track.title })}
          aria-pressed={isReading}
          onClick={() => useReadingPreferences.setState({ isReading: !isReading })}
          className={clsx('landscape:hidden', isReading && 'bg-accent-soft text-accent-text')}
        >
          <BookOpenText />
        </IconButton>
        <SleepControl />
        <VolumeControl />
        <IconButton label={t('tools.parts')} onClick={() => onDrawer('contents')}>
          <Bookmark />
        </IconButton>
        <IconButton label={t('player.queue')} onClick={() => onDrawer('queue')}>
          <ListMusic />
        </IconButton>
      </div>
    </div>
  );
}

/** The full-screen player: cover, title, controls and text. In portrait the text replaces the cover; in landscape it is beside it. */
export function FullPlayer({ next, onClose, onDrawer }: Omit<ControlsProps, 'track'>) {
  const t = useT();
  const track = usePlayer((player) => player.activeTrack);
  const isReading = useReadingPreferences((preferences) => preferences.isReading);
  if (!track) return null;
  return (
    <Dialog
      side="bottom"
      title={t('player.region')}
      hideTitle
      onClose={onClose}
      className="full-player h-dvh! max-h-none! overflow-hidden rounded-none! border-0! bg-ground! [&>.dialog-body]:mx-auto [&>.dialog-body]:h-full [&>.dialog-body]:max-w-6xl"
    >
      <PlayerAnnouncement />
      <img
        src={track.image}
        alt=""
        aria-hidden
        style={{ opacity: 'var(--picture-opacity)' }}
        className="fixed inset-0 -z-1 size-full scale-125 object-cover blur-3xl"
      />
      <div className="grid h-full min-h-0 grid-cols-1 grid-rows-[minmax(0,1fr)_auto] gap-4 landscape:grid-cols-[minmax(0,min(26rem,45%))_minmax(0,1fr)] landscape:grid-rows-[minmax(0,1fr)] landscape:gap-8 lg:landscape:gap-16">
        <div className="contents landscape:flex landscape:flex-col landscape:justify-center landscape:gap-6">
          <div
            className={clsx(
              'min-h-0 content-center portrait:[container-type:size] landscape:grid [@media(max-height:36rem)]:landscape:hidden',
              isReading ? 'hidden' : 'grid',
            )}
          >
            <Cover
              src={track.artwork}
              size={640}
              className="aspect-square w-[min(100%,30rem,100cqh-72px)] justify-self-center rounded-lg shadow-pop landscape:w-[min(100%,30rem,100dvh-26rem)] landscape:justify-self-start"
            />
          </div>
          <Controls track={track} next={next} onDrawer={onDrawer} onClose={onClose} />
        </div>
        <TextPane
          id={track._id}
          className={clsx(
            'landscape:col-start-2 landscape:row-start-1 landscape:grid',
            isReading ? 'row-start-1 grid' : 'hidden',
          )}
        />
      </div>
    </Dialog>
  );
}
