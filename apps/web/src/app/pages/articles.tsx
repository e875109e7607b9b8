import { type ReactNode, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { RowsSkeleton } from '#features/articles/components/article-row.tsx';
import { getTopicName } from '#features/articles/labels.ts';
import { hasFilters, parseFilters, parseListFilter } from '#features/articles/model/filters.ts';
import { type T, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { useQueryParams } from '#shared/use-query-params.ts';
import { PlayerTools } from '../containers/track-tools.tsx';
import { LazyNotFound } from './lazy-not-found.ts';

const ArticleList = lazyComponent(
  async () => (await import('#features/articles/components/article-list.tsx')).ArticleList,
);
const ArticleView = lazyComponent(
  async () => (await import('#features/articles/components/article-view.tsx')).ArticleView,
);
const Browse = lazyComponent(async () => (await import('#features/articles/components/browse.tsx')).Browse);
const SearchResults = lazyComponent(
  async () => (await import('#features/articles/components/search-results.tsx')).SearchResults,
);

const Page = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h1 className="mb-6 font-serif text-2xl font-semibold tracking-tight text-balance wrap-anywhere">
      {title}
    </h1>
    <Suspense fallback={<RowsSkeleton />}>{children}</Suspense>
  </>
);

/** Returns the title of a list. */
function getListTitle(t: T, resource: string, arg: string): string {
  switch (resource) {
    case 'audiobooks':
      return t('articles.audiobooks');
    case 'topic':
      return getTopicName(t, arg);
    case 'level':
      return t('articles.atLevel', { level: arg.toUpperCase() });
    case 'narrator':
      return t('articles.byNarrator', { name: arg });
    default:
      return t('articles.latest');
  }
}

/** `/articles/search`: the catalogue to browse, or the results of a term and filters (CAT-03). */
function SearchPage({ term }: { term: string }) {
  const t = useT();
  const [query, change] = useQueryParams();
  const filters = parseFilters(query);
  const isSearching = term !== '' || hasFilters(filters);
  return (
    <Page title={term === '' ? t('articles.search') : t('articles.resultsFor', { term })}>
      {isSearching ? (
        <SearchResults term={term} filters={filters} onFilter={change} Tools={PlayerTools} />
      ) : (
        <>
          <p className="-mt-4 text-muted">{t('articles.searchText')}</p>
          <Browse />
        </>
      )}
    </Page>
  );
}

/** `/articles/{resource}/{arg}`: the search, an article or a list (CAT-03, CAT-04). */
export function ArticlesPage() {
  const t = useT();
  const { resource = '', arg } = useParams();
  const [search] = useSearchParams();
  const name = resource.toLowerCase();
  if (name === 'search') return <SearchPage term={arg ?? ''} />;
  if (name === 'read')
    return (
      <Suspense>
        <ArticleView key={arg} id={arg ?? ''} missing={<LazyNotFound />} Tools={PlayerTools} />
      </Suspense>
    );
  const filter = parseListFilter(name, arg);
  if (!filter)
    return (
      <Suspense>
        <LazyNotFound />
      </Suspense>
    );
  const title = getListTitle(t, name, arg ?? '');
  return (
    <Page title={title}>
      <ArticleList
        key={`${name}/${arg}`}
        title={title}
        filter={filter}
        language={parseFilters(search).language}
        Tools={PlayerTools}
      />
    </Page>
  );
}
