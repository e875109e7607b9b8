import * as z from 'zod/mini';
import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';

interface Seen {
  /** The id of the newest notification the list was opened on. */
  lastSeen: string | null;
}

const stored = z.object({ lastSeen: z.catch(z.nullable(z.string()), null) });

/** What the user has seen, stored in this browser (CAT-07). */
export const useSeen = create<Seen>()(
  persistStore(
    {
      name: 'notifications-storage',
      version: 1,
      partialize: ({ lastSeen }) => ({ lastSeen }),
      parse: (value) => stored.safeParse(value).data ?? {},
    },
    (): Seen => ({ lastSeen: null }),
  ),
);

/**
 * Returns whether the newest notification has not been seen.
 *
 * @param ids - Newest first.
 */
export const hasUnseen = (ids: readonly string[], lastSeen: string | null): boolean =>
  ids[0] !== undefined && ids[0] !== lastSeen;
