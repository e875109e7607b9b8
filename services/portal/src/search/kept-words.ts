import { LRUCache } from 'lru-cache';
import { MOST_WORDS, type Understood, type vocabularyRepository } from './vocabulary-repository.ts';
import type { Asked, Known } from './words.ts';

const MOST_KEPT = 5000;

type Vocabulary = Pick<ReturnType<typeof vocabularyRepository>, 'understand'>;

/** Each is one word for `search_text`; anything else is left to it. */
const isPlain = (words: readonly string[]): boolean => words.every((word) => /^[a-z0-9áéíóúüñ]+$/.test(word));

/**
 * What the vocabulary has for the words that people look for, which are mostly the same ones: asked once, and known by all
 * searches until the catalogue changes. Whether it has, the next statement of a search tells (`version`).
 */
export function keptWords() {
  const words = new LRUCache<string, Asked>({ max: MOST_KEPT });
  const guesses = new LRUCache<string, readonly Known[]>({ max: MOST_KEPT });
  const libraries = new LRUCache<string, Omit<Understood, 'words'>>({ max: MOST_KEPT });
  let version = '';

  /** In: the state that the catalogue was seen in. */
  function forget(seen: string): void {
    if (seen === version) return;
    version = seen;
    for (const kept of [words, guesses, libraries]) kept.clear();
  }

  /** Of the query's words, those that are not known are asked for. */
  async function understand(query: string, tags: readonly string[], index: Vocabulary): Promise<Understood> {
    const asked = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
    if (!isPlain(asked)) return index.understand(query, { isOpen: true, tags });
    const last = asked.length - 1;
    const names = asked.map((word, place) => (place === last ? `${word}…` : word));
    const known = names.map((name) => words.get(name));
    const missing = asked.flatMap((word, place) => (known[place] ? [] : [{ word, place }]));
    const [before, library] = [version, libraries.get(tags.join(' '))];
    const { words: told, ...now } =
      library && missing.length === 0
        ? { ...library, words: [] }
        : await index.understand(missing.map(({ word }) => word).join(' '), {
            isOpen: missing.at(-1)?.place === last,
            tags,
          });
    forget(now.version);
    libraries.set(tags.join(' '), now);
    for (const [order, { place }] of missing.entries()) {
      known[place] = told[order];
      words.set(names[place] ?? '', told[order]);
    }
    // What was known beside it was known of another state.
    if (now.version !== before && missing.length < asked.length) return understand(query, tags, index);
    return { ...now, words: known.flatMap((word) => word ?? []) };
  }

  return {
    forget,
    understand,

    /** What a word may have been meant as. In: whether it may be unfinished, and how it is looked for. */
    async guess(
      word: string,
      isLast: boolean,
      look: () => Promise<readonly Known[]>,
    ): Promise<readonly Known[]> {
      const name = isLast ? `${word}…` : word;
      const before = version;
      const known = guesses.get(name) ?? (await look());
      if (version === before) guesses.set(name, known);
      return known;
    },
  };
}

export type KeptWords = ReturnType<typeof keptWords>;
