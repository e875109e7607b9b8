import { api, type HistoryEntry, type ResponseBody } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Trash2, X } from 'lucide-react';
import { play, toTrack, useTrackButton } from '#features/player/player.ts';
import { useIsLocked } from '#features/session/session.ts';
import { call } from '#shared/api/client.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { changePages, mergePages } from '#shared/pagination.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { actionIcons, Cover } from '#shared/ui/cover.tsx';
import { ConfirmButton } from '#shared/ui/dialog.tsx';
import { LongList, ShowMore } from '#shared/ui/load-more.tsx';
import { InlineQueryFallback, LoadingList } from '#shared/ui/states.tsx';
import { toast, toastError } from '#shared/ui/toast.tsx';
import { type ListChange, useListChanges } from '#shared/ui/undo-notice.tsx';
import { historyQuery } from '../queries.ts';

type HistoryPages = InfiniteData<ResponseBody<typeof api.listening.findHistory>, number>;

/** Returns the listening history and its changes (CAT-05). */
function useHistory() {
  const client = useQueryClient();
  const query = useInfiniteQuery(historyQuery);
  const list = useListChanges<HistoryEntry, ListChange<HistoryEntry>, unknown>({
    scope: 'history',
    loaded: mergePages(query.data?.pages),
    mutationFn: ({ type, item }) => {
      const { removeFromHistory, restoreToHistory } = api.listening;
      return call(type === 'remove' ? removeFromHistory : restoreToHistory, { params: { id: item._id } });
    },
    onSuccess: (_, { apply }) => {
      client.setQueryData<HistoryPages>(historyQuery.queryKey, (data) => changePages(data, apply));
    },
    // The pages that are not loaded yet have moved by one: the loaded ones are requested again before they come.
    onQueueSettled: () => void client.invalidateQueries(historyQuery),
  });
  const remove = (item: HistoryEntry): void => {
    const index = list.items.indexOf(item);
    const removeItem = (entries: HistoryEntry[]) => entries.filter(({ _id }) => _id !== item._id);
    list.remove(
      { type: 'remove', item, apply: removeItem },
      { type: 'restore', item, apply: (entries) => removeItem(entries).toSpliced(index, 0, item) },
    );
  };
  return { ...list, query, remove };
}

const source = { name: 'History', playlist: null };

interface HistoryRowProps {
  entry: HistoryEntry;
  onPlay: () => void;
  onRemove: () => void;
}

/** An entry of the history; a press plays it again. */
function HistoryRow({ entry, onPlay, onRemove }: HistoryRowProps) {
  const t = useT();
  const format = useFormat();
  const { action, button } = useTrackButton(entry, useIsLocked(entry.audio), onPlay);
  const Icon = actionIcons[action];
  return (
    <div
      className={clsx(
        'relative flex items-center gap-3 rounded-md px-2 py-2 hover:bg-hover',
        action === 'pause' && 'bg-accent-soft',
      )}
    >
      <button type="button" {...button} className="absolute inset-0 rounded-md" />
      <Cover src={entry.image} size={48} loading="lazy" className="size-12 shrink-0 rounded-sm" />
      <span className="min-w-0 flex-1">
        <span lang={entry.language} className="line-clamp-2 text-sm font-medium">
          {entry.title}
        </span>
        <span className="block truncate text-xs text-muted">
          {entry.narrator.name} · {format.duration(entry.duration)}
          <span className="sm:hidden"> · {format.date(entry.listenedAt)}</span>
        </span>
      </span>
      <time dateTime={entry.listenedAt} className="text-xs text-muted max-sm:hidden">
        {format.date(entry.listenedAt)}
      </time>
      <Icon aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
      <IconButton
        label={t('history.remove', { title: entry.title })}
        onClick={onRemove}
        className="relative z-1 -mr-2"
      >
        <X />
      </IconButton>
    </div>
  );
}

/** Clears the history after a confirmation, as it cannot be undone. */
function ClearButton({ onCleared }: { onCleared: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: (_close: () => void) => call(api.listening.clearHistory, {}),
    onSuccess: async () => {
      onCleared();
      await client.resetQueries(historyQuery);
      toast(t('history.cleared'));
    },
    onError: (error) => {
      // Only the response may have been lost.
      void client.invalidateQueries(historyQuery);
      toastError(error);
    },
    onSettled: (_data, _error, close) => close(),
  });
  return (
    <ConfirmButton
      dialog={{
        title: 'history.clearTitle',
        subtitle: 'history.clearText',
        ok: 'history.clear',
        isDanger: true,
      }}
      variant="ghost"
      className="-mr-3 shrink-0 px-3"
      busy={isPending}
      onConfirm={mutate}
    >
      <Trash2 aria-hidden className="size-4" />
      {t('history.clear')}
    </ConfirmButton>
  );
}

/** The listening history, newest first (CAT-05); a long one renders only the rows near the viewport (CAT-09). */
export function History() {
  const t = useT();
  const { query, items: entries, remove, addNotice, dismissNotice } = useHistory();
  const playAt = (index: number) => () => play(source, entries.map(toTrack(source)), index);
  const rows = addNotice(
    entries.map((entry, index) => (
      <HistoryRow key={entry._id} entry={entry} onPlay={playAt(index)} onRemove={() => remove(entry)} />
    )),
  );
  const total = query.data?.pages.at(-1)?.totalDocs ?? rows.length;
  return (
    <section aria-labelledby="library-history" className="max-w-6xl">
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="library-history" className="heading text-lg">
          {t('history.title')}
        </h2>
        {entries.length > 0 && <ClearButton onCleared={dismissNotice} />}
      </div>
      {rows.length > 0 && (
        <div className="-mx-2">
          <LongList rows={rows} total={total} hasPlainFallback />
        </div>
      )}
      {query.data && rows.length === 0 && <p className="text-muted">{t('history.empty')}</p>}
      {!query.data && (
        <InlineQueryFallback
          query={query}
          text={t('history.failed')}
          loading={<LoadingList count={2} itemClassName="h-12" />}
        />
      )}
      <ShowMore query={query} className="mt-4" />
    </section>
  );
}
