import { useEffect } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Skeleton } from './skeleton.tsx';

/** What it must know of a list that comes page by page. */
interface Pages {
  isError: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The end of what is loaded: once it is drawn, it fetches the next page. In: the list, and what is said when that fails. */
export function LoadMore({ query, failed }: { query: Pages; failed: string }) {
  const t = useT();
  const { isError, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (!isError && !isFetchingNextPage) fetchNextPage();
  }, [isError, isFetchingNextPage, fetchNextPage]);
  if (!isError) return <Skeleton className="my-2 h-12" />;
  return (
    <div role="alert" className="flex items-center justify-center gap-3 py-3 text-sm text-muted">
      {failed}
      <Button onClick={() => fetchNextPage()}>{t('common.retry')}</Button>
    </div>
  );
}
