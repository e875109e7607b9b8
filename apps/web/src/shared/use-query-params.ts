import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Values for the query of the address, by name; an empty one goes. */
type Change = (values: Record<string, string>) => void;

/** The query of the address, and what changes it in place of the address of now: going back leaves the page. */
export function useQueryParams(): [query: URLSearchParams, change: Change] {
  const [query, setQuery] = useSearchParams();
  const change = useCallback<Change>(
    (values) =>
      setQuery(
        (now) => {
          for (const [name, value] of Object.entries(values)) {
            if (value) now.set(name, value);
            else now.delete(name);
          }
          return now;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return [query, change];
}
