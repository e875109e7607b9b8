import { lazyComponent } from '#shared/lazy.ts';

/** The not-found content, loaded when it is first rendered. */
export const LazyNotFound = lazyComponent(async () => (await import('./not-found.tsx')).NotFound, 'auth');
