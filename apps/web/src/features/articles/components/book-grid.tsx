import type { Track } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { paths } from '#shared/paths.ts';
import { Cover } from '#shared/ui/cover.tsx';
import { ShowMore } from '#shared/ui/load-more.tsx';
import { EmptyState, LoadingList, QueryFallback } from '#shared/ui/states.tsx';
import { booksQuery } from '../queries.ts';

const columns = 'grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-5 2xl:grid-cols-8';

function BookTile({ book }: { book: Track }) {
  const t = useT();
  const format = useFormat();
  return (
    <li>
      <Link to={paths.book(book._id)} className="group block rounded-lg">
        <Cover
          src={book.artwork}
          size={480}
          className="aspect-square w-full rounded-lg transition-transform duration-200 group-hover:scale-102"
        />
        <span lang={book.language} className="mt-3 line-clamp-2 font-semibold">
          {book.title}
        </span>
        <span className="mt-0.5 block text-xs text-muted">
          {book.artist} · {format.duration(book.duration)} · {book.level} ·{' '}
          {t(`discover.language_${book.language}`)}
        </span>
      </Link>
    </li>
  );
}

/** All visual books (CAT-06), each a link to its pages. */
export function BookGrid() {
  const t = useT();
  const query = useInfiniteQuery(booksQuery);
  const books = query.data?.pages.flatMap(({ docs }) => docs);
  if (!books)
    return (
      <QueryFallback
        query={query}
        loading={<LoadingList count={4} itemClassName="aspect-square rounded-lg" className={columns} />}
      />
    );
  if (books.length === 0) return <EmptyState title={t('books.noneTitle')} text={t('books.noneText')} />;
  return (
    <>
      <ul className={columns}>
        {books.map((book) => (
          <BookTile key={book._id} book={book} />
        ))}
      </ul>
      <ShowMore query={query} className="mt-8" />
    </>
  );
}
