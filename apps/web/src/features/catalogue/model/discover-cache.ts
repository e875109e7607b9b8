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
