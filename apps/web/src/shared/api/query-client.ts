import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** Retries failed connections and server errors, but no client errors. */
const shouldRetry = (failureCount: number, error: unknown) =>
  failureCount < 2 && error instanceof ApiError && (error.code === 'network' || error.status >= 500);

/** Creates the cache of a layout's queries. */
export function createQueryClient(): QueryClient {
  // The library learns of the network by events only; queries of a page that loads offline would never run again.
  // Node.js 21 and newer, which prerenders pages, has a navigator without this state.
  const isOnline: unknown = globalThis.navigator?.onLine;
  if (typeof isOnline === 'boolean') onlineManager.setOnline(isOnline);
  return new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: shouldRetry } } });
}
