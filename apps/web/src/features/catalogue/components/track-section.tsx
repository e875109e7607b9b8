import type { Track } from '@escucho/contracts';
import { type ComponentType, memo, useCallback } from 'react';
import {
  play,
  type Source,
  togglePlayback,
  trackActionKeys,
  useSavedPosition,
  useTrackAction,
} from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { Cover } from '#shared/ui/cover.tsx';
import { getProgressRatio } from '../model/discover.ts';
import { PlayBadge, ProgressBar, Section } from './section.tsx';

const chipStyle =
  'rounded-full border border-line px-2 py-px text-[0.6875rem] leading-4 font-medium text-muted';

function Chips({ level, language }: Pick<Track, 'level' | 'language'>) {
  const t = useT();
  return (
    <>
      <span className={chipStyle}>{level}</span>
      <span className={chipStyle}>
        {t(language === 'en' ? 'discover.languageEn' : 'discover.languageEs')}
      </span>
    </>
  );
}

/** The tools of a track, injected by the app. */
export type TrackTools = ComponentType<{ track: Track }>;

interface TrackCardProps {
  track: Track;
  index: number;
  /** Whether its cover is loaded with priority. */
  isPriority: boolean;
  onPlay: (index: number) => void;
  Tools: TrackTools;
}

/** A cover with title, narrator, level and language; a press anywhere on it plays or pauses. */
const TrackCard = memo(({ track, index, isPriority, onPlay, Tools }: TrackCardProps) => {
  const t = useT();
  const format = useFormat();
  const savedPosition = useSavedPosition(track);
  const action = useTrackAction(track._id, useIsLocked(track.url));
  return (
    <li className="group relative snap-start">
      <div className="relative overflow-hidden rounded-md">
        <Cover
          src={track.image}
          size={320}
          loading={isPriority ? 'eager' : 'lazy'}
          fetchPriority={isPriority ? 'high' : 'auto'}
          className="aspect-square w-full transition-transform duration-200 group-hover:scale-102"
        />
        <PlayBadge
          action={action}
          className={cn(
            'absolute right-2 bottom-2.5',
            action === 'lock' && 'size-7! [&_svg]:size-3.5!',
            action === 'play' &&
              'pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100',
          )}
        />
        <ProgressBar
          ratio={getProgressRatio(savedPosition, track.duration)}
          className="absolute inset-x-0 bottom-0 bg-ground/60"
        />
      </div>
      <h3 lang={track.language} className="mt-2.5 mr-7 line-clamp-2 text-sm font-semibold">
        {track.title}
      </h3>
      <p className="mt-0.5 truncate text-xs text-muted">
        {track.artist} · {format.duration(track.duration)}
      </p>
      <p className="mt-1.5 flex flex-wrap gap-1.5">
        <Chips level={track.level} language={track.language} />
      </p>
      <button
        type="button"
        aria-label={t(trackActionKeys[action], { title: track.title })}
        onClick={() => (action === 'pause' ? togglePlayback() : onPlay(index))}
        className="absolute inset-0 rounded-md"
      />
      <Tools track={track} />
    </li>
  );
});

/** How many covers of the first section are in view on every screen; the browser chooses among the others. */
const PRIORITY_COVERS = 3;

interface Props {
  title: string;
  source: Source;
  tracks: readonly Track[];
  isFirst?: boolean;
  Tools: TrackTools;
}

/** A section of tracks that plays as a source of its own (CAT-02). */
export function TrackSection({ title, source: { name, playlist }, tracks, isFirst = false, Tools }: Props) {
  const playAt = useCallback(
    (index: number) => play({ name, playlist }, tracks, index),
    [name, playlist, tracks],
  );
  return (
    <Section title={title} itemSize="covers" firstKey={tracks[0]?._id ?? ''}>
      {tracks.map((track, index) => (
        <TrackCard
          key={track._id}
          track={track}
          index={index}
          isPriority={isFirst && index < PRIORITY_COVERS}
          onPlay={playAt}
          Tools={Tools}
        />
      ))}
    </Section>
  );
}
