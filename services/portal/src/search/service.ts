import { type Answered, type api, limits, type Received } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { Links } from '../media/links.ts';
import { windowOf } from '../paging.ts';
import { patternOf } from './marks.ts';
import { facetsOf, tagsOf } from './policy.ts';
import { toHit } from './presenter.ts';
import type { SearchRepository } from './repository.ts';
import { type Asked, correctionOf, guessOf, isUnknown, meant, type Term, termOf } from './words.ts';

const MOST_NEAR = 6;
const most = limits.search.hits;

type Search = (typeof api)['search']['search'];
type Query = Received<Search>['query'];
type Found = Answered<Search>;

const nothing: Found = {
  ...{ docs: [], totalDocs: 0, isMore: false, corrected: null, near: [] },
  facets: facetsOf([], {}),
};

interface Ports {
  search: SearchRepository;
  links: Links;
}

/** Finds pieces as one types (CAT-03). */
export function searchService({ search, links }: Ports) {
  async function termsOf(asked: readonly Asked[]): Promise<Term[]> {
    const terms: Term[] = [];
    for (const [index, word] of asked.entries()) {
      const isLast = index === asked.length - 1;
      if (isUnknown(word)) {
        const near = await search.findNear(word.word, isLast);
        terms.push(guessOf(word.word, meant(word.word, near, isLast)));
      } else {
        terms.push(termOf(word));
      }
    }
    return terms;
  }

  /** Words to try where nothing was found: those that are known one by one, else such as look like them. */
  async function nearTo(terms: readonly Term[]): Promise<string[]> {
    const words = new Set<string>();
    for (const { asked, forms } of terms) {
      const near = await search.findNear(asked, false);
      if (terms.length > 1 && forms.length > 0) words.add(forms[0] ?? asked);
      for (const { word } of near.slice(0, MOST_NEAR / 2)) words.add(word);
    }
    return [...words].slice(0, MOST_NEAR);
  }

  return {
    async search(reader: Reader, { q, page, limit, ...filters }: Query): Promise<Found> {
      const asked = await search.understand(q);
      if (asked.length === 0 && q !== '') return nothing;
      const terms = await termsOf(asked);
      const { offset } = windowOf({ page, limit });
      const tags = tagsOf(filters);
      const patterns = terms.map(({ forms }) => patternOf(forms));
      const window = { offset, limit: Math.min(limit, Math.max(0, most - offset)) };
      const found = await search.find(reader.id, { terms, patterns, tags, most, ...window });
      const groups =
        tags.length === 0
          ? found.groups
          : (await search.find(reader.id, { terms, patterns, tags: [], most, limit: 0, offset: 0 })).groups;
      const presented = {
        pattern: terms.length === 0 ? null : patternOf(terms.flatMap(({ forms }) => forms)),
        source: ['search', ...asked.map(({ word }) => word)].join(' '),
        playable: reader.subscription.isActive,
      };
      return {
        docs: found.hits.map((row) => toHit(row, presented, links)),
        totalDocs: Math.min(found.total, most),
        isMore: found.total > most,
        facets: facetsOf(groups, filters),
        corrected: correctionOf(terms),
        near: found.total === 0 ? await nearTo(terms) : [],
      };
    },
  };
}

export type SearchService = ReturnType<typeof searchService>;
