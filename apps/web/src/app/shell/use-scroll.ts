import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const places = new Map<string, number>();

/** A new page begins at its top; going back finds the place that was left. Reloading is left to the browser. */
export function useScroll(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const leave = () => {
      history.scrollRestoration = 'auto';
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what asks for another place
  useLayoutEffect(() => {
    const place = places.get(key);
    if (type === 'POP' ? place !== undefined : type === 'PUSH') scrollTo(0, place ?? 0);
    const remember = () => places.set(key, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [key, pathname]);
}
