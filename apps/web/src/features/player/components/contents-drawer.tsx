import {
  type Article,
  type Bookmark,
  limits,
  replaceControlCharacters,
  type Track,
} from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { BookmarkPlus, Pencil } from 'lucide-react';
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useWindowEvent } from '#shared/document.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Button, IconButton } from '#shared/ui/button.tsx';
import { Dialog } from '#shared/ui/dialog.tsx';
import { InlineQueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { dispatch, usePlayback, usePlayer } from '../engine/store.ts';
import { findSentenceIndex, type Sentence } from '../model/sentences.ts';
import { articleQuery } from '../queries.ts';
import { addBookmark, saveNote, useBookmarks } from '../sync/bookmarks.ts';
import { DeleteBookmarkButton } from './delete-bookmark-button.tsx';

interface NoteFormProps {
  bookmark: Bookmark;
  label: string;
  onDone: () => void;
}

/** The form of a note, which is saved when the form closes: by its button, with the drawer or page, or by the next track. */
function NoteForm({ bookmark, label, onDone }: NoteFormProps) {
  const t = useT();
  const [note, setNote] = useState(bookmark.note);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onDone();
  };
  const save = () => {
    const written = replaceControlCharacters(note);
    if (written !== bookmark.note) saveNote(bookmark, written);
  };
  useWindowEvent('pagehide', save);
  const handleUnmount = useEffectEvent(save);
  useEffect(() => () => handleUnmount(), []);
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 px-2 pb-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the form
        autoFocus
        aria-label={label}
        placeholder={t('tools.note')}
        value={note}
        maxLength={limits.bookmarks.note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        className="field min-w-0 flex-1 basis-[8rem]"
      />
      <Button type="submit" className="shrink-0 px-4">
        {t('common.save')}
      </Button>
    </form>
  );
}

interface RowProps {
  bookmark: Bookmark;
  /** The sentence at its position, and its language. */
  sentence: string | undefined;
  language: string;
  /** Whether the user has just added it, and may write a note. */
  isNew: boolean;
  /** Called when the note is closed, and when the bookmark is deleted. */
  onDone: () => void;
}

/** A bookmark. The form of its note stays open when another one is opened, so that nothing typed is lost. */
function BookmarkRow({ bookmark, sentence, language, isNew, onDone }: RowProps) {
  const t = useT();
  const [isEdited, setEdited] = useState(isNew);
  const time = useFormat().time(bookmark.position);
  const noteLabel = t('tools.bookmarkEdit', { time });
  const editButton = useRef<HTMLButtonElement>(null);
  const closeNote = () => {
    // The form, which has the focus, goes.
    editButton.current?.focus();
    setEdited(false);
    onDone();
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
            {sentence && (
              <span lang={language} className="line-clamp-2 font-serif text-muted">
                {sentence}
              </span>
            )}
          </span>
        </button>
        <IconButton
          ref={editButton}
          label={noteLabel}
          aria-expanded={isEdited}
          onClick={() => setEdited(!isEdited)}
        >
          <Pencil />
        </IconButton>
        <DeleteBookmarkButton
          bookmark={bookmark}
          label={t('tools.bookmarkDelete', { time })}
          onDelete={onDone}
        />
      </div>
      {isEdited && <NoteForm bookmark={bookmark} label={noteLabel} onDone={closeNote} />}
    </li>
  );
}

/** The user's bookmarks in a track: seek, edit the note, delete; and a button that adds one at the current position. */
function Bookmarks({ track, sentences }: { track: Track; sentences: readonly Sentence[] }) {
  const t = useT();
  const { bookmarks, query } = useBookmarks(track._id);
  const [added, setAdded] = useState<string | null>(null);
  return (
    <section aria-label={t('tools.bookmarks')}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold text-muted">{t('tools.bookmarks')}</h3>
        <Button onClick={() => setAdded(addBookmark()?._id ?? null)} className="px-4">
          <BookmarkPlus aria-hidden className="size-4" />
          {t('tools.doBookmark')}
        </Button>
      </div>
      <ol className="-mx-2 grid grid-cols-1 gap-1">
        {bookmarks.map((bookmark) => (
          <BookmarkRow
            key={bookmark._id}
            bookmark={bookmark}
            sentence={sentences[findSentenceIndex(sentences, bookmark.position)]?.text}
            language={track.language}
            isNew={added === bookmark._id}
            onDone={() => setAdded(null)}
          />
        ))}
      </ol>
      {query.isSuccess ? (
        bookmarks.length === 0 && (
          <p className="py-6 text-center text-sm text-muted">{t('tools.bookmarkNone')}</p>
        )
      ) : (
        <InlineQueryFallback
          query={query}
          text={t('tools.bookmarksFailed')}
          className="grid justify-items-center gap-3 py-6 text-sm text-muted"
          loading={bookmarks.length === 0 && <Skeleton className="h-11" />}
        />
      )}
    </section>
  );
}

function SectionList({
  sections,
  label,
  language,
}: {
  sections: Article['chapters'];
  label: string;
  language: string;
}) {
  const format = useFormat();
  const now = usePlayback(({ position }) => findSentenceIndex(sections, position));
  return (
    <section aria-label={label} className="mb-6">
      <h3 className="mb-2 text-sm font-semibold text-muted">{label}</h3>
      <ol className="-mx-2 grid grid-cols-1">
        {sections.map(({ title, start }, index) => (
          // A chapter without sentences starts with the next one.
          <li key={`${start} ${title}`}>
            <button
              type="button"
              aria-current={index === now ? 'true' : undefined}
              onClick={() => dispatch({ type: 'seek', position: start })}
              className={clsx(
                'flex min-h-11 w-full items-center justify-between gap-3 rounded-md px-2 py-1 text-left text-sm',
                index === now ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
              )}
            >
              <span lang={language} className="min-w-0">
                {title}
              </span>
              <span className="shrink-0 text-xs text-muted tabular-nums">{format.time(start)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The drawer with the active track's chapters, pages and bookmarks. */
export function ContentsDrawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const track = usePlayer((player) => player.activeTrack);
  const { data } = useQuery({ ...articleQuery(track?._id ?? ''), enabled: track !== null });
  if (!track) return null;
  const { chapters = [], pages = [] } = data ?? {};
  return (
    <Dialog side="right" title={t('tools.parts')} onClose={onClose}>
      {chapters.length > 0 && (
        <SectionList sections={chapters} label={t('tools.chapters')} language={track.language} />
      )}
      {pages.length > 0 && (
        <SectionList sections={pages} label={t('tools.pages')} language={track.language} />
      )}
      <Bookmarks track={track} sentences={data?.sentences ?? []} />
    </Dialog>
  );
}
