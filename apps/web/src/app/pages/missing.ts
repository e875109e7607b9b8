import { lazyComponent } from '#shared/lazy.ts';

/** The content of a page whose address names nothing. */
export const Missing = lazyComponent(async () => (await import('./not-found.tsx')).NotFound, 'auth');
