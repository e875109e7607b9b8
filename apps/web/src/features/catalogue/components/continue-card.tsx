import type { ContinueListening } from '@escucho/contracts';
import { X } from 'lucide-react';
import { memo } from 'react';
import { togglePlayback, useTrackAction } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { heardShare } from '../model/shelves.ts';
import { PlayMark } from './play-mark.tsx';
import { ProgressLine } from './progress-line.tsx';

interface Props {
  entry: ContinueListening;
  index: number;
  onResume: (index: number) => void;
  onDrop: (entry: ContinueListening, index: number) => void;
}

const words = { play: 'discover.resume', pause: 'discover.pause', lock: 'discover.playLocked' } as const;

/** Something begun: what it is, how long it still takes, on with it. */
export const ContinueCard = memo(({ entry, index, onResume, onDrop }: Props) => {
  const t = useT();
  const format = useFormat();
  const does = useTrackAction(entry._id, useIsLocked(entry.audio));
  const isPlaying = does === 'pause';
  return (
    <li className="group relative flex snap-start items-center gap-3 rounded-lg border border-line bg-surface pr-1 transition-colors hover:bg-raised">
      <span className="relative shrink-0 self-stretch overflow-hidden rounded-l-lg">
        <img
          src={entry.image}
          alt=""
          width={96}
          height={96}
          decoding="async"
          className="size-24 bg-overlay object-cover"
        />
        <span className="absolute inset-0 grid place-items-center">
          <PlayMark does={does} />
        </span>
      </span>
      <span className="min-w-0 flex-1 py-2">
        <button
          type="button"
          aria-label={t(words[does], { title: entry.title })}
          onClick={() => (isPlaying ? togglePlayback() : onResume(index))}
          className="block w-full text-left after:absolute after:inset-0 after:rounded-lg"
        >
          <span lang={entry.language} className="line-clamp-2 text-sm font-semibold text-pretty">
            {entry.title}
          </span>
        </button>
        <span className="mt-1 block truncate text-xs text-muted">
          {t('discover.left', { time: format.duration(entry.duration - entry.progress) })} ·{' '}
          {entry.narrator.name}
        </span>
        <ProgressLine
          share={heardShare(entry.progress, entry.duration)}
          className="mt-2 rounded-full bg-hover"
        />
      </span>
      <IconButton
        label={t('discover.drop', { title: entry.title })}
        onClick={() => onDrop(entry, index)}
        className="relative z-1 self-start"
      >
        <X />
      </IconButton>
    </li>
  );
});
