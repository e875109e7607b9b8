import * as z from 'zod/mini';
import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';

const MAX_TERMS = 8;

interface RecentSearches {
  terms: readonly string[];
}

const stored = z.object({ terms: z.catch(z.array(z.string()), []) });

/** The recent searches that led somewhere, newest first; stored in this browser until the user signs out. */
export const useRecentSearches = create<RecentSearches>()(
  persistStore(
    {
      name: 'search-storage',
      version: 1,
      partialize: ({ terms }) => ({ terms }),
      parse: (value) => stored.safeParse(value).data ?? {},
    },
    (): RecentSearches => ({ terms: [] }),
  ),
);

/** Returns the recent terms with another one in front; terms that differ only in case are the same. */
export function prependTerm(terms: readonly string[], term: string): string[] {
  const trimmed = term.trim();
  if (trimmed === '') return [...terms];
  const others = terms.filter((other) => other.toLowerCase() !== trimmed.toLowerCase());
  return [trimmed, ...others].slice(0, MAX_TERMS);
}

/** Adds a term to the recent searches. */
export const addRecentSearch = (term: string): void =>
  void useRecentSearches.setState(({ terms }) => ({ terms: prependTerm(terms, term) }));

/** Removes a term; returns a function that restores it. */
export function removeRecentSearch(term: string): () => void {
  const { terms } = useRecentSearches.getState();
  useRecentSearches.setState({ terms: terms.filter((other) => other !== term) });
  return () => void useRecentSearches.setState({ terms });
}

/** Removes all recent searches. */
export const clearRecentSearches = (): void => void useRecentSearches.setState({ terms: [] });
