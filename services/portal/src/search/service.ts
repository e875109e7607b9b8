import { api, type ParsedRequest, type ResponseBody } from '@escucho/contracts';
import type { JsonText } from '@escucho/service-kit';
import { LRUCache } from 'lru-cache';
import type { Route } from '../accounts/user.ts';
import type { IsAborted } from '../cache.ts';
import type { ReadDatabase } from '../catalogue/reads.ts';
import type { FindSharedResponse } from '../catalogue/shared-responses.ts';
import type { Database } from '../database.ts';
import type { AccessService, Listener } from '../media/access-service.ts';
import type { Links } from '../media/links.ts';
import { getOffset } from '../pagination.ts';
import { toSharedTrack } from '../playlists/presenter.ts';
import { selectPartitions, toFacets, toTags } from './policy.ts';
import { toMatch } from './presenter.ts';
import {
  canBeCorrected,
  type DocumentCounts,
  estimateMatches,
  getCorrection,
  isUnknown,
  omitEachTerm,
  omitWrongCorrection,
  type QueryWord,
  rankCorrections,
  sortByDistance,
  type Term,
  toCorrectedTerm,
  toTerm,
  type WordStatistics,
} from './query-terms.ts';
import {
  createSearchRepository,
  type DocumentQuery,
  type HitRow,
  MAX_MATCHES,
  type SearchRepository,
} from './repository.ts';
import {
  type CatalogueTotals,
  createTermStatisticsCache,
  type TermStatisticsCache,
} from './vocabulary-repository.ts';

const MAX_SUGGESTIONS = 6;
/** By how much the searched range grows when it held too few matches. */
const WIDENING_FACTOR = 8;

type SearchEndpoint = (typeof api)['catalogue']['search'];
type Query = ParsedRequest<SearchEndpoint>['query'];
type Response = ResponseBody<SearchEndpoint>;

/** What the responses of all users have in common. */
interface SearchResult extends Omit<Response, 'docs'> {
  hits: readonly HitRow[];
  /** The searched words; null for a search without words. */
  words: ReadonlySet<string> | null;
  source: string;
}

const noMatches = {
  totalDocs: 0,
  isMore: false,
  isSampled: false,
  corrected: null,
  near: [],
  facets: toFacets([], {}, []),
};

interface SearchDeps {
  /** Reads on connections that were opened with `searchConnections`. */
  read: ReadDatabase;
  access: AccessService;
  links: Links;
  findShared: FindSharedResponse;
}

/** Returns the corrections of an unknown word, best first; the expensive search runs only when the cheap one finds none. */
async function findCorrections(
  word: string,
  isLast: boolean,
  search: SearchRepository,
): Promise<WordStatistics[]> {
  if (!canBeCorrected(word)) return [];
  const corrections = rankCorrections(word, await search.findOneMistakeAway(word), isLast);
  if (corrections.length > 0) return corrections;
  return rankCorrections(word, await search.findSimilar(word, isLast), isLast);
}

/** Converts query words to terms. Drops words that nothing is similar to, unless all are. */
async function toTerms(
  words: readonly QueryWord[],
  counts: DocumentCounts,
  search: SearchRepository,
  cache: TermStatisticsCache,
): Promise<Term[]> {
  const terms: Term[] = [];
  for (const [index, queryWord] of words.entries()) {
    const isLast = index === words.length - 1;
    const { word } = queryWord;
    if (!isUnknown(queryWord)) {
      terms.push(toTerm(queryWord, counts));
      continue;
    }
    const compute = () => findCorrections(word, isLast, search);
    terms.push(toCorrectedTerm(word, await cache.findCorrections(word, isLast, compute)));
  }
  const known = terms.filter(({ statistics }) => statistics.length > 0);
  return known.length > 0 ? known : terms;
}

/** Searches the newest partitions first when the terms are frequent, and widens the range until it holds enough. */
async function findDocuments(
  search: SearchRepository,
  query: Omit<DocumentQuery, 'partitions'>,
  { newest, counts, tagCounts }: CatalogueTotals,
) {
  const total = Math.max(1, counts.en + counts.es);
  const tagShare = tagCounts.reduce((share, count) => share * Math.min(1, count / total), 1);
  for (let widening = 1; ; widening *= WIDENING_FACTOR) {
    const selectFor = (field: 'heads' | 'documents') => {
      const matches = query.alternatives.reduce(
        (sum, terms) => sum + estimateMatches(terms, field, counts),
        0,
      );
      return selectPartitions((tagShare * matches) / widening, MAX_MATCHES, newest);
    };
    const partitions = { heads: selectFor('heads'), bodies: selectFor('documents') };
    const found = await search.findDocuments({ ...query, partitions });
    const searchedAll = partitions.heads === null && partitions.bodies === null;
    if (found.total > MAX_MATCHES || searchedAll) return found;
  }
}

/** Returns words to try after a search without matches: those of the query that exist, and similar ones. */
async function findSuggestions(terms: readonly Term[], search: SearchRepository): Promise<string[]> {
  const suggestions = new Set<string>();
  for (const { word, statistics, forms } of terms) {
    const similar = await search.findSimilar(word, false);
    if (terms.length > 1 && statistics.length > 0) suggestions.add(forms[0] ?? word);
    for (const suggestion of sortByDistance(word, similar).slice(0, MAX_SUGGESTIONS / 2))
      suggestions.add(suggestion);
  }
  return [...suggestions].slice(0, MAX_SUGGESTIONS);
}

/** Creates the service that finds articles as users type (CAT-03). */
export function createSearchService({ read, access, links, findShared }: SearchDeps) {
  /** By version of the catalogue; a search during a change may still be of the former one. */
  const statisticsByVersion = new LRUCache<number, TermStatisticsCache>({
    max: 2,
    memoMethod: createTermStatisticsCache,
  });

  /** Runs a search; returns undefined once all callers have gone. */
  async function runSearch(
    search: SearchRepository,
    version: number,
    query: Query,
    isAborted: IsAborted,
  ): Promise<SearchResult | undefined> {
    if (isAborted()) return undefined;
    const { q, page, limit, ...filters } = query;
    const offset = getOffset({ page, limit });
    const tags = toTags(filters);
    const termStatistics = statisticsByVersion.memo(version);
    const { words, ...totals } = await termStatistics.findStatistics(q, tags, search);
    if (isAborted()) return undefined;
    if (words.length === 0 && q !== '') return { hits: [], words: null, source: '', ...noMatches };

    const typed = await toTerms(words, totals.counts, search, termStatistics);
    const findAlternatives = async (terms: readonly Term[], alternatives = [terms]) => {
      const documentQuery = {
        terms,
        alternatives,
        tags,
        groupsBy: tags.length === 0 ? ('tag' as const) : ('tags' as const),
        offset,
        limit: Math.min(limit, Math.max(0, MAX_MATCHES - offset)),
      };
      const found = await findDocuments(search, documentQuery, totals);
      if (tags.length === 0) return { found, unfiltered: found };
      if (isAborted()) return undefined;
      const open = { ...documentQuery, tags: [], limit: 0 };
      return { found, unfiltered: await findDocuments(search, open, { ...totals, tagCounts: [] }) };
    };
    const strict = await findAlternatives(typed);
    if (!strict || isAborted()) return undefined;
    // Not where only the filters exclude what has all terms.
    const isRelaxed = strict.unfiltered.total === 0;
    const terms = isRelaxed ? omitWrongCorrection(typed) : typed;
    const alternatives = isRelaxed && typed.length > 2 ? omitEachTerm(typed) : [terms];
    const matches = alternatives[0] === typed ? strict : await findAlternatives(terms, alternatives);
    if (!matches) return undefined;
    const { found, unfiltered } = matches;
    return {
      hits: found.hits,
      totalDocs: Math.min(found.total, MAX_MATCHES),
      isMore: found.total > MAX_MATCHES,
      facets: toFacets(unfiltered.groups, filters, found.groups),
      isSampled: Math.max(unfiltered.total, found.total) > MAX_MATCHES,
      corrected: getCorrection(words, terms),
      near: unfiltered.total === 0 ? await findSuggestions(terms, search) : [],
      words: terms.length === 0 ? null : new Set(terms.flatMap(({ forms }) => forms)),
      source: ['search', ...words.map(({ word }) => word)].join(' '),
    };
  }

  return {
    /** Finds tracks for a user. Returns an empty response when the request was aborted. */
    async search(user: Listener, query: Query, isAborted: IsAborted): Promise<Response | JsonText> {
      const response = await findShared(
        user,
        ['search', query],
        async (share, version, haveAllGone) => {
          const run = (connection: Database) =>
            runSearch(createSearchRepository(connection), version, query, haveAllGone);
          // All statements on one connection, so that a search waits for a free one only once.
          const result = await read(version, (db) => db.connection().execute(run));
          if (!result) return undefined;
          const { hits, words, source, ...rest } = result;
          const { mayPlayAnywhere } = await access.findAccess(user);
          const docs = hits.map((hit) => {
            const isPlayable = mayPlayAnywhere(hit.track.id);
            const track = toSharedTrack(hit.track, { name: source, id: null }, isPlayable, links);
            return { track: share(track), ...toMatch(hit, words) };
          });
          return { docs, ...rest };
        },
        isAborted,
      );
      return response ?? { docs: [], ...noMatches };
    },
  };
}

type SearchService = ReturnType<typeof createSearchService>;

/** Registers the endpoint of the search. */
export function registerSearch(route: Route, search: SearchService): void {
  // A search is aborted when its connection is closed.
  route(api.catalogue.search).handle(({ user, query, request }) =>
    search.search(user, query, () => request.raw.socket.destroyed),
  );
}
