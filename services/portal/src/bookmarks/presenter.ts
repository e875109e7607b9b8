import type { Bookmark } from '@escucho/contracts';
import type { BookmarkRow } from './repository.ts';

/** A bookmark as the wire names it. */
export const toBookmark = (row: BookmarkRow): Bookmark => ({
  _id: row.id,
  track: row.article_id,
  position: row.position,
  note: row.note,
  createdAt: row.created_at.toISOString(),
});
