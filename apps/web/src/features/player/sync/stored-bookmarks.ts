import { api } from '@escucho/contracts';
import * as z from 'zod/mini';
import type { BookmarkChanges } from './merge-bookmarks.ts';

const bookmark = z.nullable(api.bookmarks.saveBookmark.response);
const nothing = { owner: null, waiting: {} };
const shape = z.catch(
  z.object({ owner: z.catch(z.nullable(z.string()), null), waiting: z.looseObject({}) }),
  nothing,
);

/** What bookmarks-storage left: whatever is sound of it. In: anything. */
export function parseBookmarkStorage(stored: unknown): { owner: string | null; waiting: BookmarkChanges } {
  const { owner, waiting } = shape.parse(stored);
  const sound = Object.entries(waiting).flatMap(([id, value]) => {
    const known = bookmark.safeParse(value);
    return known.success && (known.data === null || known.data._id === id) ? [[id, known.data] as const] : [];
  });
  return { owner, waiting: Object.fromEntries(sound) };
}
