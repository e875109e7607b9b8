import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from '#shared/location.tsx';

/** Focuses the page's heading, which screen readers then read; returns false while there is none. */
function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector('h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}

/**
 * Moves the focus to the page's heading after a navigation, or to the main element until the heading is loaded. The focus
 * stays in a text field, and where the user has moved it meanwhile.
 *
 * @returns the ref for the main element
 */
export function usePageFocus(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    const main = ref.current;
    if (!main || previous.current === pathname) return;
    previous.current = pathname;
    if (document.activeElement?.matches('input, textarea') || focusHeading(main)) return;
    main.focus({ preventScroll: true });
    const observer = new MutationObserver(() => {
      if (document.activeElement !== main || focusHeading(main)) observer.disconnect();
    });
    observer.observe(main, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [pathname]);
  return ref;
}
