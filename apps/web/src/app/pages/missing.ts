import { lazyComponent } from '#shared/lazy.ts';

/** What a page shows where its address names nothing. */
export const Missing = lazyComponent(async () => (await import('./not-found.tsx')).NotFound, 'auth');
