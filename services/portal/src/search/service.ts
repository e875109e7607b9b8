import { type Answered, type api, limits, type Received } from '@escucho/contracts';
import type { Reader } from '../accounts/service.ts';
import type { Links } from '../media/links.ts';
import { type Paging, windowOf } from '../paging.ts';
import { patternOf } from './marks.ts';
import { facetsOf, shelvesFor, tagsOf } from './policy.ts';
import { toHit } from './presenter.ts';
import type { SearchRepository, Statements, Wanted } from './repository.ts';
import type { Understood } from './vocabulary-repository.ts';
import {
  type Asked,
  allButOne,
  correctionOf,
  expectedOf,
  guessOf,
  isUnknown,
  meant,
  nearest,
  type Term,
  termOf,
} from './words.ts';

const MOST_NEAR = 6;
const most = limits.search.hits;

type Search = (typeof api)['search']['search'];
type Query = Received<Search>['query'];
type Found = Answered<Search>;
type Asker = Pick<Reader, 'id' | 'subscription'>;
type Library = Omit<Understood, 'words'>;

const nothing: Found = {
  ...{ docs: [], totalDocs: 0, isMore: false, corrected: null, near: [] },
  facets: facetsOf([], {}),
};

interface Ports {
  search: SearchRepository;
  links: Links;
}

/** Each word as it is looked for. A word that nothing is like is left out, unless all are. */
async function termsOf(asked: readonly Asked[], index: Statements): Promise<Term[]> {
  const terms: Term[] = [];
  for (const [place, word] of asked.entries()) {
    const isLast = place === asked.length - 1;
    const near = isUnknown(word) ? await index.findNear(word.word, isLast) : undefined;
    terms.push(near ? guessOf(word.word, meant(word.word, near, isLast)) : termOf(word));
  }
  const known = terms.filter(({ known }) => known.length > 0);
  return known.length > 0 ? known : terms;
}

/** Looks on the newest shelves first where words are frequent, and on more where that was too few. */
async function find(
  index: Statements,
  reader: Asker,
  wanted: Omit<Wanted, 'shelves'>,
  { newest, amounts, tagged }: Library,
) {
  const all = Math.max(1, amounts.en + amounts.es);
  const share = tagged.reduce((product, count) => product * Math.min(1, count / all), 1);
  for (let widened = 1; ; widened *= 8) {
    const shelves = (count: 'heads' | 'documents') => {
      const expected = wanted.alternatives.reduce((sum, terms) => sum + expectedOf(terms, count, amounts), 0);
      return shelvesFor((share * expected) / widened, most, newest);
    };
    const places = { heads: shelves('heads'), bodies: shelves('documents') };
    const found = await index.find(reader.id, { ...wanted, shelves: places });
    if (found.total > most || (places.heads === null && places.bodies === null)) return found;
  }
}

/** Words to try where nothing was found: each that stands somewhere, and such as look like them. */
async function nearTo(terms: readonly Term[], index: Statements): Promise<string[]> {
  const words = new Set<string>();
  for (const { asked, known, forms } of terms) {
    const near = await index.findNear(asked, false);
    if (terms.length > 1 && known.length > 0) words.add(forms[0] ?? asked);
    for (const word of nearest(asked, near).slice(0, MOST_NEAR / 2)) words.add(word);
  }
  return [...words].slice(0, MOST_NEAR);
}

const windowIn = (paging: Paging) => {
  const { offset, limit } = windowOf(paging);
  return { offset, limit: Math.min(limit, Math.max(0, most - offset)) };
};

/** Finds pieces as one types (CAT-03). */
export function searchService({ search, links }: Ports) {
  return {
    /** In: what is looked for; whether the one who asked has gone, to whom nothing more need be said. */
    search: (reader: Asker, { q, page, limit, ...filters }: Query, isGone: () => boolean): Promise<Found> =>
      search.together(async (index) => {
        if (isGone()) return nothing;
        const tags = tagsOf(filters);
        const { words, ...library } = await index.understand(q, tags);
        if (isGone() || (words.length === 0 && q !== '')) return nothing;
        const terms = await termsOf(words, index);
        const all = { terms, alternatives: [terms], tags, most, ...windowIn({ page, limit }) };
        const exact = await find(index, reader, all, library);
        const alternatives = exact.total === 0 && terms.length > 2 ? allButOne(terms) : all.alternatives;
        const wanted = { ...all, alternatives };
        const found = alternatives === all.alternatives ? exact : await find(index, reader, wanted, library);
        const unfiltered = { ...wanted, tags: [], limit: 0 };
        const { groups } =
          tags.length === 0 || isGone()
            ? found
            : await find(index, reader, unfiltered, { ...library, tagged: [] });
        const presented = {
          pattern: terms.length === 0 ? null : patternOf(terms.flatMap(({ forms }) => forms)),
          source: ['search', ...words.map(({ word }) => word)].join(' '),
          playable: reader.subscription.isActive,
        };
        return {
          docs: found.hits.map((row) => toHit(row, presented, links)),
          totalDocs: Math.min(found.total, most),
          isMore: found.total > most,
          facets: facetsOf(groups, filters),
          corrected: correctionOf(words, terms),
          near: found.total === 0 ? await nearTo(terms, index) : [],
        };
      }),
  };
}

export type SearchService = ReturnType<typeof searchService>;
