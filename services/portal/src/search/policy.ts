import { contentKind, contentLanguage, type Facets, lengthBand, level } from '@escucho/contracts';

/** The selected filters; each facet has at most one value. */
export type Filters = { [Name in keyof Facets]?: Facets[Name][number]['value'] | undefined };

/** The number of documents that have the same tags (`level:B1`). */
export interface TagGroup {
  tags: readonly string[];
  documents: number;
}

const facetNames = ['language', 'level', 'kind', 'topic', 'length'] as const;

/** Returns the tags that a document must have to pass the filters. */
export const toTags = (filters: Filters): string[] =>
  facetNames.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [`${name}:${value}`];
  });

/**
 * Counts the documents of each value of a facet. Values that are not selected count the documents that pass all other
 * filters; the selected value counts those that pass all filters, as many as the list shows.
 */
function countValues(
  name: keyof Facets,
  all: readonly TagGroup[],
  passing: readonly TagGroup[],
  filters: Filters,
): Map<string, number> {
  const selected = filters[name];
  const otherTags = toTags({ ...filters, [name]: undefined });
  const counts = new Map<string, number>();
  for (const { tags, documents } of selected === undefined ? passing : all) {
    if (!otherTags.every((tag) => tags.includes(tag))) continue;
    const value = tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + documents);
  }
  if (selected !== undefined)
    counts.set(
      selected,
      passing.reduce((sum, { documents }) => sum + documents, 0),
    );
  return counts;
}

/**
 * Returns what each value of each facet would find (CAT-03).
 *
 * @param all - the documents before any filter
 * @param passing - the documents that pass all filters
 */
export function toFacets(all: readonly TagGroup[], filters: Filters, passing: readonly TagGroup[]): Facets {
  function toOrderedFacet<Value extends string>(name: keyof Facets, values: readonly Value[]) {
    const counts = countValues(name, all, passing, filters);
    return values.flatMap((value) => {
      const count = counts.get(value) ?? 0;
      return count > 0 ? [{ value, count }] : [];
    });
  }
  const topics = [...countValues('topic', all, passing, filters)]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count > 0);
  return {
    language: toOrderedFacet('language', contentLanguage.options),
    level: toOrderedFacet('level', level.options),
    kind: toOrderedFacet('kind', contentKind.options),
    topic: topics.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)),
    length: toOrderedFacet('length', lengthBand.options),
  };
}

/*
 * Recency-ordered partitions. Documents are numbered in the order in which articles came, and numbers are divided into
 * partitions of three levels: 1,024 documents, 8 times and 64 times as many. Each document carries the partition of every
 * level as a tag in the same index as its words (`search_partitions` in the migrations). A search for frequent words
 * looks in the newest partitions only and terminates early once they hold enough matches; otherwise it widens the
 * range and searches again.
 */
const PARTITION_SIZE = 1024;
/** The levels, largest first: how many smallest partitions one of them holds. The tag of a partition is `p8:61`. */
const partitionLevels = [64, 8, 1] as const;
/** A range is searched that is expected to hold so many times the requested number of matches. */
const SAFETY_FACTOR = 1.6;

/**
 * Returns the newest partitions that probably hold enough matches, newest first, or null to search all documents.
 *
 * @param expected - the estimated number of matches in all documents
 * @param requested - how many matches are needed
 * @param newest - the number of the newest document
 */
export function selectPartitions(expected: number, requested: number, newest: number): string[] | null {
  const range = (SAFETY_FACTOR * requested * newest) / Math.max(1, expected);
  if (range > newest / 2) return null;
  const first = Math.floor((newest - range) / PARTITION_SIZE);
  if (first <= 0) return null;
  const tags: string[] = [];
  let last = Math.floor(newest / PARTITION_SIZE);
  while (last >= first) {
    // A larger partition that exceeds the range by at most a quarter replaces many small ones.
    for (const size of partitionLevels) {
      const number = Math.floor(last / size);
      if (number * size < first - size / 4) continue;
      tags.push(`p${size}:${number}`);
      last = number * size - 1;
      break;
    }
  }
  return tags;
}
