import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The scroll positions by the keys of history entries. */
const positions = new Map<string, number>();

/** Returns the key of the current entry. The router gives none to the first page and to targets of `href="#…"`. */
function getEntryKey(routerKey: string): string {
  if (routerKey !== 'default') return routerKey;
  const state = { idx: null, key: Math.random().toString(36).slice(2), ...history.state };
  history.replaceState(state, '');
  return state.key;
}

/** Scrolls new pages to the top, and restores the scroll position on back and forward. The browser handles reloads. */
export function useScrollRestoration(): void {
  const { key, hash } = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const restoreDefault = () => {
      history.scrollRestoration = 'auto';
    };
    addEventListener('pagehide', restoreDefault);
    return () => removeEventListener('pagehide', restoreDefault);
  }, []);
  useLayoutEffect(() => {
    const entry = getEntryKey(key);
    const position = positions.get(entry);
    // By the browser: the page that is loaded, and the target of a fragment.
    const isScrolled = positions.size === 0 || hash !== '';
    if (position !== undefined || type === 'PUSH' || (type === 'POP' && !isScrolled))
      scrollTo(0, position ?? 0);
    const savePosition = () => {
      // The browser scrolls to a fragment before the router knows of it.
      if (location.hash === hash) positions.set(entry, scrollY);
    };
    savePosition();
    addEventListener('scroll', savePosition, { passive: true });
    return () => removeEventListener('scroll', savePosition);
  }, [key, hash, type]);
}
