import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** Sets query parameters; an empty value removes one. */
type SetParams = (values: Record<string, string>) => void;

/**
 * Returns the query parameters of the URL, and a function that changes them without adding a history entry. It does nothing
 * once another page was opened, whose code may still be loading.
 */
export function useQueryParams(): [query: URLSearchParams, setParams: SetParams] {
  const [query, setQuery] = useSearchParams();
  const { pathname } = useLocation();
  const setParams = useCallback<SetParams>(
    (values) => {
      if (location.pathname !== pathname) return;
      // The address itself: the rendered query may be older, while a change of the page is under way.
      const current = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(values)) {
        if (value) current.set(name, value);
        else current.delete(name);
      }
      setQuery(current, { replace: true });
    },
    [setQuery, pathname],
  );
  return [query, setParams];
}
