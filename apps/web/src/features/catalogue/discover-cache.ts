import { api, type ResponseBody } from '@escucho/contracts';
import * as z from 'zod/mini';
import { readStorageJson, removeFromStorage, writeStorage } from '#shared/storage.ts';

export const DISCOVER_CACHE_KEY = 'discover-storage';

/** The signed addresses of pictures are valid for a day at least. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Returns whether the stored response may be shown to a user.
 *
 * @param stored - The id of the user it was for, and when it was loaded in milliseconds.
 */
export const isCacheValid = (stored: { userId: string; at: number }, userId: string, now: number): boolean =>
  stored.userId === userId && now - stored.at < MAX_AGE_MS;

// Built when it is used: the boot script, which imports this file, is smaller without it.
const createSchema = () =>
  z.object({ userId: z.string(), at: z.number(), answer: api.catalogue.discover.response });

type Discover = ResponseBody<typeof api.catalogue.discover>;

/** Returns Discover as the user last saw it, to be shown until it is loaded; undefined where nothing valid is stored. */
export function readCachedDiscover(userId: string, now: number): Discover | undefined {
  const { data } = createSchema().safeParse(readStorageJson(DISCOVER_CACHE_KEY));
  return data && isCacheValid(data, userId, now) ? data.answer : undefined;
}

/** Stores Discover for the user's next visit. */
export const cacheDiscover = (userId: string, answer: Discover, now: number): void =>
  writeStorage(DISCOVER_CACHE_KEY, JSON.stringify({ userId, at: now, answer }));

/** Removes the stored response when the user signs out. */
export const clearDiscoverCache = (): void => removeFromStorage(DISCOVER_CACHE_KEY);
