import { type ReactNode, Suspense } from 'react';
import { RowsSkeleton } from '#features/articles/components/article-row.tsx';
import {
  getTopicName,
  hasFilters,
  type ListFilter,
  parseFilters,
  parseListFilter,
} from '#features/articles/model/filters.ts';
import { TrackTools } from '#features/player/player.ts';
import { useSession } from '#features/session/session.ts';
import { type T, useT } from '#shared/i18n/i18n.ts';
import { lazyComponent } from '#shared/lazy.ts';
import { usePathParam, useQueryParams } from '#shared/location.tsx';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { ListTools } from '../containers/track-tools.tsx';
import { LazyNotFound } from '../error-boundary.tsx';
import { toSearchTerm } from '../shell/search-box.tsx';

const FilteredList = lazyComponent(
  async () => (await import('#features/articles/components/filtered-list.tsx')).FilteredList,
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
    <h1 className="mb-6 heading text-2xl text-balance wrap-anywhere">{title}</h1>
    <LazySection fallback={<RowsSkeleton />}>{children}</LazySection>
  </>
);

function getListTitle(t: T, { kind, topic, level, narrator }: ListFilter): string {
  if (topic) return getTopicName(t, topic);
  if (level) return t('articles.atLevel', { level });
  if (narrator) return t('articles.byNarrator', { name: narrator });
  return t(kind ? 'articles.audiobooks' : 'articles.latest');
}

/** The value of the address for all languages. */
const ALL_LANGUAGES = 'all';

/** `/articles/search`: the catalogue to browse, or the results of a term and filters (CAT-03). */
function SearchPage({ term }: { term: string }) {
  const t = useT();
  const [query, change] = useQueryParams();
  const learned = useSession().user?.learning?.language ?? undefined;
  const { language, ...otherFilters } = parseFilters(query);
  // At first in the language that the user learns; an address can name another, or all.
  const searched = query.has('language') ? language : learned;
  const filters = { ...otherFilters, language: searched };
  const changeFilters: typeof change = (values) =>
    change(values.language === '' && learned ? { ...values, language: ALL_LANGUAGES } : values);
  const isSearching = term !== '' || hasFilters(otherFilters);
  return (
    <Page title={term === '' ? t('shell.search') : t('articles.resultsFor', { term })}>
      {isSearching ? (
        <SearchResults term={term} filters={filters} onFilter={changeFilters} />
      ) : (
        <>
          <p className="-mt-4 mb-5 text-muted">{t('articles.searchText')}</p>
          <Browse language={searched} onFilter={change} />
        </>
      )}
    </Page>
  );
}

/** `/articles/{resource}/{arg}`: the search, an article or a list (CAT-03, CAT-04). */
export const ArticlesPage = () => (
  <TrackTools value={ListTools}>
    <ArticlesContent />
  </TrackTools>
);

function ArticlesContent() {
  const t = useT();
  const resource = usePathParam('resource') ?? '';
  const arg = usePathParam('arg');
  const [query, changeQuery] = useQueryParams();
  const name = resource.toLowerCase();
  if (name === 'search') return <SearchPage term={toSearchTerm(arg ?? '')} />;
  if (name === 'read')
    return (
      <Suspense>
        <ArticleView key={arg} id={arg ?? ''} missing={<LazyNotFound />} />
      </Suspense>
    );
  const filter = parseListFilter(name, arg);
  if (!filter)
    return (
      <Suspense>
        <LazyNotFound />
      </Suspense>
    );
  const title = getListTitle(t, filter);
  return (
    <Page title={title}>
      <FilteredList
        key={`${name}/${arg}`}
        title={title}
        filter={filter}
        filters={parseFilters(query)}
        onFilter={changeQuery}
      />
    </Page>
  );
}
