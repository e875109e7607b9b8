import { api, type BookmarkEntry, limits, replaceControlCharacters } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { call } from '#shared/api/client.ts';
import { saveFile } from '#shared/document.ts';
import { getFormat, getT, useFormat, useT } from '#shared/i18n/i18n.ts';
import { getNextPage } from '#shared/pagination.ts';
import { addQuery, paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { RowCover } from '#shared/ui/cover.tsx';
import { LoadMore, LongList } from '#shared/ui/load-more.tsx';
import { Menu } from '#shared/ui/menu.tsx';
import { EmptyState, LoadingList, QueryFallback } from '#shared/ui/states.tsx';
import { toastError } from '#shared/ui/toast.tsx';
import { useDebounced } from '#shared/use-debounced.ts';
import { type ExportOptions, toCsv, toMarkdown } from '../model/bookmark-export.ts';
import { play } from '../player.ts';
import { allBookmarksQuery } from '../queries.ts';
import { getChangedEntries, useChangedEntries } from '../sync/bookmarks.ts';
import { DeleteBookmarkButton } from './delete-bookmark-button.tsx';

/** Returns the path of an article's page that plays from a bookmark. */
const getPath = ({ bookmark }: BookmarkEntry): string =>
  addQuery(paths.article(bookmark.track), { at: String(Math.floor(bookmark.position)) });

/** Fetches all bookmarks that a search finds, with the changes that the server does not have yet. */
async function fetchEntries(q: string): Promise<BookmarkEntry[]> {
  const pages = [];
  for (let page: number | undefined = 1; page; page = getNextPage(pages)) {
    const query = { q, page, limit: limits.pageSize.max };
    const requestedAt = performance.now();
    pages.push({ requestedAt, ...(await call(api.bookmarks.findAllBookmarks, { query })) });
  }
  return getChangedEntries(pages, q);
}

const fileTypes = {
  md: { type: 'text/markdown', write: toMarkdown },
  csv: { type: 'text/csv', write: toCsv },
} as const;

async function exportBookmarks(q: string, extension: keyof typeof fileTypes): Promise<void> {
  const t = getT();
  const options: ExportOptions = {
    title: t('bookmarks.title'),
    columns: {
      title: t('bookmarks.columnTitle'),
      language: t('shell.language'),
      level: t('bookmarks.columnLevel'),
      time: t('bookmarks.columnTime'),
      note: t('tools.note'),
      sentence: t('bookmarks.columnSentence'),
      created: t('bookmarks.columnCreated'),
      link: t('bookmarks.columnLink'),
    },
    formatTime: getFormat().time,
    getLink: (entry) => new URL(getPath(entry), location.origin).href,
  };
  const { type, write } = fileTypes[extension];
  try {
    saveFile(`${t('bookmarks.fileName')}.${extension}`, write(await fetchEntries(q), options), type);
  } catch (error) {
    toastError(error);
  }
}

function ExportMenu({ q }: { q: string }) {
  const t = useT();
  return (
    <Menu
      trigger={
        <Button>
          <Download aria-hidden className="size-4" />
          {t('bookmarks.export')}
        </Button>
      }
      items={() => [
        { id: 'md', label: t('bookmarks.asMarkdown'), onSelect: () => void exportBookmarks(q, 'md') },
        { id: 'csv', label: t('bookmarks.asCsv'), onSelect: () => void exportBookmarks(q, 'csv') },
      ]}
    />
  );
}

interface RowProps {
  entry: BookmarkEntry;
  isSubscribed: boolean;
}

/** A bookmark: its cover plays from there, its title links to the article. */
function BookmarkRow({ entry, isSubscribed }: RowProps) {
  const t = useT();
  const format = useFormat();
  const { bookmark, track, sentence } = entry;
  const time = format.time(bookmark.position);
  const isLocked = track.url === null && !isSubscribed;
  const playFrom = () =>
    play({ name: t('bookmarks.title'), playlist: null }, [track], 0, { from: bookmark.position });
  return (
    <article className="group flex gap-3 rounded-md p-2 hover:bg-hover">
      <button
        type="button"
        aria-label={t(isLocked ? 'bookmarks.playLocked' : 'bookmarks.play', { title: track.title, time })}
        onClick={playFrom}
        className="relative size-12 shrink-0 overflow-hidden rounded-sm sm:size-16"
      >
        <RowCover src={track.image} action={isLocked ? 'lock' : 'play'} />
      </button>
      <div className="min-w-0 flex-1">
        <p className="flex gap-2 text-sm">
          <span className="shrink-0 text-accent-text tabular-nums">{time}</span>
          <Link
            to={getPath(entry)}
            lang={track.language}
            className="line-clamp-2 py-px font-medium wrap-anywhere hover:underline"
          >
            {track.title}
          </Link>
        </p>
        {bookmark.note && <p className="mt-1 text-sm wrap-anywhere">{bookmark.note}</p>}
        {sentence && (
          <p lang={track.language} className="mt-1 line-clamp-2 font-serif text-sm text-muted">
            {sentence}
          </p>
        )}
      </div>
      <DeleteBookmarkButton bookmark={bookmark} label={t('bookmarks.delete', { title: track.title, time })} />
    </article>
  );
}

/** Returns the bookmarks that a search finds, page by page. Outdated pages are requested again before the next one. */
function useBookmarkPages(q: string) {
  const query = useInfiniteQuery(allBookmarksQuery(q));
  const { data, fetchStatus, isError, refetch } = query;
  const { entries, total, isOutdated } = useChangedEntries(data?.pages ?? [], q);
  useEffect(() => {
    if (isOutdated && fetchStatus === 'idle' && !isError) void refetch();
  }, [isOutdated, fetchStatus, isError, refetch]);
  return { query, entries, total, hasNextPage: isOutdated ? isError : query.hasNextPage };
}

/** All bookmarks and notes of the user, newest first: searched, played, deleted and exported. */
export function AllBookmarks({ isSubscribed }: { isSubscribed: boolean }) {
  const t = useT();
  const [text, setText] = useState('');
  const q = useDebounced(replaceControlCharacters(text));
  const { query, entries, total, hasNextPage } = useBookmarkPages(q);
  const { data } = query;
  if (data && entries.length === 0 && !hasNextPage && q === '' && text === '')
    return (
      <EmptyState
        title={t('bookmarks.emptyTitle')}
        text={t('bookmarks.emptyText')}
        action={
          <Link to={paths.discover} className={buttonClassName('solid')}>
            {t('playlists.toDiscover')}
          </Link>
        }
      />
    );
  const rows = entries.map((entry) => (
    <BookmarkRow key={entry.bookmark._id} entry={entry} isSubscribed={isSubscribed} />
  ));
  if (hasNextPage) rows.push(<LoadMore key="more" query={query} />);
  return (
    <div className="max-w-4xl">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <label className="relative min-w-64 flex-1">
          <span className="sr-only">{t('bookmarks.search')}</span>
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-4 size-4.5 -translate-y-1/2 text-muted"
          />
          <input
            type="search"
            value={text}
            placeholder={t('bookmarks.search')}
            maxLength={limits.search.maxLength}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            className="field w-full pl-11"
          />
        </label>
        <ExportMenu q={q} />
      </div>
      <p role="status" className="mb-2 min-h-5 text-sm text-muted">
        {data && (total === 0 && q !== '' ? t('bookmarks.noneFound') : t.count('bookmarks.found', total))}
      </p>
      {!data && (
        <QueryFallback
          query={query}
          title={t('bookmarks.failedTitle')}
          loading={<LoadingList count={3} itemClassName="h-16" />}
        />
      )}
      <div className="-mx-2">
        <LongList rows={rows} total={total} />
      </div>
    </div>
  );
}
