import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * The query of the address, as a page's state that can be sent to somebody. Out: its values by name, and how to change some
 * of them (empty ones go) in place of the address of now: going back leaves the page.
 */
export function useSearch(): [URLSearchParams, (values: Record<string, string>) => void] {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const change = useCallback(
    (values: Record<string, string>) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      const query = next.size > 0 ? `?${next}` : '';
      void navigate(pathname + query, { replace: true, preventScrollReset: true });
    },
    [navigate, pathname, search],
  );
  return [new URLSearchParams(search), change];
}
