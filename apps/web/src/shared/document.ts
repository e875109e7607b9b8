import { useEffect, useSyncExternalStore } from 'react';
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
