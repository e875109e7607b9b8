import type { Track } from '@escucho/contracts';
import { type ComponentType, memo } from 'react';
import { togglePlayback, useSavedPosition, useTrackAction } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { cn } from '#shared/ui/cn.ts';
import { heardShare } from '../model/shelves.ts';
import { Chips } from './chips.tsx';
import { PlayMark } from './play-mark.tsx';
import { ProgressLine } from './progress-line.tsx';

/** What else can be done with a track; handed in by the app. */
export type TrackTools = ComponentType<{ track: Track }>;

interface Props {
  track: Track;
  index: number;
  /** Among the first things seen: its cover is fetched before others. */
  isFirst: boolean;
  onPlay: (index: number) => void;
  /** What else can be done with the track, for the corners of the card. */
  Tools: TrackTools;
}

const words = { play: 'discover.play', pause: 'discover.pause', lock: 'discover.playLocked' } as const;

/** A cover with what it is; a press anywhere on it plays or pauses. */
export const TrackCard = memo(({ track, index, isFirst, onPlay, Tools }: Props) => {
  const t = useT();
  const format = useFormat();
  const place = useSavedPosition(track);
  const does = useTrackAction(track._id, useIsLocked(track.url));
  const isPlaying = does === 'pause';
  return (
    <li className="group relative snap-start">
      <div className="relative overflow-hidden rounded-md">
        <img
          src={track.image}
          alt=""
          width={320}
          height={320}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
          className="aspect-square w-full bg-overlay object-cover transition-transform duration-200 group-hover:scale-102"
        />
        <PlayMark
          does={does}
          className={cn(
            'absolute right-2.5 bottom-3.5',
            does === 'play' &&
              'pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100',
          )}
        />
        <ProgressLine
          share={heardShare(place, track.duration)}
          className="absolute inset-x-0 bottom-0 bg-ground/60"
        />
      </div>
      <h3 lang={track.language} className="mt-2.5 mr-7 line-clamp-2 text-sm font-semibold text-pretty">
        {track.title}
      </h3>
      <p className="mt-0.5 truncate text-xs text-muted">
        {track.artist} · {format.duration(track.duration)}
      </p>
      <p className="mt-1.5 flex gap-1.5">
        <Chips level={track.level} language={track.language} />
      </p>
      <button
        type="button"
        aria-label={t(words[does], { title: track.title })}
        onClick={() => (isPlaying ? togglePlayback() : onPlay(index))}
        className="absolute inset-0 rounded-md"
      />
      <Tools track={track} />
    </li>
  );
});
