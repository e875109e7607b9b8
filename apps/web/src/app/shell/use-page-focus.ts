import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * After a navigation the focus moves to the page, as it would on a fresh load; not while somebody types, and not on
 * the first page. Out: a ref for the page's main element.
 */
export function usePageFocus(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (!document.activeElement?.matches('input, textarea')) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
