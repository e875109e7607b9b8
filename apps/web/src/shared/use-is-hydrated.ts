import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** Returns false while a prerendered page is rendered at build time or hydrated. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
