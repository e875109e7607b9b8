import type { Bookmark } from '@escucho/contracts';
import { Trash2 } from 'lucide-react';
import { getFormat, getT } from '#shared/i18n/i18n.ts';
import { IconButton } from '#shared/ui/button.tsx';
import { toastWithUndo } from '#shared/ui/toast.tsx';
import { deleteBookmark, saveBookmark } from '../sync/bookmarks.ts';

/**
 * Moves the focus from a button, whose item of a list disappears, to that of the next item, or of the one before; from the
 * only item to the first button of its section.
 */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest('li');
  const neighbours = [item?.nextElementSibling, item?.previousElementSibling];
  const targets = neighbours.map((neighbour) =>
    neighbour?.querySelector<HTMLElement>('[data-delete-bookmark]'),
  );
  [...targets, button.closest('section')?.querySelector('button')].find(Boolean)?.focus();
}

interface Props {
  bookmark: Bookmark;
  label: string;
  onDelete?: () => void;
}

/** The button that deletes the bookmark of a list's item, and offers to undo it. */
export function DeleteBookmarkButton({ bookmark, label, onDelete }: Props) {
  const remove = (button: HTMLElement) => {
    focusNeighbour(button);
    deleteBookmark(bookmark);
    const text = getT()('tools.bookmarkDeleted', { time: getFormat().time(bookmark.position) });
    toastWithUndo(text, () => saveBookmark(bookmark), 'message');
    onDelete?.();
  };
  return (
    <IconButton data-delete-bookmark label={label} onClick={({ currentTarget }) => remove(currentTarget)}>
      <Trash2 />
    </IconButton>
  );
}
