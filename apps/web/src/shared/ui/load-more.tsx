import { useEffect } from 'react';
import { InlineError, Skeleton } from './states.tsx';

interface InfiniteQuery {
  isError: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The end of an infinite list: fetches the next page when it is rendered, and shows `error` with a retry on failure. */
export function LoadMore({ query, error }: { query: InfiniteQuery; error: string }) {
  const { isError, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (!isError && !isFetchingNextPage) fetchNextPage();
  }, [isError, isFetchingNextPage, fetchNextPage]);
  if (!isError) return <Skeleton className="my-2 h-12" />;
  return (
    <InlineError
      text={error}
      onRetry={() => fetchNextPage()}
      className="flex items-center justify-center gap-3 py-3 text-sm text-muted"
    />
  );
}
