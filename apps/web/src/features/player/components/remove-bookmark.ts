import type { Bookmark } from '@escucho/contracts';
import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { toastWithUndo } from '#shared/ui/toast.tsx';
import { deleteBookmark, saveBookmark } from '../sync/bookmarks.ts';

/** Marks the button that deletes the bookmark of a list's item. */
const DELETE_BUTTON = '[data-delete-bookmark]';

/**
 * Deletes a bookmark and offers to undo it. The focus moves from its button, which disappears, to that of the next bookmark
 * in the list, or of the one before.
 */
export function removeBookmark(bookmark: Bookmark, button: HTMLElement): void {
  const item = button.closest('li');
  const neighbours = [item?.nextElementSibling, item?.previousElementSibling];
  neighbours
    .map((neighbour) => neighbour?.querySelector<HTMLElement>(DELETE_BUTTON))
    .find(Boolean)
    ?.focus();
  deleteBookmark(bookmark);
  const text = getT()('tools.bookmarkDeleted', { time: getFormat().time(bookmark.position) });
  toastWithUndo(text, () => saveBookmark(bookmark), 'message');
}
