import type { ContinueListening } from '@escucho/contracts';
import { useCallback, useDeferredValue, useState } from 'react';
import { play, removeFromContinueListening, useContinueListening } from '#features/player/player.ts';
import { isSubscribed } from '#features/subscription/subscription.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { UndoNotice } from '#shared/ui/undo-notice.tsx';
import { type Row, resumption } from '../model/shelves.ts';
import { ContinueCard } from './continue-card.tsx';
import { Shelf } from './shelf.tsx';

/** What was just taken out: where it stood, and how it comes back. */
interface TakenOut {
  index: number;
  undo: () => void;
}

/** What the reader has begun (CAT-02); nothing while there is nothing. */
export function ContinueShelf({ rows }: { rows: readonly Row[] }) {
  const t = useT();
  // Sound comes first: what is begun by a press is drawn once it is on its way.
  const entries = useDeferredValue(useContinueListening());
  const [dropped, setDropped] = useState<TakenOut | null>(null);

  const resume = useCallback(
    (index: number) => {
      const { source, tracks, index: at } = resumption(entries, index, rows, isSubscribed());
      play(source, tracks, at);
    },
    [entries, rows],
  );
  const drop = useCallback(
    (entry: ContinueListening, index: number) =>
      setDropped({ index, undo: removeFromContinueListening(entry) }),
    [],
  );
  const leave = () => setDropped(null);
  const undo = () => {
    dropped?.undo();
    leave();
  };
  if (entries.length === 0 && !dropped) return null;
  const cards = entries.map((entry, index) => (
    <ContinueCard key={entry._id} entry={entry} index={index} onResume={resume} onDrop={drop} />
  ));
  if (dropped)
    cards.splice(
      dropped.index,
      0,
      <li key="dropped" className="snap-start">
        <UndoNotice
          text={t('discover.dropped')}
          onUndo={undo}
          onDismiss={leave}
          className="min-h-24 h-full rounded-lg"
        />
      </li>,
    );
  return (
    <Shelf title={t('discover.continueListening')} size="cards" first={entries[0]?._id ?? ''}>
      {cards}
    </Shelf>
  );
}
