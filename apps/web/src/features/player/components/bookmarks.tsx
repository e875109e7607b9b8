import { type Bookmark, limits, type Track } from '@escucho/contracts';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { IconButton } from '#shared/ui/icon-button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { toast } from '#shared/ui/toast.ts';
import { dispatch } from '../engine/events.ts';
import { usePlayback } from '../engine/store.ts';
import { findSentenceIndex, type Sentence } from '../model/sentences.ts';
import { addBookmark, deleteBookmark, saveBookmark, useBookmarks } from '../sync/bookmarks.ts';

/** The note of a bookmark, to be written. */
function NoteForm({ bookmark, onDone }: { bookmark: Bookmark; onDone: () => void }) {
  const t = useT();
  const [note, setNote] = useState(bookmark.note);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saveBookmark({ ...bookmark, note: note.trim() });
    onDone();
  };
  return (
    <form onSubmit={save} className="flex items-center gap-2 px-2 pb-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: the reader has just asked to write here
        autoFocus
        aria-label={t('tools.note')}
        placeholder={t('tools.note')}
        value={note}
        maxLength={limits.bookmarks.note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        className="field min-w-0 flex-1"
      />
      <Button type="submit" className="shrink-0 px-4">
        {t('tools.noteSave')}
      </Button>
    </form>
  );
}

interface RowProps {
  bookmark: Bookmark;
  /** What is said at that place, and in which language. */
  said: string | undefined;
  language: string;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
}

function BookmarkRow({ bookmark, said, language, isEdited, onEdit }: RowProps) {
  const t = useT();
  const time = useFormat().time(bookmark.position);
  const remove = () => {
    deleteBookmark(bookmark);
    toast(t('tools.bookmarkDeleted', { time }), 'message', 'top-right', {
      label: t('queue.undo'),
      run: () => saveBookmark(bookmark),
    });
  };
  return (
    <li className="rounded-md hover:bg-hover">
      <div className="flex items-center">
        <button
          type="button"
          onClick={() => dispatch({ type: 'seek', position: bookmark.position })}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-md p-2 text-left text-sm"
        >
          <span className="sr-only">{t('tools.bookmarkGo', { time })}: </span>
          <span aria-hidden className="shrink-0 text-accent-text tabular-nums">
            {time}
          </span>
          <span className="min-w-0">
            {bookmark.note && <span className="block wrap-anywhere">{bookmark.note}</span>}
            {said && (
              <span lang={language} className="line-clamp-2 font-serif text-muted">
                {said}
              </span>
            )}
          </span>
        </button>
        <IconButton
          label={t('tools.bookmarkEdit', { time })}
          aria-expanded={isEdited}
          onClick={() => onEdit(!isEdited)}
        >
          <Pencil />
        </IconButton>
        <IconButton label={t('tools.bookmarkDelete', { time })} onClick={remove}>
          <Trash2 />
        </IconButton>
      </div>
      {isEdited && <NoteForm bookmark={bookmark} onDone={() => onEdit(false)} />}
    </li>
  );
}

/** The reader's bookmarks in a track: go there, write a note, delete; a new one where the sound is. */
export function Bookmarks({ track, sentences }: { track: Track; sentences: readonly Sentence[] }) {
  const t = useT();
  const format = useFormat();
  const { bookmarks, isError, isPending, refetch } = useBookmarks(track._id);
  const [edited, setEdited] = useState<string | null>(null);
  const second = usePlayback(({ position }) => Math.floor(position));
  return (
    <section aria-label={t('tools.bookmarks')}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold text-muted">{t('tools.bookmarks')}</h3>
        <Button onClick={() => setEdited(addBookmark()?._id ?? null)} className="px-4">
          <BookmarkPlus aria-hidden className="size-4" />
          {t('tools.bookmarkAdd', { time: format.time(second) })}
        </Button>
      </div>
      <ol className="-mx-2 grid gap-1">
        {bookmarks.map((bookmark) => (
          <BookmarkRow
            key={bookmark._id}
            bookmark={bookmark}
            said={sentences[findSentenceIndex(sentences, bookmark.position)]?.text}
            language={track.language}
            isEdited={edited === bookmark._id}
            onEdit={(isEdited) => setEdited(isEdited ? bookmark._id : null)}
          />
        ))}
      </ol>
      {isError && (
        <div role="alert" className="grid justify-items-center gap-3 py-6 text-sm text-muted">
          {t('tools.bookmarksFailed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </div>
      )}
      {isPending && bookmarks.length === 0 && <Skeleton className="h-11" />}
      {!isPending && !isError && bookmarks.length === 0 && (
        <p className="py-6 text-center text-sm text-muted">{t('tools.bookmarkNone')}</p>
      )}
    </section>
  );
}
