import { limits } from '@escucho/contracts';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useT } from '#shared/i18n/i18n.ts';
import { InlineError, Skeleton } from '#shared/ui/states.tsx';
import { VirtualList } from '#shared/ui/virtual-list.tsx';
import { type PagedList as List, PAGE_SIZE, pageQuery } from '../queries.ts';
import { ArticleRow } from './article-row.tsx';

/** The error of a page is shown in every so many rows, so that at least one of them is in view. */
const ERROR_ROW_INTERVAL = 4;

interface Props {
  list: List;
  total: number;
  onPlay: (index: number) => void;
}

/** A row that requests its page when it is rendered. All rows have the same height, so that scroll positions are stable. */
function PagedRow({ list, index, onPlay }: Omit<Props, 'total'> & { index: number }) {
  const t = useT();
  const page = Math.floor(index / PAGE_SIZE);
  const { data, isError, isPaused, refetch } = useQuery({ ...pageQuery(list, page), enabled: page > 0 });
  const docs = page === 0 ? list.firstPage : data?.docs;
  const isNextNear = docs?.length === PAGE_SIZE && index % PAGE_SIZE >= PAGE_SIZE / 2;
  usePrefetchQuery(pageQuery(list, isNextNear ? page + 1 : page));
  const track = docs?.[index % PAGE_SIZE];
  const hasFailed = !docs && (isError || isPaused);
  return (
    <div className="grid min-h-20 content-center">
      {track && <ArticleRow track={track} index={index} onPlay={onPlay} />}
      {!docs && !hasFailed && <Skeleton className="mx-2 h-12 sm:h-16" />}
      {hasFailed && index % ERROR_ROW_INTERVAL === 0 && (
        <InlineError
          text={t(isPaused ? 'common.network' : 'common.moreFailed')}
          onRetry={() => void refetch()}
          className="flex items-center justify-center gap-3 text-sm text-muted"
        />
      )}
    </div>
  );
}

/** Returns the height of a row, in pixels, which places every row of the list before its page is loaded. */
const getRowHeight = (): number => 5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** A list of any length that renders only the rows near the viewport and holds a few pages in memory (CAT-09). */
export function PagedList({ list, total, onPlay }: Props) {
  const items = useMemo(() => Array.from({ length: Math.min(total, limits.list.shown) }), [total]);
  return (
    <VirtualList items={items} total={total} itemSize={getRowHeight()}>
      {(index) => <PagedRow list={list} index={index} onPlay={onPlay} />}
    </VirtualList>
  );
}
