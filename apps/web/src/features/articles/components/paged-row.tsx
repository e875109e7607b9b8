import { limits } from '@escucho/contracts';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useT } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { type LongList, pageQuery } from '../list-pages.ts';
import { ArticleRow, type RowTools } from './article-row.tsx';

interface Props {
  list: LongList;
  index: number;
  onPlay: (index: number) => void;
  Tools: RowTools;
}

const size = limits.pageSize.max;
/** A page that did not come is said at every so many rows: at least one of them is in sight. */
const SAID_AT = 4;

/** A row of a list that comes page by page; its page is asked for when it is drawn. All are as high, so that places stay. */
export function PagedRow({ list, index, onPlay, Tools }: Props) {
  const t = useT();
  const page = Math.floor(index / size);
  const { data, isError, refetch } = useQuery({ ...pageQuery(list, page), enabled: page > 0 });
  const docs = page === 0 ? list.first : data?.docs;
  // Whoever has come half way will want the next.
  const isNextNear = docs?.length === size && index % size >= size / 2;
  usePrefetchQuery(pageQuery(list, isNextNear ? page + 1 : page));
  const track = docs?.[index % size];
  return (
    <div className="grid min-h-20 content-center">
      {track && <ArticleRow track={track} index={index} onPlay={onPlay} Tools={Tools} />}
      {!docs && !isError && <Skeleton className="mx-2 h-12 sm:h-16" />}
      {!docs && isError && index % SAID_AT === 0 && (
        <div role="alert" className="flex items-center justify-center gap-3 text-sm text-muted">
          {t('articles.moreFailed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </div>
      )}
    </div>
  );
}
