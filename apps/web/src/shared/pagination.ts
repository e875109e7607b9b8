import type { InfiniteData } from '@tanstack/react-query';

interface Page<T> {
  docs: T[];
  totalDocs: number;
}

/** Returns the number of the next page, or undefined after the last. */
export function getNextPage(pages: readonly Page<unknown>[]): number | undefined {
  const last = pages.at(-1);
  const loaded = pages.reduce((sum, { docs }) => sum + docs.length, 0);
  return last && last.docs.length > 0 && loaded < last.totalDocs ? pages.length + 1 : undefined;
}

/** Distributes changed items over the loaded pages: each page keeps its length, the last one takes the rest. */
export function repaginate<T, P extends Page<T>>(pages: readonly P[], items: readonly T[]): P[] {
  const loaded = pages.reduce((sum, { docs }) => sum + docs.length, 0);
  let start = 0;
  return pages.map((page, index) => {
    const end = index === pages.length - 1 ? items.length : start + page.docs.length;
    const docs = items.slice(start, end);
    start = end;
    return { ...page, docs, totalDocs: page.totalDocs + items.length - loaded };
  });
}

/**
 * Returns the items without those whose id an earlier one has: a list that changes between the requests for its pages
 * repeats items.
 */
export function removeRepeated<T>(items: readonly T[], getId: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(getId(item)) && seen.add(getId(item)));
}

/** Returns the items of all loaded pages, each once. */
export const mergePages = <T extends { _id: string }>(pages: readonly Pick<Page<T>, 'docs'>[] = []): T[] =>
  removeRepeated(
    pages.flatMap(({ docs }) => docs),
    ({ _id }) => _id,
  );

/** Returns the loaded pages with a change of their items. */
export const changePages = <T extends { _id: string }>(
  data: InfiniteData<Page<T>, number> | undefined,
  change: (items: T[]) => T[],
): InfiniteData<Page<T>, number> | undefined =>
  data && { ...data, pages: repaginate(data.pages, change(mergePages(data.pages))) };
