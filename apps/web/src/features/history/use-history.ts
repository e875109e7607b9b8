import { api, type HistoryEntry, type ResponseBody } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#shared/api/client.ts';
import { getT } from '#shared/i18n/i18n.ts';
import { removeRepeated, repaginate } from '#shared/pagination.ts';
import { toast, toastError } from '#shared/ui/toast.tsx';
import { useSerialMutation } from '#shared/use-serial-mutation.ts';
import { historyQuery } from './queries.ts';

type HistoryPages = InfiniteData<ResponseBody<typeof api.history.findHistory>, number>;

interface HistoryChange {
  endpoint: typeof api.history.removeFromHistory | typeof api.history.restoreToHistory;
  entry: HistoryEntry;
  /** The list once the change is made. */
  entries: readonly HistoryEntry[];
}

/** Returns the listening history and its changes, which are shown at once and sent one after another (CAT-05). */
export function useHistory() {
  const client = useQueryClient();
  const query = useInfiniteQuery(historyQuery);
  const [removed, setRemoved] = useState<{ entry: HistoryEntry; index: number } | null>(null);
  const loaded = (query.data?.pages ?? []).flatMap(({ docs }) => docs);
  // A page that was requested before the server knew of the removal may still have the entry.
  const entries = removeRepeated(loaded, ({ _id }) => _id).filter(({ _id }) => _id !== removed?.entry._id);

  const { mutate } = useSerialMutation({
    scope: 'history',
    mutationFn: ({ endpoint, entry }: HistoryChange) => call(endpoint, { params: { id: entry._id } }),
    onMutate: (change) => {
      void client.cancelQueries(historyQuery);
      client.setQueryData<HistoryPages>(
        historyQuery.queryKey,
        (data) => data && { ...data, pages: repaginate(data.pages, change.entries) },
      );
    },
    onError: ({ endpoint, entry }) => {
      if (endpoint === api.history.removeFromHistory)
        setRemoved((now) => (now?.entry === entry ? null : now));
    },
    // The pages that are not loaded yet have moved by one: the loaded ones are requested again before they come.
    onQueueSettled: () => void client.invalidateQueries(historyQuery),
  });

  return {
    query,
    entries,
    removed,
    dismissRemoved: () => setRemoved(null),
    remove: (entry: HistoryEntry): void => {
      setRemoved({ entry, index: entries.indexOf(entry) });
      mutate({
        endpoint: api.history.removeFromHistory,
        entry,
        entries: entries.filter(({ _id }) => _id !== entry._id),
      });
    },
    undo: (): void => {
      if (!removed) return;
      setRemoved(null);
      mutate({
        endpoint: api.history.restoreToHistory,
        entry: removed.entry,
        entries: entries.toSpliced(removed.index, 0, removed.entry),
      });
    },
    /** Removes everything, which cannot be undone. Resolves when it is done or was refused. */
    clear: async (): Promise<void> => {
      try {
        await call(api.history.clearHistory, {});
        setRemoved(null);
        await client.resetQueries(historyQuery);
        toast(getT()('history.cleared'));
      } catch (error) {
        toastError(error);
      }
    },
  };
}
