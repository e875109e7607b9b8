import { contentLanguage } from '@escucho/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazyComponent } from '#shared/lazy.ts';
import { LazySection } from '#shared/ui/lazy-boundary.tsx';
import { type FilterName, filterNames, type ListFilter, type SearchFilters } from '../model/filters.ts';
import { facetsQuery } from '../queries.ts';
import { ArticleList } from './article-list.tsx';
import { RowsSkeleton, type RowTools } from './article-row.tsx';
import { FilterBar } from './filter-bar.tsx';

const SearchResults = lazyComponent(async () => (await import('./search-results.tsx')).SearchResults);

/** The only filter of a narrator's list: search does not filter by narrator. */
const languageFacets = {
  language: contentLanguage.options.map((value) => ({ value, count: null })),
};

interface Props {
  title: string;
  filter: ListFilter;
  /** The filters of the address. */
  filters: SearchFilters;
  onFilter: (values: Record<string, string>) => void;
  Tools: RowTools;
}

/**
 * A list of the catalogue with its filters (CAT-03, CAT-04). With no filter but the language it has any length; with
 * another it is a search without words.
 */
export function FilteredList({ title, filter, filters, onFilter, Tools }: Props) {
  const { narrator, ...fixedFilters } = filter;
  const names: readonly FilterName[] =
    narrator === undefined ? filterNames.filter((name) => !(name in fixedFilters)) : ['language'];
  const { language, ...otherFilters } = { ...filters, ...fixedFilters };
  const isSearch =
    narrator === undefined && names.some((name) => name !== 'language' && filters[name] !== undefined);
  const searchFilters = { ...otherFilters, ...(language && { language }) };
  const facets = useQuery({ ...facetsQuery(searchFilters), enabled: narrator === undefined && !isSearch });
  if (isSearch)
    return (
      <LazySection fallback={<RowsSkeleton />}>
        <SearchResults
          term=""
          filters={searchFilters}
          names={names}
          source={title}
          onFilter={onFilter}
          Tools={Tools}
        />
      </LazySection>
    );
  return (
    <>
      <FilterBar
        names={names}
        facets={narrator === undefined ? facets.data?.facets : languageFacets}
        isSampled={facets.data?.isSampled ?? false}
        filters={filters}
        onChange={onFilter}
      />
      <ArticleList title={title} filter={filter} language={language} Tools={Tools} />
    </>
  );
}
