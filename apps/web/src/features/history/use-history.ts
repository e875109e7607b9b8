import { api, type HistoryEntry, type ResponseBody } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#shared/api/client.ts';
import { currentT } from '#shared/i18n/i18n.ts';
import { repaged } from '#shared/pages.ts';
import { sayFailure } from '#shared/say-failure.ts';
import { toast } from '#shared/ui/toast.ts';
import { useTelling } from '#shared/use-telling.ts';
import { historyQuery } from './queries.ts';

type Content = InfiniteData<ResponseBody<typeof api.history.findHistory>, number>;

/** What was just taken out, and where it stood. */
interface Dropped {
  heard: HistoryEntry;
  index: number;
}

/** The history, and what the reader does to it: shown at once, told one after another (CAT-05). */
export function useHistory() {
  const client = useQueryClient();
  const query = useInfiniteQuery(historyQuery);
  const [dropped, setDropped] = useState<Dropped | null>(null);
  // The pages that are not loaded yet have moved by one: the loaded ones are asked for anew before they come.
  const tell = useTelling(() => void client.invalidateQueries(historyQuery));
  // What the server does not yet know to be taken out may come back with a page.
  const heard = (query.data?.pages ?? [])
    .flatMap(({ docs }) => docs)
    .filter(({ _id }) => _id !== dropped?.heard._id);

  const show = (changed: readonly HistoryEntry[]): void => {
    void client.cancelQueries(historyQuery);
    client.setQueryData<Content>(
      historyQuery.queryKey,
      (content) => content && { ...content, pages: repaged(content.pages, changed) },
    );
  };

  return {
    query,
    heard,
    dropped,
    forgetDropped: () => setDropped(null),
    remove: (one: HistoryEntry): void => {
      setDropped({ heard: one, index: heard.indexOf(one) });
      show(heard.filter(({ _id }) => _id !== one._id));
      void tell(() => call(api.history.removeFromHistory, { params: { id: one._id } })).then(
        (isOut) => isOut || setDropped((now) => (now?.heard === one ? null : now)),
      );
    },
    undo: (): void => {
      if (!dropped) return;
      setDropped(null);
      show(heard.toSpliced(dropped.index, 0, dropped.heard));
      void tell(() => call(api.history.restoreToHistory, { params: { id: dropped.heard._id } }));
    },
    /** Takes everything out, which does not come back. Resolves when that is done, or was refused. */
    clear: async (): Promise<void> => {
      try {
        await call(api.history.clearHistory, {});
        setDropped(null);
        await client.resetQueries(historyQuery);
        toast(currentT()('history.cleared'));
      } catch (error) {
        sayFailure(error);
      }
    },
  };
}
