import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { type T, useT } from './i18n/i18n.ts';

const subscribeToNothing = () => () => undefined;

/** Returns false while a prerendered page is rendered at build time or hydrated. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** Returns the document's title for a page: with the app's name, unless it has that already. */
export function formatPageTitle(t: T, title: string): string {
  const name = t('common.appName');
  return title.includes(name) ? title : `${title} · ${name}`;
}

/** Sets the document's title while a public page is shown. That of the others depends on the player (SHELL-05). */
export function usePageTitle(title: string): void {
  const t = useT();
  useEffect(() => {
    document.title = formatPageTitle(t, title);
    return () => {
      document.title = t('common.appName');
    };
  }, [t, title]);
}

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

/**
 * Calls the listener at each event of the window.
 *
 * @param capture whether before the listeners of elements
 */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
  capture = false,
): void {
  const handleEvent = useEffectEvent(listener);
  useEffect(() => {
    const handle = (event: WindowEventMap[Type]) => handleEvent(event);
    addEventListener(type, handle, capture);
    return () => removeEventListener(type, handle, capture);
  }, [type, capture]);
}

/** How long a browser may take to start a download, such as until Safari's user has allowed it; as in FileSaver.js. */
const DOWNLOAD_START_MS = 40_000;

/** Saves a text as a file of the user, as a download. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_START_MS);
}
