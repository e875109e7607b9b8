import { type Filters, filterNames } from './filters.ts';

const level = (name: NonNullable<Filters['level']>): Filters => ({ level: name });

/** Words that say what kind of piece is wanted, not what it is about: small, without accents, in either language. */
const named: Readonly<Record<string, Filters>> = {
  ...{ english: { language: 'en' }, ingles: { language: 'en' } },
  ...{ spanish: { language: 'es' }, espanol: { language: 'es' }, castellano: { language: 'es' } },
  ...{ a1: level('A1'), a2: level('A2'), b1: level('B1'), b2: level('B2'), c1: level('C1'), c2: level('C2') },
  ...{ audiobook: { kind: 'audiobook' }, audiobooks: { kind: 'audiobook' } },
  ...{ audiolibro: { kind: 'audiobook' }, audiolibros: { kind: 'audiobook' } },
};

const filterOf = (word: string): Filters | undefined => {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return Object.hasOwn(named, plain) ? named[plain] : undefined;
};

/** What a term may have been meant as: `filters` with those that its words name, and the `term` without these words. */
export interface Meant {
  term: string;
  /** Those that its words name. */
  named: Filters;
  filters: Filters;
}

/** In: a term, and the filters that are chosen. Out: null where no word names a filter that is not chosen yet (CAT-03). */
export function meantAs(term: string, chosen: Filters): Meant | null {
  const words = term.split(/\s+/).filter(Boolean);
  const found: Filters = Object.assign({}, ...words.map(filterOf));
  const filters = { ...chosen, ...found };
  if (filterNames.every((name) => filters[name] === chosen[name])) return null;
  return { term: words.filter((word) => !filterOf(word)).join(' '), named: found, filters };
}
