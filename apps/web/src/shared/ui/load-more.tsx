import { limits } from '@escucho/contracts';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactElement, useEffect } from 'react';
import { getErrorKey } from '../api/client.ts';
import { useT } from '../i18n/i18n.ts';
import { lazyComponent } from '../lazy.ts';
import { Button } from './button.tsx';
import { LazyBoundary, LazySection } from './lazy-boundary.tsx';
import { InlineError, LoadingList, Skeleton } from './states.tsx';
import type { MovedRow } from './virtual-list.tsx';

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

/** A list that renders only the items near the visible part of the page, loaded when it is first rendered. */
export const VirtualList = lazyComponent(async () => (await import('./virtual-list.tsx')).VirtualList);

interface LongListProps {
  /** The rows that are loaded, with keys. */
  rows: readonly ReactElement[];
  /** The number of rows, including those not loaded yet. */
  total: number;
  /** The row to follow, whose key is its id. */
  moved?: MovedRow | null;
  /**
   * Whether all loaded rows are shown until the code of a long list has loaded, and where it does not load. Not for rows
   * that end with `LoadMore`, which would load page after page.
   */
  hasPlainFallback?: boolean;
}

/** A list whose rows are loaded page by page; a long one renders only those near the visible part of the page (CAT-09). */
export function LongList({ rows, total, moved = null, hasPlainFallback = false }: LongListProps) {
  const plainList = (
    <ol>
      {rows.map((row) => (
        <li key={row.key}>{row}</li>
      ))}
    </ol>
  );
  if (total <= limits.pageSize.max) return plainList;
  const longList = <VirtualList items={rows} total={total} moved={moved} />;
  if (hasPlainFallback) return <LazyBoundary fallback={plainList}>{longList}</LazyBoundary>;
  const loading = <LoadingList count={3} className="grid gap-4 px-2" itemClassName="h-12" />;
  return <LazySection fallback={loading}>{longList}</LazySection>;
}
