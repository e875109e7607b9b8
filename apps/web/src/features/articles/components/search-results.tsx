import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { play, seekTo } from '#features/player/player.ts';
import { useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { paths } from '#shared/paths.ts';
import { Button, buttonClassName } from '#shared/ui/button.tsx';
import { cn } from '#shared/ui/cn.ts';
import { EmptyState, QueryError, WaveformIllustration } from '#shared/ui/states.tsx';
import { asked, type Filters, filterNames, isNarrowed } from '../model/filters.ts';
import { meantAs } from '../model/meant.ts';
import { searchQuery } from '../queries.ts';
import { rememberTerm } from '../recent.ts';
import type { RowTools } from './article-row.tsx';
import { FilterBar, valueName } from './filter-bar.tsx';
import { HitRow } from './hit-row.tsx';
import { RowsSkeleton } from './rows-skeleton.tsx';

const MoreRows = lazyComponent(async () => (await import('#shared/ui/load-more.tsx')).LoadMore);

interface Props {
  term: string;
  filters: Filters;
  onFilter: (values: Record<string, string>) => void;
  Tools: RowTools;
}

/** Nothing was found: words that are near, or filters to take away. */
function Nothing({
  near,
  isNarrow,
  onClear,
}: {
  near: readonly string[];
  isNarrow: boolean;
  onClear: () => void;
}) {
  const t = useT();
  return (
    <EmptyState
      illustration={<WaveformIllustration />}
      title={t('articles.nothingTitle')}
      text={t(near.length > 0 ? 'articles.nothingNear' : 'articles.nothingText')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {near.map((word) => (
            <Link key={word} to={paths.articles('search', word)} className={buttonClassName('soft')}>
              {word}
            </Link>
          ))}
          {isNarrow && <Button onClick={onClear}>{t('articles.clearFilters')}</Button>}
        </div>
      }
    />
  );
}

/** Words of a term that name a filter, offered as one: 'spanish' is in few texts, and means all of them. */
function MeantAs({ term, filters }: Pick<Props, 'term' | 'filters'>) {
  const t = useT();
  const meant = meantAs(term, filters);
  if (!meant) return null;
  const names = filterNames.flatMap((name) => {
    const value = meant.named[name];
    return value ? [valueName(t, name, value)] : [];
  });
  const path = meant.term ? paths.articles('search', meant.term) : paths.search;
  return (
    <Link
      to={`${path}?${new URLSearchParams(asked(meant.filters))}`}
      className={buttonClassName('soft', 'mb-3')}
    >
      {t('articles.showOnly', { names: names.join(', ') })}
    </Link>
  );
}

/** What a term and its filters find (CAT-03), best first; it plays as a list of its own. */
export function SearchResults({ term, filters, onFilter, Tools }: Props) {
  const t = useT();
  const query = useInfiniteQuery(searchQuery(term, filters));
  const { data, error, isPaused, isPlaceholderData, hasNextPage } = query;
  const first = data?.pages[0];
  const hits = data?.pages.flatMap(({ docs }) => docs) ?? [];
  const playAt = (index: number, from?: number) => {
    rememberTerm(term);
    const tracks = hits.map(({ track }) => track);
    play({ name: t('articles.searchSource', { term }), playlist: null }, tracks, index);
    if (from !== undefined) seekTo(from);
  };
  if (!first && (error || isPaused)) return <QueryError query={query} />;
  const said = first && t.count('articles.found', first.totalDocs);
  return (
    <>
      <FilterBar
        facets={first?.facets}
        isSampled={first?.isSampled ?? false}
        filters={filters}
        onChange={onFilter}
      />
      <p role="status" className="mb-3 min-h-5 text-sm text-muted">
        {first?.corrected && first.totalDocs > 0
          ? t('articles.corrected', { term: first.corrected })
          : first?.isMore
            ? t('articles.foundMore', { n: first.totalDocs })
            : said}
      </p>
      <MeantAs term={term} filters={filters} />
      {first ? (
        // biome-ignore lint/a11y/useSemanticElements: it is a list with a name, not a form's group
        <div
          role="group"
          aria-label={t('articles.results')}
          aria-busy={isPlaceholderData}
          onClickCapture={(event) => {
            if (event.target instanceof Element && event.target.closest('a')) rememberTerm(term);
          }}
          className={cn('-mx-2 max-w-6xl', isPlaceholderData && 'opacity-60')}
        >
          {hits.length > 0 ? (
            <ol>
              {hits.map((hit, index) => (
                <li key={hit.track._id}>
                  <HitRow hit={hit} index={index} onPlay={playAt} Tools={Tools} />
                </li>
              ))}
              {hasNextPage && (
                <li>
                  <Suspense>
                    <MoreRows query={query} failed={t('articles.moreFailed')} />
                  </Suspense>
                </li>
              )}
            </ol>
          ) : (
            <Nothing
              near={first.near}
              isNarrow={isNarrowed(filters)}
              onClear={() => onFilter({ language: '', level: '', kind: '', topic: '', length: '' })}
            />
          )}
        </div>
      ) : (
        <RowsSkeleton />
      )}
    </>
  );
}
