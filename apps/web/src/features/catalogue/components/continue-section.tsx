import type { ContinueListening } from '@escucho/contracts';
import { X } from 'lucide-react';
import { memo, useCallback, useDeferredValue, useState } from 'react';
import {
  play,
  removeFromContinueListening,
  useContinueListening,
  useTrackButton,
  useTrackStatus,
} from '#features/player/player.ts';
import { isSubscribed, useIsLocked } from '#features/session/session.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { Cover } from '#shared/ui/cover.tsx';
import { LazyBoundary } from '#shared/ui/lazy-boundary.tsx';
import { LoadingStatus, Skeleton } from '#shared/ui/states.tsx';
import { getProgressRatio, getResumption, type Row } from '../model/discover.ts';
import { PlayBadge, ProgressBar, Section } from './section.tsx';

const UndoNotice = lazyComponent(async () => (await import('#shared/ui/undo-notice.tsx')).UndoNotice);

interface ContinueCardProps {
  entry: ContinueListening;
  index: number;
  onResume: (index: number) => void;
  onRemove: (entry: ContinueListening, index: number) => void;
}

const actionKeys = { play: 'discover.resume', pause: 'discover.pause', lock: 'discover.playLocked' } as const;

/** A track to resume, with the time that is left. */
const ContinueCard = memo(({ entry, index, onResume, onRemove }: ContinueCardProps) => {
  const t = useT();
  const format = useFormat();
  const isLocked = useIsLocked(entry.audio);
  const { action, button } = useTrackButton(entry, isLocked, () => onResume(index), actionKeys);
  // In Spanish the verb agrees with the first number: "Queda 1 h 5 min".
  const left = format.duration(entry.duration - entry.progress);
  return (
    <li className="group relative flex snap-start items-center gap-3 rounded-lg border border-line bg-surface pr-1 transition-colors hover:bg-raised">
      <span className="relative shrink-0 self-stretch overflow-hidden rounded-l-lg">
        <Cover src={entry.image} size={96} className="size-24" />
        <span className="absolute inset-0 grid place-items-center">
          <PlayBadge action={action} />
        </span>
      </span>
      <span className="min-w-0 flex-1 py-2">
        <button
          type="button"
          {...button}
          className="block w-full text-left after:absolute after:inset-0 after:rounded-lg"
        >
          <span lang={entry.language} className="line-clamp-2 text-sm font-semibold">
            {entry.title}
          </span>
        </button>
        <span className="mt-1 block truncate text-xs text-muted">
          {t.count('discover.left', Number.parseInt(left, 10), { time: left })} · {entry.narrator.name}
        </span>
        <ProgressBar
          ratio={getProgressRatio(entry.progress, entry.duration)}
          className="mt-2 rounded-full bg-hover"
        />
      </span>
      <IconButton
        label={t('discover.drop', { title: entry.title })}
        onClick={() => onRemove(entry, index)}
        className="relative z-1 self-start"
      >
        <X />
      </IconButton>
    </li>
  );
});

interface RemovedEntry {
  id: string;
  index: number;
  undo: () => void;
}

/**
 * Returns whether the section waits for the next visit of the page: its only entry is what the user just started, whose
 * card it would push away.
 */
function useIsHeldBack(entries: readonly ContinueListening[]): boolean {
  const isStarted = useTrackStatus(entries[0]?._id ?? '') !== 'absent';
  const [state, setState] = useState<'empty' | 'shown' | 'heldBack'>(entries.length > 0 ? 'shown' : 'empty');
  if (state === 'empty' && entries.length > 0)
    setState(entries.length === 1 && isStarted ? 'heldBack' : 'shown');
  return state === 'heldBack';
}

interface ContinueSectionProps {
  /** The rows of Discover, which define what plays without a subscription. */
  rows: readonly Row[];
  /** Whether those of other devices are requested, for a skeleton until the first is known. */
  isLoading?: boolean;
}

/** The section of tracks to resume (CAT-02); nothing while there are none. */
export function ContinueSection({ rows, isLoading = false }: ContinueSectionProps) {
  const t = useT();
  // Deferred, so that starting playback is not delayed by rendering the new entry.
  const entries = useDeferredValue(useContinueListening());
  const hasSkeleton = useDeferredValue(isLoading);
  const [removed, setRemoved] = useState<RemovedEntry | null>(null);
  const isHeldBack = useIsHeldBack(entries);

  const resume = useCallback(
    (index: number) => {
      const resumption = getResumption(entries, index, rows, isSubscribed());
      play(resumption.source, resumption.tracks, resumption.index);
    },
    [entries, rows],
  );
  const remove = useCallback(
    (entry: ContinueListening, index: number) =>
      setRemoved({ id: entry._id, index, undo: removeFromContinueListening(entry) }),
    [],
  );
  const dismiss = () => setRemoved(null);
  const undo = () => {
    removed?.undo();
    dismiss();
  };
  if (isHeldBack) return null;
  if (entries.length === 0 && !removed)
    return (
      hasSkeleton && (
        <LoadingStatus>
          <Skeleton className="h-40" />
        </LoadingStatus>
      )
    );
  const cards = entries.map((entry, index) => (
    <ContinueCard key={entry._id} entry={entry} index={index} onResume={resume} onRemove={remove} />
  ));
  if (removed)
    cards.splice(
      removed.index,
      0,
      <li key={`removed ${removed.id}`} className="snap-start">
        <LazyBoundary>
          <UndoNotice
            text={t('discover.dropped')}
            onUndo={undo}
            onDismiss={dismiss}
            className="min-h-24 h-full rounded-lg"
          />
        </LazyBoundary>
      </li>,
    );
  return (
    <Section title={t('discover.continueListening')} itemSize="cards" firstKey={entries[0]?._id ?? ''}>
      {cards}
    </Section>
  );
}
