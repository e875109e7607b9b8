import * as z from 'zod/mini';
import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';
import { remembered } from './model/recent.ts';

interface Recent {
  terms: readonly string[];
}

const stored = z.object({ terms: z.catch(z.array(z.string()), []) });

/** What was looked for and found, newest first; kept in this browser until its reader leaves. */
export const useRecent = create<Recent>()(
  persistStore(
    {
      name: 'search-storage',
      version: 1,
      partialize: ({ terms }) => ({ terms }),
      parse: (value) => stored.safeParse(value).data ?? {},
    },
    (): Recent => ({ terms: [] }),
  ),
);

/** Remembers a term that led somewhere. */
export const rememberTerm = (term: string): void =>
  void useRecent.setState(({ terms }) => ({ terms: remembered(terms, term) }));

/** Forgets one term. Out: puts it back where it was. */
export function forgetTerm(term: string): () => void {
  const { terms } = useRecent.getState();
  useRecent.setState({ terms: terms.filter((one) => one !== term) });
  return () => void useRecent.setState({ terms });
}

/** Forgets them all. */
export const forgetTerms = (): void => void useRecent.setState({ terms: [] });
