import type { api, ResponseBody } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import {
  play,
  seekTo,
  togglePlayback,
  useSavedPosition,
  useTrackAction,
  useTrackPosition,
} from '#features/player/player.ts';
import { useIsLocked } from '#features/session/session.ts';
import { useWindowEvent } from '#shared/document.ts';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { useQueryParams } from '#shared/location.tsx';
import { paths } from '#shared/paths.ts';
import { BackLink } from '#shared/ui/back-link.tsx';
import { Sentences } from '#shared/ui/sentences.tsx';
import { LoadingStatus, QueryFallback, Skeleton } from '#shared/ui/states.tsx';
import { getPageAt, parsePage } from '../model/pages.ts';
import { articleQuery } from '../queries.ts';
import { BookControls, BookPicture } from './book-controls.tsx';

type Book = ResponseBody<typeof api.catalogue.readArticle>;

/**
 * Returns the index of the open page, functions that open another, and the book's playback position in seconds, or null
 * while it is not in the player. The open page is the one that is playing; otherwise the one the address names, or the one
 * of the saved position.
 */
function useBookPage({ article: { pages }, track }: Book) {
  const [query, setQuery] = useQueryParams();
  const setPage = useCallback((index: number) => setQuery({ page: String(index + 1) }), [setQuery]);
  const position = useTrackPosition(track._id);
  const savedPosition = useSavedPosition(track);
  const page = query.get('page');
  const getRestingPage = (addressed: string | null) =>
    addressed === null ? getPageAt(pages, savedPosition) : parsePage(addressed, pages.length);
  const openPage = position === null ? getRestingPage(page) : getPageAt(pages, position);

  // The address follows, so that it can be shared; going back leaves the book.
  useEffect(() => {
    if (page !== String(openPage + 1)) setPage(openPage);
  }, [page, openPage, setPage]);

  const turnTo = (index: number) => {
    const target = pages[index];
    if (!target) return;
    if (position === null) setPage(index);
    else seekTo(target.start);
  };
  const turnBy = (count: number) => {
    // The page of the address may not be rendered yet.
    const addressed = new URLSearchParams(location.search).get('page');
    turnTo((position === null ? getRestingPage(addressed) : openPage) + count);
  };
  return { openPage, turnTo, turnBy, position };
}

const turnsByKey: Record<string, 1 | -1> = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
/** Elements that use these keys themselves. */
const KEYBOARD_CONTROLS =
  'input, textarea, select, dialog, [role^=menu], [contenteditable]:not([contenteditable=false])';

/** Turns pages by the arrow and page keys while a book is open; the player's shortcuts do not see them. */
function usePageKeys(turn: (pages: 1 | -1) => void): void {
  const handleKeyDown = (event: KeyboardEvent) => {
    const pages = turnsByKey[event.key];
    const { target } = event;
    if (!pages || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target instanceof Element && target.closest(KEYBOARD_CONTROLS)) return;
    event.preventDefault();
    turn(pages);
  };
  // Captured before the player's shortcuts, which ignore events whose default is prevented.
  useWindowEvent('keydown', handleKeyDown, true);
}

/** The layout of a book and of its placeholder. In a low window the picture is beside all the rest. */
const layout = {
  book: 'mx-auto max-w-6xl low:grid low:grid-cols-[auto_minmax(0,1fr)] low:grid-rows-[auto_auto_auto_1fr] low:gap-x-4 low:*:col-start-2',
  page: 'grid grid-cols-1 items-center gap-6 low:contents lg:landscape:grid-cols-[auto_minmax(18rem,1fr)] lg:landscape:gap-8',
  text: 'mx-auto grid w-full max-w-[34rem] gap-6 low:col-start-2 lg:landscape:gap-10',
};

/** A visual book page by page (CAT-06): picture, text and narration. Pages turn by buttons, keys, swipes and with the playback. */
function BookPages({ book }: { book: Book }) {
  const t = useT();
  const format = useFormat();
  const { article, track } = book;
  const { pages, language } = article;
  const { openPage, turnTo, turnBy, position } = useBookPage(book);
  const action = useTrackAction(track._id, useIsLocked(track.url));
  const page = pages[openPage];
  const sentences = useMemo(
    () => article.sentences.filter((sentence) => sentence.page === openPage),
    [article.sentences, openPage],
  );
  usePageKeys(turnBy);

  // A book is queued alone.
  const playFrom = (from: number) =>
    position === null ? play({ name: track.title, playlist: null }, [track], 0, { from }) : seekTo(from);
  const togglePlay = () => (position === null ? playFrom(page?.start ?? 0) : togglePlayback());
  const pageLabel = t('books.page', { page: openPage + 1, pages: pages.length });
  return (
    <div className={layout.book}>
      <BackLink to={paths.visualBook}>{t('books.all')}</BackLink>
      <h1 lang={language} className="heading text-xl text-balance">
        {article.title}
      </h1>
      <p className="mt-1 mb-5 text-sm text-muted">
        {article.narrator.name} · {format.duration(article.duration)} · {article.level}
      </p>
      <section aria-label={pageLabel} className={layout.page}>
        {page && <BookPicture page={page} next={pages[openPage + 1]} language={language} onTurn={turnBy} />}
        <div className={layout.text}>
          {/* Below the picture on phones, where the text would move them under the player. */}
          <BookControls
            pages={pages}
            openPage={openPage}
            action={action}
            onListen={togglePlay}
            onTurn={turnBy}
            onTurnTo={turnTo}
            className="lg:landscape:order-last"
          />
          <div
            key={openPage}
            lang={language}
            className="grid gap-[1.1em] font-serif text-lg leading-[1.65] motion-safe:animate-[rise_180ms_ease-out] md:text-xl"
          >
            <Sentences sentences={sentences} position={position} onSeek={playFrom} />
          </div>
        </div>
      </section>
      <p role="status" className="sr-only">
        {pageLabel}
      </p>
    </div>
  );
}

const bookSkeleton = (
  <LoadingStatus className={layout.book}>
    <Skeleton className="h-5 w-40" />
    <Skeleton className="mt-4 h-8 w-72 max-w-full" />
    <Skeleton className="mt-2 mb-5 h-4 w-32" />
    <div className={layout.page}>
      <Skeleton className="mx-auto aspect-4/3 w-[calc(40dvh*4/3)] max-w-[min(100%,1024px)] rounded-lg lg:landscape:w-[calc((100dvh-20rem)*4/3)] lg:landscape:self-start low:col-start-1 low:row-span-4 low:row-start-1 low:w-[calc((100dvh-145px)*4/3)] low:max-w-[calc(100vw-405px)] low:self-start" />
      <div className={layout.text}>
        <Skeleton className="mx-auto h-11 w-32 lg:landscape:order-last" />
        {['w-full', 'w-11/12', 'w-4/5'].map((width) => (
          <Skeleton key={width} className={`h-5 ${width}`} />
        ))}
      </div>
    </div>
  </LoadingStatus>
);

interface Props {
  id: string;
  /** Shown where there is no such book. */
  missing: ReactNode;
}

/** The page of a visual book. */
export function BookView({ id, missing }: Props) {
  const query = useQuery(articleQuery(id));
  const { data } = query;
  if (data) return data.article.pages.length > 0 ? <BookPages book={data} /> : missing;
  return <QueryFallback query={query} missing={missing} loading={bookSkeleton} />;
}
