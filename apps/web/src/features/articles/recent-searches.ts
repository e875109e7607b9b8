import * as z from 'zod/mini';
import { getUser, useSession } from '#features/session/session.ts';
import { createPersistedStore } from '#shared/storage.ts';

const MAX_TERMS = 8;

interface RecentSearches {
  /** Whose they are: a session may also end while the app is closed. */
  userId: string;
  terms: readonly string[];
}

const noSearches: RecentSearches = { userId: '', terms: [] };

const stored = z.object({ userId: z.string(), terms: z.catch(z.array(z.string()), []) });

const useStore = createPersistedStore<RecentSearches>({
  name: 'search-storage',
  version: 1,
  initial: noSearches,
  isShared: true,
  parse: (value) => stored.safeParse(value).data ?? {},
});

const getTerms = ({ userId, terms }: RecentSearches, user: string | undefined): readonly string[] =>
  userId === user ? terms : noSearches.terms;

/** Returns the user's recent searches that led somewhere, newest first; stored in this browser until the user signs out. */
export function useRecentSearches(): readonly string[] {
  const { user } = useSession();
  return useStore((searches) => getTerms(searches, user?._id));
}

function updateTerms(change: (terms: readonly string[]) => readonly string[]): void {
  const userId = getUser()?._id;
  if (userId) useStore.setState((searches) => ({ userId, terms: change(getTerms(searches, userId)) }));
}

/** Returns the recent terms with another one at an index; terms that differ only in case are the same. */
export function insertTerm(terms: readonly string[], term: string, index = 0): string[] {
  const trimmed = term.trim();
  if (trimmed === '') return [...terms];
  const others = terms.filter((other) => other.toLowerCase() !== trimmed.toLowerCase());
  return [...others.slice(0, index), trimmed, ...others.slice(index)].slice(0, MAX_TERMS);
}

/** Adds a term to the recent searches. */
export const addRecentSearch = (term: string): void => updateTerms((terms) => insertTerm(terms, term));

/** Removes a term; returns a function that restores it. */
export function removeRecentSearch(term: string): () => void {
  const index = useStore.getState().terms.indexOf(term);
  updateTerms((terms) => terms.filter((other) => other !== term));
  return () => updateTerms((terms) => insertTerm(terms, term, index));
}

/** Removes all recent searches; returns a function that restores them after those added since. */
export function clearRecentSearches(): () => void {
  const { terms } = useStore.getState();
  useStore.setState(noSearches);
  return () =>
    updateTerms((added) => added.reduceRight<readonly string[]>((all, term) => insertTerm(all, term), terms));
}
