import type { Bookmark } from '@escucho/contracts';
import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.ts';
import { deleteBookmark, saveBookmark } from '../sync/bookmarks.ts';

/** Deletes a bookmark and offers to undo it. */
export function removeBookmark(bookmark: Bookmark): void {
  const t = getT();
  deleteBookmark(bookmark);
  toast(t('tools.bookmarkDeleted', { time: getFormat().time(bookmark.position) }), 'message', 'top-right', {
    label: t('queue.undo'),
    run: () => saveBookmark(bookmark),
  });
}
