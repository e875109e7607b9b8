import { useCallback, useSyncExternalStore } from 'react';

/**
 * Returns whether a CSS media query matches, and renders again when that changes. True in prerendered documents, where CSS
 * has to hide what is for other screens.
 */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => true,
  );
}
