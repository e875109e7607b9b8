import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect } from 'react';
import { getErrorKey } from '../api/client.ts';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { InlineError, Skeleton } from './states.tsx';

interface Props {
  query: UseInfiniteQueryResult;
  className?: string;
}

/** The button that fetches the next page of a list, and the error with a retry when that fails (CAT-09). */
export function ShowMore({ query, className }: Props) {
  const t = useT();
  const { error, isPaused, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (!hasNextPage) return null;
  const hasFailed = query.isFetchNextPageError || isPaused;
  return (
    <div className={clsx('flex flex-wrap items-center gap-4', className)}>
      {hasFailed && (
        <p role="alert" className="text-muted">
          {t(isPaused ? 'common.network' : getErrorKey(error))}
        </p>
      )}
      {/* One button for both, which keeps the focus. */}
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t(hasFailed ? 'common.retry' : 'common.showMore')}
      </Button>
    </div>
  );
}

/**
 * The end of an infinite list: fetches the next page when it is rendered, and shows that this failed, or waits for the
 * network, with a retry (CAT-09).
 */
export function LoadMore({ query }: Pick<Props, 'query'>) {
  const t = useT();
  const { isError, isPaused, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (!isError && !isFetchingNextPage) void fetchNextPage();
  }, [isError, isFetchingNextPage, fetchNextPage]);
  if (!isError && !isPaused) return <Skeleton className="my-2 h-12" />;
  return (
    <InlineError
      text={t(isPaused ? 'common.network' : 'common.moreFailed')}
      onRetry={() => void fetchNextPage()}
      className="flex items-center justify-center gap-3 py-3 text-sm text-muted"
    />
  );
}
