import { api, limits, type Notification } from '@escucho/contracts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import { useEffect, useState } from 'react';
import { call, sendRequest } from '#shared/api/client.ts';
import { addNotification, getReconnectDelay } from './model/notifications.ts';

const REFETCH_INTERVAL_MS = 5 * 60_000;
/** A stream without data for this time is broken: the server sends a comment at least every 25 s. */
const IDLE_TIMEOUT_MS = 60_000;

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

interface StreamHandlers {
  /** Called when the server has accepted the request. */
  onOpen: () => void;
  onEvent: (notification: Notification) => void;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Listens to the stream, ignoring invalid events. Resolves when the server ends it.
 *
 * @throws ApiError when the request is refused, and the browser's error when the connection breaks or `signal` is aborted
 */
async function listen(signal: AbortSignal, { onOpen, onEvent }: StreamHandlers): Promise<void> {
  const endpoint = api.notifications.streamNotifications;
  const idle = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), IDLE_TIMEOUT_MS);
  };
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = endpoint.response.safeParse(parseJson(data));
      if (event.success) onEvent(event.data);
    },
  });
  restartTimer();
  try {
    const response = await sendRequest(endpoint, {}, { signal: AbortSignal.any([signal, idle.signal]) });
    onOpen();
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      restartTimer();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}

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

/** Listens to the stream and reconnects whenever it ends or fails, each time with the current token. */
async function listenWithReconnect(signal: AbortSignal, handlers: StreamHandlers): Promise<void> {
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    handlers.onOpen();
  };
  while (!signal.aborted) {
    // The reason does not matter here: a rejected token has ended the session by now.
    await listen(signal, { ...handlers, onOpen }).catch(() => {
      failures += 1;
    });
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
    // A response that is on its way may lack the newest; without data, invalidating would wait for it.
    const refetch = () => client.cancelQueries(query).then(() => client.invalidateQueries(query));
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
        onOpen: () => void refetch(),
        onEvent: (notification) => {
          const page = client.getQueryData(query.queryKey);
          if (page) client.setQueryData(query.queryKey, addNotification(page, notification));
          if (!page || client.isFetching(query) > 0) void refetch();
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
