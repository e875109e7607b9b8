import { api, type Notification } from '@escucho/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { subscribeToEvents } from '#shared/api/stream.ts';
import { waitBefore, withNews } from './model/news.ts';
import { notificationsQuery } from './queries.ts';

/** Waits so many milliseconds, or until the network is back or nobody waits any more. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });

/** Listens, and again whenever the stream has ended or failed, each time with the token of then. */
async function follow(
  signal: AbortSignal,
  heard: { onOpen: () => void; onEvent: (news: Notification) => void },
): Promise<void> {
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    heard.onOpen();
  };
  while (!signal.aborted) {
    // Why it failed does not matter here: a refused token has ended the session by now.
    await subscribeToEvents(api.notifications.streamNotifications, { ...heard, onOpen, signal }).catch(() => {
      failures += 1;
    });
    if (!signal.aborted) await pause(waitBefore(failures, Math.random()), signal);
  }
}

/**
 * Notifications as they are written (CAT-07), while the page is looked at: they come into the list of the newest. What was
 * missed before the stream opened comes with that list, which is asked for anew. Out: the newest that came.
 */
export function useNews(language: string): Notification | null {
  const client = useQueryClient();
  const [news, setNews] = useState<Notification | null>(null);
  useEffect(() => {
    const query = notificationsQuery(language);
    let following: AbortController | null = null;
    const leave = () => {
      following?.abort();
      following = null;
    };
    const look = () => {
      if (document.visibilityState === 'hidden') return leave();
      if (following) return;
      following = new AbortController();
      void follow(following.signal, {
        onOpen: () => void client.invalidateQueries(query),
        onEvent: (one) => {
          client.setQueryData(query.queryKey, (page) => page && withNews(page, one));
          setNews(one);
        },
      });
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      leave();
    };
  }, [client, language]);
  return news;
}
