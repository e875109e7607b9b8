import { api, limits, type ResponseBody, type Track } from '@escucho/contracts';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#shared/api/client.ts';
import type { Filters } from './model/filters.ts';
import type { Listed } from './model/resources.ts';

const size = limits.pageSize.max;
/** Pages out of sight that are kept, whatever the list's length: so memory stays flat. */
const KEPT = 20;
/** As long as reading what was opened from a list may take: going back finds the list. */
const HOUR = 60 * 60_000;
/** Whoever drags the scrollbar passes pages without looking at them. */
const PASSING_MS = 120;

type Language = Filters['language'];
type Page = ResponseBody<typeof api.articles.findArticles>;

/** A list of which the first page is there; `after` is that page's last track. Pages beyond belong to this first page. */
export interface LongList {
  listed: Listed;
  language: Language;
  first: readonly Track[];
  after: string;
}

const asked = (listed: Listed, language: Language) => ({
  ...listed,
  limit: size,
  ...(language && { language }),
});

/** The first page of a list of the catalogue, newest first, and how many there are in all (CAT-04). */
export const firstPageQuery = (listed: Listed, language: Language) =>
  queryOptions({
    queryKey: ['articles', 'list', listed, language],
    queryFn: ({ signal }) => call(api.articles.findArticles, { query: asked(listed, language) }, { signal }),
    gcTime: HOUR,
  });

const pagesKey = ['articles', 'pages'] as const;
const keyOf = ({ listed, language, after }: LongList) => [...pagesKey, listed, language, after] as const;

const hasStayed = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, PASSING_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The nearest page before one that is there: its number, and its last track. */
function nearest(client: QueryClient, list: LongList, page: number) {
  return client
    .getQueriesData<Page>({ queryKey: keyOf(list) })
    .map(([key, data]) => ({ page: Number(key.at(-1)), last: data?.docs.at(-1)?._id }))
    .filter(({ page: number, last }) => last !== undefined && number < page)
    .reduce((best, one) => (one.page > best.page ? one : best), { page: 0, last: list.after });
}

function letGo(client: QueryClient): void {
  const cache = client.getQueryCache();
  const unseen = cache.findAll({ queryKey: pagesKey, type: 'inactive', fetchStatus: 'idle' });
  const newestFirst = unseen.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const query of newestFirst.slice(KEPT)) cache.remove(query);
}

/** A page of a list beyond the first. In: the list, the page's number from 1. */
export const pageQuery = (list: LongList, page: number) =>
  queryOptions({
    queryKey: [...keyOf(list), page],
    queryFn: async ({ client, signal }) => {
      letGo(client);
      const before = nearest(client, list, page);
      const skip = (page - before.page - 1) * size;
      if (skip > 0) await hasStayed(signal);
      const query = { ...asked(list.listed, list.language), after: before.last ?? list.after, skip };
      return call(api.articles.findArticles, { query }, { signal });
    },
    // A list stays what it was until its first page changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: HOUR,
    placeholderData: keepPreviousData,
  });

/** What plays from a place in a list on: its tracks as far as they are there, at most as many as a page has. */
export function tracksFrom(client: QueryClient, list: LongList, index: number): Track[] {
  const pages: (readonly Track[])[] = [];
  for (let page = Math.floor(index / size); pages.length < 2; page += 1) {
    const docs = page === 0 ? list.first : client.getQueryData(pageQuery(list, page).queryKey)?.docs;
    if (!docs) break;
    pages.push(docs);
  }
  return pages.flat().slice(index % size, (index % size) + size);
}
