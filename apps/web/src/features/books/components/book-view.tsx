import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '#shared/api/client.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { QueryError } from '#shared/ui/states.tsx';
import { bookQuery } from '../queries.ts';
import { BookReader } from './book-reader.tsx';

/** One visual book, or why it is not there. In: its id, and what is shown when there is none. */
export function BookView({ id, missing }: { id: string; missing: ReactNode }) {
  const t = useT();
  const query = useQuery(bookQuery(id));
  const { data, error, isPaused } = query;
  if (data) return data.article.pages.length > 0 ? <BookReader book={data} /> : missing;
  if (error instanceof ApiError && error.status === 404) return missing;
  if (error || isPaused) return <QueryError query={query} />;
  return (
    <div role="status" className="mx-auto max-w-6xl">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton className="h-9 w-72 max-w-full" />
      <div className="mt-8 grid items-center gap-10 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
        <Skeleton className="aspect-square max-h-[68dvh] w-full rounded-lg" />
        <div className="grid gap-4">
          {['w-full', 'w-11/12', 'w-4/5'].map((width) => (
            <Skeleton key={width} className={`h-5 ${width}`} />
          ))}
        </div>
      </div>
    </div>
  );
}
