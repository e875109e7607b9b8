import * as z from 'zod/mini';
import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';

interface Seen {
  /** The newest notification the reader has opened the list on. */
  lastSeen: string | null;
}

const stored = z.object({ lastSeen: z.catch(z.nullable(z.string()), null) });

/** What has been seen, kept in this browser (CAT-07). */
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

/** Whether the newest is one that has not been seen. In: the list's ids, newest first, and the last seen. */
export const hasNews = (ids: readonly string[], lastSeen: string | null): boolean =>
  ids[0] !== undefined && ids[0] !== lastSeen;
