import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to the page's main element after a navigation, as a page load would. The focus stays in a text field.
 *
 * @returns the ref for the main element
 */
export function usePageFocus(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    if (!document.activeElement?.matches('input, textarea')) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
