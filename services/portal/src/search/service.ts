import { type api, limits, type ParsedRequest, type ResponseBody } from '@escucho/contracts';
import type { CurrentUser } from '../accounts/user.ts';
import type { Links } from '../media/links.ts';
import { type Pagination, toWindow } from '../request.ts';
import { keptAnswers } from './kept.ts';
import { type KeptWords, keptWords } from './kept-words.ts';
import { facetsOf, placesFor, tagsOf } from './policy.ts';
import { toHit } from './presenter.ts';
import type { HitRow, SearchRepository, Statements, Wanted } from './repository.ts';
import type { Understood } from './vocabulary-repository.ts';
import {
  type Amounts,
  type Asked,
  allButOne,
  correctionOf,
  expectedOf,
  guessOf,
  isUnknown,
  type Known,
  mayBeMistyped,
  meant,
  nearest,
  type Term,
  termOf,
} from './words.ts';

const MOST_NEAR = 6;
const MOST_KEPT = 2000;
const most = limits.search.hits;

type Search = (typeof api)['search']['search'];
type Query = ParsedRequest<Search>['query'];
type Found = ResponseBody<Search>;
type Asker = Pick<CurrentUser, 'id' | 'subscription'>;
type Library = Omit<Understood, 'words' | 'version'>;

/** What a search finds, the same for every reader. */
interface Answer extends Omit<Found, 'docs'> {
  hits: readonly HitRow[];
  /** The words that were looked for; null where there were none. */
  words: ReadonlySet<string> | null;
  source: string;
}

const nothing: Answer = {
  ...{ hits: [], totalDocs: 0, isMore: false, isSampled: false, corrected: null, near: [] },
  ...{ facets: facetsOf([], {}, []), words: null, source: '' },
};

interface Ports {
  search: SearchRepository;
  links: Links;
  clock: () => Date;
  /** Milliseconds for which what was found is given again to whoever asks the same. */
  keptFor: number;
}

/** What a word that is not known was meant as, nearest first. What is far is looked for where nothing is near. */
async function guessed(word: string, isLast: boolean, index: Statements): Promise<Known[]> {
  if (!mayBeMistyped(word)) return [];
  const near = meant(word, await index.findAlike(word), isLast);
  return near.length > 0 ? near : meant(word, await index.findNear(word, isLast), isLast);
}

/** Each word as it is looked for. A word that nothing is like is left out, unless all are. */
async function termsOf(
  asked: readonly Asked[],
  amounts: Amounts,
  index: Statements,
  kept: KeptWords,
): Promise<Term[]> {
  const terms: Term[] = [];
  for (const [place, asking] of asked.entries()) {
    const isLast = place === asked.length - 1;
    const { word } = asking;
    const meant = () => kept.guess(word, isLast, () => guessed(word, isLast, index));
    terms.push(isUnknown(asking) ? guessOf(word, await meant()) : termOf(asking, amounts));
  }
  const known = terms.filter(({ known }) => known.length > 0);
  return known.length > 0 ? known : terms;
}

/** Looks in the newest places first where words are frequent, and in more where that was too few. */
async function find(index: Statements, wanted: Omit<Wanted, 'places'>, { newest, amounts, tagged }: Library) {
  const all = Math.max(1, amounts.en + amounts.es);
  const share = tagged.reduce((product, count) => product * Math.min(1, count / all), 1);
  for (let widened = 1; ; widened *= 8) {
    const placesOf = (count: 'heads' | 'documents') => {
      const expected = wanted.alternatives.reduce((sum, terms) => sum + expectedOf(terms, count, amounts), 0);
      return placesFor((share * expected) / widened, most, newest);
    };
    const places = { heads: placesOf('heads'), bodies: placesOf('documents') };
    const found = await index.find({ ...wanted, places });
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

const windowIn = (paging: Pagination) => {
  const { offset, limit } = toWindow(paging);
  return { offset, limit: Math.min(limit, Math.max(0, most - offset)) };
};

/** Finds pieces as one types (CAT-03). */
export function searchService({ search, links, clock, keptFor }: Ports) {
  const kept = keptAnswers<Answer>({ keptFor, most: MOST_KEPT, clock });
  const vocabulary = keptWords();

  /** Undefined once nobody waits for it. In: whether it is done again, for the catalogue had changed meanwhile. */
  async function lookIn(
    index: Statements,
    query: Query,
    isGone: () => boolean,
    isAgain = false,
  ): Promise<Answer | undefined> {
    if (isGone()) return undefined;
    const { q, page, limit, ...filters } = query;
    const tags = tagsOf(filters);
    const { words, version, ...library } = await vocabulary.understand(q, tags, index);
    if (isGone()) return undefined;
    if (words.length === 0 && q !== '') return nothing;
    const terms = await termsOf(words, library.amounts, index, vocabulary);
    const all = { terms, alternatives: [terms], tags, most, ...windowIn({ page, limit }) };
    const exact = await find(index, all, library);
    if (exact.version !== version && !isAgain) {
      vocabulary.forget(exact.version);
      return lookIn(index, query, isGone, true);
    }
    const alternatives = exact.total === 0 && terms.length > 2 ? allButOne(terms) : all.alternatives;
    const wanted = { ...all, alternatives };
    const found = alternatives === all.alternatives ? exact : await find(index, wanted, library);
    if (isGone()) return undefined;
    const unfiltered = { ...wanted, tags: [], limit: 0 };
    const open = tags.length === 0 ? found : await find(index, unfiltered, { ...library, tagged: [] });
    return {
      hits: found.hits,
      totalDocs: Math.min(found.total, most),
      isMore: found.total > most,
      facets: facetsOf(open.groups, filters, found.groups),
      isSampled: Math.max(open.total, found.total) > most,
      corrected: correctionOf(words, terms),
      near: found.total === 0 ? await nearTo(terms, index) : [],
      words: terms.length === 0 ? null : new Set(terms.flatMap(({ forms }) => forms)),
      source: ['search', ...words.map(({ word }) => word)].join(' '),
    };
  }

  const look = (query: Query, isGone: () => boolean) =>
    search.together((index) => lookIn(index, query, isGone));

  return {
    /** In: what is looked for; whether the one who asked has gone, to whom nothing more need be said. */
    async search(reader: Asker, query: Query, isGone: () => boolean): Promise<Found> {
      const found = await kept(JSON.stringify(query), isGone, (allGone) => look(query, allGone));
      const { hits, words, source, ...rest } = isGone() || !found ? nothing : found;
      const rows = await search.findTracks(
        reader.id,
        hits.map(({ id }) => id),
      );
      const tracks = new Map(rows.map((row) => [row.id, row]));
      const presented = { words, source, playable: reader.subscription.isActive };
      const docs = hits.flatMap((hit) => {
        const row = tracks.get(hit.id);
        return row ? [toHit(hit, row, presented, links)] : [];
      });
      return { docs, ...rest };
    },
  };
}

export type SearchService = ReturnType<typeof searchService>;
