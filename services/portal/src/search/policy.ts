import type { Facets } from '@escucho/contracts';

/** What may be filtered by, each with at most one value. */
export type Filters = { [Name in keyof Facets]?: Facets[Name][number]['value'] | undefined };

/** How many documents have the same tags (`level:B1`). */
export interface Group {
  tags: readonly string[];
  documents: number;
}

const names = ['language', 'level', 'kind', 'topic', 'length'] as const;

/** The tags that a document must have to pass the filters. */
export const tagsOf = (filters: Filters): string[] =>
  names.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [`${name}:${value}`];
  });

/** How many documents have each value of a facet, of those that pass all other filters; of a chosen value, as many as the list shows. */
function countsOf(name: keyof Facets, all: readonly Group[], passing: readonly Group[], filters: Filters) {
  const chosen = filters[name];
  const others = tagsOf({ ...filters, [name]: undefined });
  const counts = new Map<string, number>();
  for (const { tags, documents } of chosen === undefined ? passing : all) {
    if (!others.every((tag) => tags.includes(tag))) continue;
    const value = tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + documents);
  }
  if (chosen !== undefined)
    counts.set(
      chosen,
      passing.reduce((sum, { documents }) => sum + documents, 0),
    );
  return counts;
}

/** What each facet's values would give (CAT-03). In: documents before any filter, the filters that are chosen, documents that pass them. */
export function facetsOf(all: readonly Group[], filters: Filters, passing: readonly Group[]): Facets {
  function known<Value extends string>(name: keyof Facets, values: readonly Value[]) {
    const counts = countsOf(name, all, passing, filters);
    return values.flatMap((value) => {
      const count = counts.get(value) ?? 0;
      return count > 0 ? [{ value, count }] : [];
    });
  }
  const topics = [...countsOf('topic', all, passing, filters)]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count > 0);
  return {
    language: known('language', ['en', 'es']),
    level: known('level', ['A1', 'A2', 'B1', 'B2', 'C1', 'C2']),
    kind: known('kind', ['article', 'audiobook', 'visual-book']),
    topic: topics.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)),
    length: known('length', ['short', 'medium', 'long']),
  };
}

/** So many documents that came one after the other share a shelf; eight shelves are a case, eight cases a room. */
const SHELF = 1024;
const places = [
  { name: 'room', shelves: 64 },
  { name: 'case', shelves: 8 },
  { name: 'shelf', shelves: 1 },
] as const;
/** Looked through are as many documents as are likely to hold so many times what is wanted. */
const MARGIN = 1.6;

/**
 * Where a frequent word is looked for: in the newest places, as few as hold what is likely to be enough. In: how many documents
 * are expected in all, how many are wanted, the newest document's number. Out: tags of places, newest first; null for everywhere.
 */
export function placesFor(expected: number, wanted: number, newest: number): string[] | null {
  const needed = (MARGIN * wanted * newest) / Math.max(1, expected);
  if (needed > newest / 2) return null;
  const first = Math.floor((newest - needed) / SHELF);
  if (first <= 0) return null;
  const found: string[] = [];
  let last = Math.floor(newest / SHELF);
  while (last >= first) {
    // A place of which a little more is looked through than need be is one to ask for instead of many.
    for (const { name, shelves } of places) {
      const number = Math.floor(last / shelves);
      if (number * shelves < first - shelves / 4) continue;
      found.push(`${name}:${number}`);
      last = number * shelves - 1;
      break;
    }
  }
  return found;
}
