import type { Notification } from '@escucho/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { useFormat, useLanguage, useT } from '#shared/i18n/i18n.ts';
import { createPersistedStore, onStorageChange } from '#shared/storage.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { InlineQueryFallback, Skeleton, WaveformIllustration } from '#shared/ui/states.tsx';
import { notificationsQuery, useNotificationStream } from '../queries.ts';

const seen = z.object({
  /** The id of the newest notification the list was opened on. */
  lastSeen: z.catch(z.nullable(z.string()), null),
});

const STORE_NAME = 'notifications-storage';

/** What the user has seen, stored in this browser (CAT-07). */
export const useSeen = createPersistedStore({
  name: STORE_NAME,
  version: 1,
  initial: seen.parse({}),
  parse: (value) => seen.safeParse(value).data ?? {},
});

/** Follows what the user sees in other tabs. Their lists may be newer: a hidden tab has no stream. */
function useSeenInOtherTabs(language: string): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onStorageChange((key) => {
        if (key !== STORE_NAME) return;
        const updateSeen = () => void useSeen.persist.rehydrate();
        void client.invalidateQueries(notificationsQuery(language)).then(updateSeen);
      }),
    [client, language],
  );
}

const POPUP_ID = 'notifications';

function List({ docs }: { docs: readonly Notification[] }) {
  const t = useT();
  const format = useFormat();
  if (docs.length === 0)
    return (
      <div className="grid justify-items-center gap-2 px-4 py-6 text-center text-sm text-muted">
        <span className="text-accent-text">
          <WaveformIllustration />
        </span>
        {t('notifications.empty')}
      </div>
    );
  return (
    <ul>
      {docs.map(({ _id, title, body, createdAt }) => (
        <li key={_id} className="rounded-md px-3 py-2.5">
          <p className="font-medium text-balance">{title}</p>
          <p className="mt-0.5 text-sm text-muted text-pretty">{body}</p>
          <time dateTime={createdAt} className="mt-1 block text-xs text-muted">
            {format.date(createdAt)}
          </time>
        </li>
      ))}
    </ul>
  );
}

/** The bell with its list (CAT-07), flagged until the newest notification is seen: by opening the list, or by arriving while it is open. */
export function Bell() {
  const t = useT();
  const language = useLanguage();
  const query = useQuery(notificationsQuery(language));
  const latest = useNotificationStream(language);
  useSeenInOtherTabs(language);
  const [isOpen, setOpen] = useState(false);
  const lastSeen = useSeen(({ lastSeen }) => lastSeen);
  const docs = query.data?.docs ?? [];
  const newest = docs[0]?._id;
  const isFlagged = newest !== undefined && newest !== lastSeen;
  useEffect(() => {
    if (isOpen && newest) useSeen.setState({ lastSeen: newest });
  }, [isOpen, newest]);
  return (
    <>
      <IconButton
        label={t(isFlagged ? 'notifications.bellNew' : 'notifications.title')}
        popoverTarget={POPUP_ID}
        className="relative"
      >
        <BellIcon />
        {isFlagged && (
          <span className="absolute top-2 right-2 size-2.5 rounded-full border-2 border-ground bg-accent" />
        )}
      </IconButton>
      <span role="status" className="sr-only">
        {latest && t('notifications.arrived', { title: latest.title })}
      </span>
      <section
        id={POPUP_ID}
        popover="auto"
        aria-label={t('notifications.title')}
        // Not `onToggle`: it reports opening and closing at once as one event, and nothing would count as seen.
        onBeforeToggle={(event) => setOpen(event.newState === 'open')}
        className="popup header-popover w-[min(24rem,calc(100vw-1.5rem))] p-2"
      >
        <h2 className="px-3 pt-2 pb-1 font-serif text-base font-semibold">{t('notifications.title')}</h2>
        {query.data ? (
          <List docs={docs} />
        ) : (
          <InlineQueryFallback
            query={query}
            text={t('notifications.failed')}
            className="grid justify-items-center gap-3 p-4 text-sm text-muted"
            loading={<Skeleton className="m-2 h-24" />}
          />
        )}
      </section>
    </>
  );
}
