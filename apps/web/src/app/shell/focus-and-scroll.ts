import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useWindowEvent } from '#shared/document.ts';
import { useLocation } from '#shared/location.tsx';
import { readTabStorageJson, writeTabStorage } from '#shared/storage.ts';

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

const STORAGE_KEY = 'scroll-positions';

/** The scroll positions by the keys of history entries. */
const positions = new Map<string, number>(Object.entries(Object(readTabStorageJson(STORAGE_KEY))));

/**
 * Scrolls to a position as soon as the page, which may still load, is that long, unless the user does something before.
 *
 * @param restoring aborted then
 */
function scrollWhenLoaded(top: number, restoring: AbortController): void {
  const { signal } = restoring;
  const stop = () => restoring.abort();
  const scroll = () => {
    scrollTo(0, top);
    if (scrollY > top - 1) stop();
  };
  scroll();
  if (signal.aborted) return;
  const observer = new ResizeObserver(scroll);
  observer.observe(document.body);
  signal.addEventListener('abort', () => observer.disconnect());
  for (const type of ['wheel', 'pointerdown', 'keydown']) addEventListener(type, stop, { signal });
}

/** Scrolls new pages to the top, and restores the scroll position on back, forward and after a reload. */
export function useScrollRestoration(): void {
  const { key, hash, action } = useLocation();
  const isFirstPage = useRef(true);
  useEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);
  useWindowEvent('pagehide', () => {
    history.scrollRestoration = 'auto';
    writeTabStorage(STORAGE_KEY, JSON.stringify(Object.fromEntries(positions)));
  });
  useLayoutEffect(() => {
    const position = positions.get(key);
    const restoring = new AbortController();
    if (position !== undefined) scrollWhenLoaded(position, restoring);
    else {
      // By the browser: a page that is loaded, and the target of a fragment.
      const isScrolled = isFirstPage.current || hash !== '';
      if (action === 'push' || (action === 'pop' && !isScrolled)) scrollTo(0, 0);
      restoring.abort();
    }
    isFirstPage.current = false;
    const savePosition = () => {
      // The browser scrolls to a fragment before the router knows of it.
      if (restoring.signal.aborted && location.hash === hash) positions.set(key, scrollY);
    };
    savePosition();
    addEventListener('scroll', savePosition, { passive: true });
    return () => {
      restoring.abort();
      removeEventListener('scroll', savePosition);
    };
  }, [key, hash, action]);
}
