import { languageNames } from '@escucho/contracts';
import type { Language } from '../database.ts';

/** How often a word occurs in documents of a language: in how many documents, and in how many of their heads (title, narrator, topic). */
export interface WordStatistics {
  word: string;
  language: Language;
  documents: number;
  heads: number;
}

/** A possible correction of a misspelled word. */
export interface SimilarWord extends WordStatistics {
  /** Whether both words sound alike. */
  soundsAlike: boolean;
}

/** A word of a query, and what the vocabulary has for it. */
export interface QueryWord {
  word: string;
  /** The word itself, in each language that has it. */
  exact: readonly WordStatistics[];
  inflected: readonly WordStatistics[];
  /** Words that start with it; only of the last word, which may be unfinished. */
  completions: readonly WordStatistics[];
}

/** A query word as it is searched: any of `forms`. */
export interface Term {
  /** The word as the user typed it. */
  word: string;
  /** The forms that are no guess: the word, its singular or plural, or its best correction. */
  exactForms: readonly string[];
  forms: readonly string[];
  /** The forms that are searched in texts as well as in heads. */
  bodyForms: readonly string[];
  /** The word, or what a misspelled one was corrected to. */
  corrected: string;
  statistics: readonly WordStatistics[];
}

/** The number of documents in each language. */
export type DocumentCounts = Readonly<Record<Language, number>>;

const FREQUENT_DOCUMENTS = 1000;
const FREQUENT_SHARE = 0.2;
const MAX_CORRECTIONS = 5;
const MAX_RANKED_TERMS = 3;

const toUniqueWords = (words: readonly WordStatistics[]): string[] => [
  ...new Set(words.map(({ word }) => word)),
];

/** Returns the Damerau-Levenshtein distance: insertions, deletions, substitutions, and swaps of neighbours. */
export function getEditDistance(one: string, other: string): number {
  let [previous, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const substituted = (last?.[column - 1] ?? 0) + (isSame ? 0 : 1);
      const inserted = Math.min(current[column - 1] ?? 0, last?.[column] ?? 0) + 1;
      const edits = Math.min(substituted, inserted);
      current.push(isSwap ? Math.min(edits, (previous?.[column - 2] ?? 0) + 1) : edits);
    }
    [previous, last] = [last ?? [], current];
  }
  return last?.[other.length] ?? 0;
}

/** Returns how many typing mistakes a word may contain: none up to three letters, one up to six, else two. */
const getMaxMistakes = ({ length }: string): number => (length < 4 ? 0 : length < 7 ? 1 : 2);

/**
 * Returns whether a word is long enough to be corrected. One with a digit is not: another year is no correction of a year.
 * Nor is the name of a language, for which users are offered its filter: Danish is no correction of Spanish.
 */
export const canBeCorrected = (word: string): boolean =>
  getMaxMistakes(word) > 0 && !/\d/.test(word) && !languageNames.has(word);

/** Counts mistakes; spelling by sound counts as one. An unfinished word is also compared with the beginning of longer ones. */
function countMistakes(typed: string, { word, soundsAlike }: SimilarWord, isLast: boolean): number {
  const whole = Math.min(getEditDistance(typed, word), soundsAlike ? 1 : Number.POSITIVE_INFINITY);
  if (!isLast || word.length <= typed.length) return whole;
  const prefixLengths = [typed.length - 1, typed.length, typed.length + 1];
  return Math.min(whole, ...prefixLengths.map((length) => getEditDistance(typed, word.slice(0, length))));
}

/**
 * Returns the words that a misspelled one may mean, best first: fewest mistakes, same sound, same first letter (which is
 * seldom mistyped), most frequent.
 *
 * @param isLast - whether the typed word is the last of the query and may be unfinished
 */
export function rankCorrections(
  typed: string,
  similar: readonly SimilarWord[],
  isLast: boolean,
): WordStatistics[] {
  const maxMistakes = getMaxMistakes(typed);
  const ranked = similar
    .map((candidate) => ({ ...candidate, mistakes: countMistakes(typed, candidate, isLast) }))
    .filter(({ mistakes }) => mistakes <= maxMistakes)
    .sort(
      (one, other) =>
        one.mistakes - other.mistakes ||
        Number(other.soundsAlike) - Number(one.soundsAlike) ||
        Number(other.word[0] === typed[0]) - Number(one.word[0] === typed[0]) ||
        other.documents - one.documents,
    );
  const fewest = ranked[0]?.mistakes;
  return ranked.filter(({ mistakes }) => mistakes === fewest).slice(0, MAX_CORRECTIONS);
}

/** Returns similar words by edit distance, nearest first. */
export const sortByDistance = (typed: string, similar: readonly SimilarWord[]): string[] =>
  toUniqueWords(similar).sort((one, other) => getEditDistance(typed, one) - getEditDistance(typed, other));

/** Returns whether the vocabulary has nothing for a word. */
export const isUnknown = ({ exact, inflected, completions }: QueryWord): boolean =>
  exact.length + inflected.length + completions.length === 0;

/** Returns whether a term is searched in texts by its exact forms only. */
export const isExact = ({ exactForms, bodyForms }: Term): boolean => exactForms.length === bodyForms.length;

/** Returns whether the vocabulary has none of the exact forms. */
export const isGuess = ({ exactForms, statistics }: Term): boolean =>
  !statistics.some(({ word }) => exactForms.includes(word));

/** Returns whether so many documents hold a word that its completions need not be searched in texts. */
const isFrequent = ({ exact }: QueryWord, counts: DocumentCounts): boolean =>
  exact.some(
    ({ language, documents }) =>
      documents > FREQUENT_DOCUMENTS && documents > counts[language] * FREQUENT_SHARE,
  );

const isPlural = (plural: string, singular: string): boolean =>
  plural === `${singular}s` || plural === `${singular}es` || plural === singular.replace(/z$/, 'ces');

/** Returns the term for a word that the vocabulary has. */
export function toTerm(queryWord: QueryWord, counts: DocumentCounts): Term {
  const { word, exact, inflected, completions } = queryWord;
  // Stems are coarse: that of "grano" (grain) is also that of "gran" (great).
  const plurals = inflected.filter((form) => isPlural(form.word, word) || isPlural(word, form.word));
  const exactForms = toUniqueWords([...exact, ...plurals]);
  const statistics = [...exact, ...inflected, ...completions];
  return {
    word,
    exactForms: exactForms.length > 0 ? exactForms : [word],
    forms: toUniqueWords(statistics),
    bodyForms: isFrequent(queryWord, counts) ? exactForms : toUniqueWords(statistics),
    corrected: word,
    statistics,
  };
}

/** Returns the term for a word that the vocabulary lacks, by its corrections, best first. */
export function toCorrectedTerm(word: string, corrections: readonly WordStatistics[]): Term {
  const forms = corrections.length > 0 ? toUniqueWords(corrections) : [word];
  const [corrected = word] = forms;
  return { word, exactForms: [corrected], forms, bodyForms: forms, corrected, statistics: corrections };
}

const sumStatistics = (
  statistics: readonly WordStatistics[],
  field: 'documents' | 'heads',
  language?: Language,
): number =>
  statistics.reduce(
    (total, word) => total + (language === undefined || word.language === language ? word[field] : 0),
    0,
  );

/** Returns the rarest terms, by which a match is ranked: words like 'the' occur everywhere. */
export const pickRarest = (terms: readonly Term[]): Term[] =>
  [...terms]
    .sort(
      (one, other) =>
        sumStatistics(one.statistics, 'documents') - sumStatistics(other.statistics, 'documents'),
    )
    .slice(0, MAX_RANKED_TERMS);

/** Estimates how many documents hold all terms, in text or in head, as if words were independent within a language. */
export function estimateMatches(
  terms: readonly Term[],
  field: 'documents' | 'heads',
  counts: DocumentCounts,
): number {
  const estimateIn = (language: Language) =>
    terms.reduce((estimate, { statistics, bodyForms }) => {
      const searched =
        field === 'heads' ? statistics : statistics.filter(({ word }) => bodyForms.includes(word));
      return estimate * Math.min(1, sumStatistics(searched, field, language) / Math.max(1, counts[language]));
    }, counts[language]);
  return estimateIn('en') + estimateIn('es');
}

/** Returns the query's text with corrections applied. */
export const toCorrectedText = (terms: readonly Term[]): string =>
  terms.map(({ corrected }) => corrected).join(' ');

/** Returns the corrected query, or null when it was searched as typed. */
export function getCorrection(
  words: readonly Pick<QueryWord, 'word'>[],
  terms: readonly Term[],
): string | null {
  const corrected = toCorrectedText(terms);
  return corrected === words.map(({ word }) => word).join(' ') ? null : corrected;
}

/** Returns the typed one of two terms that no document holds together, where the other is a correction; else all terms. */
export function omitWrongCorrection(terms: readonly Term[]): readonly Term[] {
  const typed = terms.filter(({ word, corrected }) => word === corrected);
  return terms.length === 2 && typed.length === 1 ? typed : terms;
}

/** Returns the terms without the first, without the second, and so on. */
export const omitEachTerm = (terms: readonly Term[]): Term[][] =>
  terms.map((_, omitted) => terms.filter((_, index) => index !== omitted));

const toAlternation = (forms: readonly string[], weight = ''): string =>
  forms.map((form) => `'${form}'${weight}`).join('|');

/**
 * Returns a `tsquery` for all terms, each in any of its forms. Words come from `search_text` and consist of letters and
 * digits only, so they need no escaping.
 */
export const toAllTermsQuery = (
  terms: readonly Term[],
  forms: 'exactForms' | 'forms' | 'bodyForms',
): string => terms.map((term) => `(${toAlternation(term[forms])})`).join('&');

/** Returns a `tsquery` for all terms of one of the alternatives. */
export const toAnyAlternativeQuery = (alternatives: readonly (readonly Term[])[]): string =>
  alternatives.map((terms) => `(${toAllTermsQuery(terms, 'forms')})`).join('|');

const MAX_INDEX_QUERIES = 3;

/**
 * Returns `tsquery` texts that a document must all match to hold all terms of one of the alternatives. They are separate
 * because a GIN index searches by the rarest words of each query, and a term of many forms has no single rare word.
 */
export function toIndexQueries(
  alternatives: readonly (readonly Term[])[],
  forms: 'forms' | 'bodyForms',
): string[] {
  const [terms, ...others] = alternatives;
  if (!terms || others.length > 0) return [toAnyAlternativeQuery(alternatives)];
  const singleForm = terms.filter((term) => term[forms].length === 1);
  const manyForms = terms.filter((term) => term[forms].length > 1);
  const separate = manyForms.slice(0, MAX_INDEX_QUERIES - 1).map((term) => [term]);
  const rest = [...singleForm, ...manyForms.slice(separate.length)];
  return [rest, ...separate].filter(({ length }) => length > 0).map((group) => toAllTermsQuery(group, forms));
}

/** Returns a `tsquery` for any of the terms in the fields of a weight. */
export const toWeightedQuery = (weight: 'A' | 'B', terms: readonly Term[]): string =>
  toAlternation(
    terms.flatMap(({ forms }) => forms),
    `:${weight}`,
  );
