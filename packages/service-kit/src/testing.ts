import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { afterAll, inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    fuzz: number;
  }
}

/** How many random requests each operation is sent, and how long a test may take for them. */
export const fuzzRuns = inject('fuzz');
export const FUZZ_TIMEOUT_MS = 60_000 + fuzzRuns * 100;
/** Whether the run is the benchmark of random requests, and not one of all tests. */
export const isFuzzRun = fuzzRuns > 40;

const WINDOW_MS = 1000;

/** Lifts the rate limits of this process until the test file ends: its attempts are not counted. */
export function liftRateLimits(): void {
  const nothingConsumed = new RateLimiterRes(1, WINDOW_MS, 0, true);
  const spies = [
    vi.spyOn(RateLimiterPostgres.prototype, 'consume').mockResolvedValue(nothingConsumed),
    vi.spyOn(RateLimiterPostgres.prototype, 'get').mockResolvedValue(null),
  ];
  afterAll(() => {
    for (const spy of spies) spy.mockRestore();
  });
}
