/** A word of the vocabulary, in a language, with how many documents hold it, and how many in title, narrator or topic. */
export interface Known {
  word: string;
  language: 'en' | 'es';
  documents: number;
  heads: number;
}

/** A word that another may have been meant as; `sounds` where both are said alike. */
export interface Near extends Known {
  sounds: boolean;
}

/** A word that was asked for, and what the vocabulary has for it. */
export interface Asked {
  word: string;
  /** The word itself, in the languages that have it. */
  same: readonly Known[];
  /** Inflections of it. */
  inflected: readonly Known[];
  /** Words that begin with it; of the last word only, which may be unfinished. */
  begun: readonly Known[];
}

/** A word as it is looked for: any of `forms`; `surest` are those that are no guess. */
export interface Term {
  asked: string;
  surest: readonly string[];
  forms: readonly string[];
  /** Those of the forms that are looked for in texts as well as in heads. */
  inTexts: readonly string[];
  /** What it was taken for, where it is no word that is known. */
  corrected: string | null;
  /** What is known of the forms. */
  known: readonly Known[];
}

/** How many documents there are in each language. */
export type Amounts = Readonly<Record<'en' | 'es', number>>;

const MANY_DOCUMENTS = 1000;
const SHARE_OF_FREQUENT = 0.2;

const once = (words: readonly Known[]): string[] => [...new Set(words.map(({ word }) => word))];

/** How many edits make one word of another: letters put in, left out, changed, or two neighbours swapped. */
export function distance(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changed = (last?.[column - 1] ?? 0) + (same ? 0 : 1);
      const inserted = Math.min(next[column - 1] ?? 0, last?.[column] ?? 0) + 1;
      const edits = Math.min(changed, inserted);
      next.push(swapped ? Math.min(edits, (before?.[column - 2] ?? 0) + 1) : edits);
    }
    [before, last] = [last ?? [], next];
  }
  return last?.[other.length] ?? 0;
}

/** How many typing mistakes a word may have: none in three letters, one in up to six, else two. */
const mistakesIn = ({ length }: string): number => (length < 4 ? 0 : length < 7 ? 1 : 2);

/** Whether a word may have been meant as another at all. */
export const mayBeMistyped = (word: string): boolean => mistakesIn(word) > 0;

/** As `distance`, from a word to another or, of an unfinished one, to the beginning of another. Writing by ear is one mistake. */
function mistakes(asked: string, { word, sounds }: Near, isLast: boolean): number {
  const whole = Math.min(distance(asked, word), sounds ? 1 : Number.POSITIVE_INFINITY);
  if (!isLast || word.length <= asked.length) return whole;
  const beginnings = [asked.length - 1, asked.length, asked.length + 1];
  return Math.min(whole, ...beginnings.map((length) => distance(asked, word.slice(0, length))));
}

/** The words that somebody may have meant, nearest first and of the same nearness the most frequent first. */
export function meant(asked: string, near: readonly Near[], isLast: boolean): Known[] {
  const most = mistakesIn(asked);
  const ranked = near
    .map((known) => ({ ...known, mistakes: mistakes(asked, known, isLast) }))
    .filter(({ mistakes }) => mistakes <= most)
    // The first letter is seldom mistyped.
    .sort(
      (one, other) =>
        one.mistakes - other.mistakes ||
        Number(other.sounds) - Number(one.sounds) ||
        Number(other.word[0] === asked[0]) - Number(one.word[0] === asked[0]) ||
        other.documents - one.documents,
    );
  const best = ranked[0]?.mistakes;
  return ranked.filter(({ mistakes }) => mistakes === best).slice(0, 5);
}

/** Words that look like another, nearest first. */
export const nearest = (asked: string, near: readonly Near[]): string[] =>
  once(near).sort((one, other) => distance(asked, one) - distance(asked, other));

/** Whether the vocabulary has nothing for a word. */
export const isUnknown = ({ same, inflected, begun }: Asked): boolean =>
  same.length + inflected.length + begun.length === 0;

/** Whether a word is looked for in texts as it was asked for and in its inflections alone. */
export const isExact = ({ surest, inTexts }: Term): boolean => surest.length === inTexts.length;

/** Whether nothing is known of a word as it was asked for, only of others. */
export const isGuess = ({ surest, known }: Term): boolean => !known.some(({ word }) => surest.includes(word));

/** Whether so many documents have a word that whatever begins with it need not be looked for in texts beside. */
const isEverywhere = ({ same }: Asked, amounts: Amounts): boolean =>
  same.some(
    ({ language, documents }) =>
      documents > MANY_DOCUMENTS && documents > amounts[language] * SHARE_OF_FREQUENT,
  );

/** A word that is known as it is looked for. */
export function termOf(asked: Asked, amounts: Amounts): Term {
  const { word, same, inflected, begun } = asked;
  const surest = once([...same, ...inflected]);
  const all = [...same, ...inflected, ...begun];
  return {
    asked: word,
    surest: surest.length > 0 ? surest : [word],
    forms: once(all),
    inTexts: isEverywhere(asked, amounts) ? surest : once(all),
    corrected: null,
    known: all,
  };
}

/** A word that is not known as it is looked for. In: the words that may have been meant, nearest first. */
export function guessOf(asked: string, meant: readonly Known[]): Term {
  const forms = once(meant);
  const [best] = forms;
  const taken = best === undefined ? [asked] : forms;
  return {
    asked,
    surest: [best ?? asked],
    forms: taken,
    inTexts: taken,
    corrected: best ?? null,
    known: meant,
  };
}

const holding = ({ known }: Pick<Term, 'known'>, count: 'documents' | 'heads', language?: string): number =>
  known.reduce(
    (total, word) => total + (language === undefined || word.language === language ? word[count] : 0),
    0,
  );

/** What is known of the forms that are looked for: in texts, or in heads. */
const lookedFor = ({ known, inTexts }: Term, count: 'documents' | 'heads'): Pick<Term, 'known'> => ({
  known: count === 'heads' ? known : known.filter(({ word }) => inTexts.includes(word)),
});

/** The terms that tell most, rarest first: what a match is ranked by, for words like 'the' stand everywhere. */
export const rarest = (terms: readonly Term[]): Term[] =>
  [...terms].sort((one, other) => holding(one, 'documents') - holding(other, 'documents')).slice(0, 3);

/** How many documents are likely to hold all the terms, in text or head. The words of a language stand in its documents. */
export function expectedOf(terms: readonly Term[], count: 'documents' | 'heads', amounts: Amounts): number {
  const inLanguage = (language: 'en' | 'es') => {
    const all = amounts[language];
    const share = (term: Term) =>
      Math.min(1, holding(lookedFor(term, count), count, language) / Math.max(1, all));
    return terms.reduce((expected, term) => expected * share(term), all);
  };
  return inLanguage('en') + inLanguage('es');
}

/** The query as it is looked for, with the words that others were taken for. */
export const takenAs = (terms: readonly Term[]): string =>
  terms.map(({ asked, corrected }) => corrected ?? asked).join(' ');

/** The query as it was understood, or null where it was taken as it stands. In: the words as they were asked for, the terms. */
export function correctionOf(asked: readonly Pick<Asked, 'word'>[], terms: readonly Term[]): string | null {
  const taken = takenAs(terms);
  return taken === asked.map(({ word }) => word).join(' ') ? null : taken;
}

/** The terms without the first, without the second, and so on. */
export const allButOne = (terms: readonly Term[]): Term[][] =>
  terms.map((_, left) => terms.filter((_, index) => index !== left));

const quoted = (forms: readonly string[], weight = ''): string =>
  forms.map((form) => `'${form}'${weight}`).join('|');

/**
 * A query of PostgreSQL's text search: all terms, each in any of its forms. Words are of letters and digits only (they
 * come from `search_text`), so that nothing in them is syntax.
 */
export const allOf = (terms: readonly Term[], forms: 'surest' | 'forms' | 'inTexts'): string =>
  terms.map((term) => `(${quoted(term[forms])})`).join('&');

/** A query for all terms of one of the alternatives. */
export const oneOf = (alternatives: readonly (readonly Term[])[]): string =>
  alternatives.map((terms) => `(${allOf(terms, 'forms')})`).join('|');

const MOST_QUERIES = 3;

/**
 * Queries that a document must all match, to have all terms of one of the alternatives. Apart, for an index looks for documents
 * by the rarest words of each query: among many forms of one term these are none that a document needs.
 */
export function queriesOf(alternatives: readonly (readonly Term[])[], forms: 'forms' | 'inTexts'): string[] {
  const [terms, ...others] = alternatives;
  if (!terms || others.length > 0) return [oneOf(alternatives)];
  const single = terms.filter((term) => term[forms].length === 1);
  const several = terms.filter((term) => term[forms].length > 1);
  const apart = several.slice(0, MOST_QUERIES - 1).map((term) => [term]);
  const rest = [...single, ...several.slice(apart.length)];
  return [rest, ...apart].filter(({ length }) => length > 0).map((group) => allOf(group, forms));
}

/** A query for any of the terms in the fields of a weight. */
export const anyIn = (weight: 'A' | 'B', terms: readonly Term[]): string =>
  quoted(
    terms.flatMap(({ forms }) => forms),
    `:${weight}`,
  );
