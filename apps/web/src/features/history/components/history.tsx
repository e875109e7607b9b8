import { api } from '@escucho/contracts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, errorKey } from '../../../shared/api/client.ts';
import { currentT, useT } from '../../../shared/i18n/i18n.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { play } from '../../player/player.ts';
import { asTrack, historySource } from '../model/as-track.ts';
import { historyQuery } from '../queries.ts';
import { HistoryRow } from './history-row.tsx';

/** Asks first: what is cleared does not come back. */
function ClearButton() {
  const t = useT();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    try {
      await call(api.history.clearHistory, {});
      await client.resetQueries({ queryKey: historyQuery.queryKey });
      toast(currentT()('history.cleared'));
    } catch (error) {
      toast(currentT()(errorKey(error)), 'error');
    }
    setBusy(false);
    setAsked(false);
  };
  return (
    <>
      <Button look="ghost" onClick={() => setAsked(true)} className="-mr-3 shrink-0 px-3">
        <Trash2 aria-hidden className="size-4" />
        {t('history.clear')}
      </Button>
      {isAsked && (
        <Confirm
          title="history.clearTitle"
          subtitle="history.clearText"
          ok="history.clear"
          isDanger
          busy={busy}
          onOk={() => void clear()}
          onCancel={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** What the reader heard, last heard first (CAT-05), with a way to clear it. */
export function History() {
  const t = useT();
  const query = useInfiniteQuery(historyQuery);
  const heard = query.data?.pages.flatMap(({ docs }) => docs) ?? [];
  const playAt = (index: number) => () => play(historySource, heard.map(asTrack), index);
  return (
    <section aria-labelledby="library-history">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-4">
        <h2 id="library-history" className="font-serif text-lg font-semibold tracking-tight">
          {t('history.title')}
        </h2>
        {heard.length > 0 && <ClearButton />}
      </div>
      {query.data && heard.length === 0 && <p className="text-muted">{t('history.empty')}</p>}
      {heard.length > 0 && (
        <ol className="-mx-2">
          {heard.map((one, index) => (
            <HistoryRow key={one._id} heard={one} onPlay={playAt(index)} />
          ))}
        </ol>
      )}
      {!query.data && !query.isError && !query.isPaused && (
        <div role="status" className="grid gap-4">
          <span className="sr-only">{t('common.loading')}</span>
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
      )}
      {!query.data && (query.isError || query.isPaused) && (
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
