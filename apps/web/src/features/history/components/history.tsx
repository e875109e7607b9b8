import { limits } from '@escucho/contracts';
import { lazy, Suspense } from 'react';
import { play, toTrack } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyImport } from '#shared/lazy.ts';
import { Button } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { UndoNotice } from '#shared/ui/undo-notice.tsx';
import { useHistory } from '../use-history.ts';
import { ClearButton } from './clear-button.tsx';
import { HistoryRow } from './history-row.tsx';

const LongList = lazy(lazyImport(() => import('#shared/ui/virtual-list.tsx')));

/** The history as a source of its own. */
const source = { name: 'History', playlist: null };

/** What the reader heard, last heard first (CAT-05), with ways to take one out, or all; of a long one only what is near is in the page (CAT-09). */
export function History() {
  const t = useT();
  const { query, entries, removed, remove, undo, dismissRemoved, clear } = useHistory();
  const playAt = (index: number) => () => play(source, entries.map(toTrack(source)), index);
  const rows = entries.map((entry, index) => (
    <HistoryRow key={entry._id} entry={entry} onPlay={playAt(index)} onRemove={() => remove(entry)} />
  ));
  if (removed)
    rows.splice(
      removed.index,
      0,
      <UndoNotice
        key="removed"
        text={t('history.removed', { title: removed.entry.title })}
        onUndo={undo}
        onDismiss={dismissRemoved}
        className="min-h-16 rounded-md"
      />,
    );
  const plain = (
    <ol>
      {rows.map((row) => (
        <li key={row.key}>{row}</li>
      ))}
    </ol>
  );
  const total = query.data?.pages.at(-1)?.totalDocs ?? rows.length;
  const isStuck = !query.data && (query.isError || query.isPaused);
  return (
    <section aria-labelledby="library-history" className="max-w-6xl">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-4">
        <h2 id="library-history" className="font-serif text-lg font-semibold tracking-tight">
          {t('history.title')}
        </h2>
        {entries.length > 0 && <ClearButton onClear={clear} />}
      </div>
      {rows.length > 0 && (
        <div className="-mx-2">
          {total > limits.pageSize.max ? (
            <Suspense fallback={plain}>
              <LongList items={rows} total={total}>
                {(index) => rows[index] ?? <span />}
              </LongList>
            </Suspense>
          ) : (
            plain
          )}
        </div>
      )}
      {query.data && rows.length === 0 && <p className="text-muted">{t('history.empty')}</p>}
      {!query.data && !isStuck && (
        <div role="status" className="grid gap-4">
          <span className="sr-only">{t('common.loading')}</span>
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
      )}
      {isStuck && (
        <div role="alert" className="flex flex-wrap items-center gap-4 text-muted">
          {t('history.failed')}
          <Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>
        </div>
      )}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} className="mt-4">
          {t('history.showMore')}
        </Button>
      )}
    </section>
  );
}
