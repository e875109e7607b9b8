import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const positions = new Map<string, number>();

/** Scrolls new pages to the top, and restores the scroll position on back and forward. The browser handles reloads. */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const restoreDefault = () => {
      history.scrollRestoration = 'auto';
    };
    addEventListener('pagehide', restoreDefault);
    return () => removeEventListener('pagehide', restoreDefault);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each page
  useLayoutEffect(() => {
    const position = positions.get(key);
    if (type === 'POP' ? position !== undefined : type === 'PUSH') scrollTo(0, position ?? 0);
    const savePosition = () => positions.set(key, scrollY);
    addEventListener('scroll', savePosition, { passive: true });
    return () => removeEventListener('scroll', savePosition);
  }, [key, pathname]);
}
