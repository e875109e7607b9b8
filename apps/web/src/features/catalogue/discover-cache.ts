import { api, type ResponseBody } from '@escucho/contracts';
import * as z from 'zod/mini';
import { readStorageJson, removeFromStorage, writeStorage } from '#shared/storage.ts';
import { DISCOVER_CACHE_KEY, isCacheValid } from './model/discover-cache.ts';

const cached = z.object({ userId: z.string(), at: z.number(), answer: api.catalogue.discover.response });

type Discover = ResponseBody<typeof api.catalogue.discover>;

/** Returns Discover as the user last saw it, to be shown until it is loaded; undefined where nothing valid is stored. */
export function readCachedDiscover(userId: string, now: number): Discover | undefined {
  const { data } = cached.safeParse(readStorageJson(DISCOVER_CACHE_KEY));
  return data && isCacheValid(data, userId, now) ? data.answer : undefined;
}

/** Stores Discover for the user's next visit. */
export const cacheDiscover = (userId: string, answer: Discover, now: number): void =>
  writeStorage(DISCOVER_CACHE_KEY, JSON.stringify({ userId, at: now, answer }));

/** Removes the stored response when the user signs out. */
export const clearDiscoverCache = (): void => removeFromStorage(DISCOVER_CACHE_KEY);
