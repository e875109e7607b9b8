import { inject } from 'vitest';

/** How many random requests each operation is sent; a test may take so many milliseconds for them. */
export const fuzzRuns = inject('fuzz');
export const fuzzPatience = 60_000 + fuzzRuns * 100;

declare module 'vitest' {
  interface ProvidedContext {
    fuzz: number;
  }
}
