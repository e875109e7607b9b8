import { api, limits, type Notification } from '@escucho/contracts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#shared/api/client.ts';
import { subscribeToEvents } from '#shared/api/stream.ts';
import { addNotification, getReconnectDelay } from './model/notifications.ts';

const REFETCH_INTERVAL_MS = 5 * 60_000;

/** Queries the newest ten notifications (CAT-07), again every five minutes while the page is visible. */
export const notificationsQuery = (language: string) =>
  queryOptions({
    queryKey: ['notifications', language],
    queryFn: ({ signal }) =>
      call(
        api.notifications.findNotifications,
        {
          query: {
            page: 1,
            limit: limits.notifications.pageSize,
            sorter: JSON.stringify({ createdAt: -1 }),
          },
        },
        { signal },
      ),
    refetchInterval: REFETCH_INTERVAL_MS,
  });

/** Resolves after a delay, or as soon as the network is back or the signal aborts. */
const waitToReconnect = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });

interface StreamHandlers {
  onOpen: () => void;
  onEvent: (notification: Notification) => void;
}

/** Listens to the stream and reconnects whenever it ends or fails, each time with the current token. */
async function listenWithReconnect(signal: AbortSignal, handlers: StreamHandlers): Promise<void> {
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    handlers.onOpen();
  };
  while (!signal.aborted) {
    // The reason does not matter here: a rejected token has ended the session by now.
    await subscribeToEvents(api.notifications.streamNotifications, { ...handlers, onOpen, signal }).catch(
      () => {
        failures += 1;
      },
    );
    if (!signal.aborted) await waitToReconnect(getReconnectDelay(failures, Math.random()), signal);
  }
}

/**
 * Adds notifications to the cached list as they arrive, while the page is visible (CAT-07), and returns the last one. The
 * list is requested again when the stream opens, for those in between.
 */
export function useNotificationStream(language: string): Notification | null {
  const client = useQueryClient();
  const [latest, setLatest] = useState<Notification | null>(null);
  useEffect(() => {
    const query = notificationsQuery(language);
    let stream: AbortController | null = null;
    const close = () => {
      stream?.abort();
      stream = null;
    };
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') return close();
      if (stream) return;
      stream = new AbortController();
      void listenWithReconnect(stream.signal, {
        onOpen: () => void client.invalidateQueries(query),
        onEvent: (notification) => {
          client.setQueryData(query.queryKey, (page) => page && addNotification(page, notification));
          setLatest(notification);
        },
      });
    };
    onVisibilityChange();
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      close();
    };
  }, [client, language]);
  return latest;
}
