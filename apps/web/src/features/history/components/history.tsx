import { api, type HistoryEntry, type ResponseBody } from '@escucho/contracts';
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { play, toTrack, useTrackButton } from '#features/player/player.ts';
import { useIsLocked } from '#features/subscription/subscription.ts';
import { call } from '#shared/api/client.ts';
import { getT, useFormat, useT } from '#shared/i18n/i18n.ts';
import { changePages, mergePages } from '#shared/pagination.ts';
import { Button, IconButton } from '#shared/ui/button.tsx';
import { actionIcons, Cover } from '#shared/ui/cover.tsx';
import { ConfirmDialog } from '#shared/ui/dialog.tsx';
import { LongList, ShowMore } from '#shared/ui/load-more.tsx';
import { InlineQueryFallback, LoadingList } from '#shared/ui/states.tsx';
import { toast, toastError, toastWithUndo } from '#shared/ui/toast.tsx';
import { UndoNotice } from '#shared/ui/undo-notice.tsx';
import { usePendingChanges, useSerialMutation } from '#shared/use-serial-mutation.ts';
import { historyQuery } from '../queries.ts';

type HistoryPages = InfiniteData<ResponseBody<typeof api.listening.findHistory>, number>;

interface HistoryChange {
  endpoint: typeof api.listening.removeFromHistory | typeof api.listening.restoreToHistory;
  entry: HistoryEntry;
  /** The place of the entry in the list. */
  index: number;
}

function applyChange(entries: HistoryEntry[], { endpoint, entry, index }: HistoryChange): HistoryEntry[] {
  const others = entries.filter(({ _id }) => _id !== entry._id);
  return endpoint === api.listening.removeFromHistory ? others : others.toSpliced(index, 0, entry);
}

/** Returns the listening history and its changes, which are shown at once and sent one after another (CAT-05). */
function useHistory() {
  const client = useQueryClient();
  const query = useInfiniteQuery(historyQuery);
  const [removed, setRemoved] = useState<{ entry: HistoryEntry; index: number } | null>(null);
  const scope = 'history';
  // The loaded pages have what the server has confirmed: without a network they show again what it did not.
  const entries = usePendingChanges<HistoryChange>(scope).reduce(applyChange, mergePages(query.data?.pages));

  const { mutate } = useSerialMutation({
    scope,
    mutationFn: ({ endpoint, entry }: HistoryChange) => call(endpoint, { params: { id: entry._id } }),
    onSuccess: (_, change) => {
      client.setQueryData<HistoryPages>(historyQuery.queryKey, (data) =>
        changePages(data, (loaded) => applyChange(loaded, change)),
      );
    },
    onError: (change) => {
      const { endpoint, entry } = change;
      if (endpoint === api.listening.removeFromHistory)
        setRemoved((now) => (now?.entry === entry ? null : now));
      // The entry is still removed, and its notice is gone.
      else toastWithUndo(getT()('common.removed', { title: entry.title }), () => mutate(change), 'message');
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
      const index = entries.indexOf(entry);
      setRemoved({ entry, index });
      mutate({ endpoint: api.listening.removeFromHistory, entry, index });
    },
    undo: (): void => {
      if (!removed) return;
      setRemoved(null);
      mutate({ endpoint: api.listening.restoreToHistory, ...removed });
    },
  };
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
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => call(api.listening.clearHistory, {}),
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
    onSettled: () => setConfirming(false),
  });
  return (
    <>
      <Button variant="ghost" onClick={() => setConfirming(true)} className="-mr-3 shrink-0 px-3">
        <Trash2 aria-hidden className="size-4" />
        {t('history.clear')}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title="history.clearTitle"
          subtitle="history.clearText"
          ok="history.clear"
          isDanger
          busy={isPending}
          onOk={() => mutate()}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  );
}

/** The listening history, newest first (CAT-05); a long one renders only the rows near the viewport (CAT-09). */
export function History() {
  const t = useT();
  const { query, entries, removed, remove, undo, dismissRemoved } = useHistory();
  const playAt = (index: number) => () => play(source, entries.map(toTrack(source)), index);
  const rows = entries.map((entry, index) => (
    <HistoryRow key={entry._id} entry={entry} onPlay={playAt(index)} onRemove={() => remove(entry)} />
  ));
  if (removed)
    rows.splice(
      removed.index,
      0,
      <UndoNotice
        key={`removed ${removed.entry._id}`}
        text={t('common.removed', { title: removed.entry.title })}
        onUndo={undo}
        onDismiss={dismissRemoved}
        className="min-h-16 rounded-md"
      />,
    );
  const total = query.data?.pages.at(-1)?.totalDocs ?? rows.length;
  return (
    <section aria-labelledby="library-history" className="max-w-6xl">
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="library-history" className="font-serif text-lg font-semibold tracking-tight">
          {t('history.title')}
        </h2>
        {entries.length > 0 && <ClearButton onCleared={dismissRemoved} />}
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
