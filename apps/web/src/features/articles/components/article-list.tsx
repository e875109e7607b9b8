import { limits } from '@escucho/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useT } from '../../../shared/i18n/i18n.ts';
import { later } from '../../../shared/part.ts';
import { MoreRows } from '../../../shared/ui/more-rows.tsx';
import { EchoPicture } from '../../../shared/ui/pictures.tsx';
import { EmptyState, QueryFailed } from '../../../shared/ui/states.tsx';
import { play } from '../../player/player.ts';
import type { Filters } from '../model/filters.ts';
import type { Listed } from '../model/resources.ts';
import { listQuery } from '../queries.ts';
import { ArticleRow, type RowTools } from './article-row.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';

const LongList = lazy(later(() => import('../../../shared/ui/long-list.tsx')));

interface Props {
  title: string;
  listed: Listed;
  language: Filters['language'];
  Tools: RowTools;
}

/** A list of the catalogue, newest first, however long (CAT-04, CAT-09); it plays as a source by its name. */
export function ArticleList({ title, listed, language, Tools }: Props) {
  const t = useT();
  const query = useInfiniteQuery(listQuery(listed, language));
  const { data, error, isPaused, hasNextPage } = query;
  const tracks = useMemo(() => data?.pages.flatMap(({ docs }) => docs) ?? [], [data]);
  const playAt = useCallback(
    (index: number) => play({ name: title, playlist: null }, tracks.slice(index, index + 100), 0),
    [title, tracks],
  );
  if (!data && (error || isPaused)) return <QueryFailed query={query} />;
  if (!data) return <RowsSkeleton />;
  if (tracks.length === 0)
    return (
      <EmptyState picture={<EchoPicture />} title={t('articles.emptyTitle')} text={t('articles.emptyText')} />
    );
  const total = data.pages[0]?.totalDocs ?? tracks.length;
  // The last of what is loaded stands for the page after it.
  const items = hasNextPage ? [...tracks, null] : tracks;
  const row = (index: number) => {
    const track = tracks[index];
    if (!track) return <MoreRows query={query} failed={t('articles.moreFailed')} />;
    return <ArticleRow track={track} index={index} onPlay={playAt} Tools={Tools} />;
  };
  return (
    <section aria-label={title} className="-mx-2">
      <p className="mx-2 mb-3 text-sm text-muted">{t.count('articles.found', total)}</p>
      {total > limits.pageSize.max ? (
        <Suspense fallback={<RowsSkeleton />}>
          <LongList items={items} total={total}>
            {row}
          </LongList>
        </Suspense>
      ) : (
        <ol>
          {tracks.map(({ _id }, index) => (
            <li key={_id}>{row(index)}</li>
          ))}
        </ol>
      )}
    </section>
  );
}
