import { cornerPart } from '#shared/part.ts';

/** What a page shows where its address names nothing. */
export const Missing = cornerPart(async () => (await import('./not-found.tsx')).NotFound, 'more');
