import fc from 'fast-check';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { afterAll, inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    fuzz: number;
    fuzzSeed: number;
  }
}

/** How many random requests each operation is sent, and how long a test may take for them. */
export const fuzzRuns = inject('fuzz');
export const FUZZ_TIMEOUT_MS = 60_000 + fuzzRuns * 100;
const fuzzSeed = inject('fuzzSeed');
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

export interface HostileRequests<Request> {
  requests: readonly Request[];
  /** Sends a request, and throws where the response is a server error. Returns whether the request was refused. */
  send: (request: Request) => Promise<boolean>;
  /** Returns a hash of the rows that a refused request must not change. */
  takeSnapshot: () => Promise<string>;
  /** How many requests are sent at once. */
  batchSize?: number;
}

/** Returns random requests: the same ones in a run with the same `FUZZ` and `FUZZ_SEED`. */
export const sampleRequests = <Request>(arbitrary: fc.Arbitrary<Request>, count = fuzzRuns) =>
  fc.sample(arbitrary, { seed: fuzzSeed, numRuns: count });

/**
 * Sends requests in concurrent batches, and checks that none is a server error and that the refused ones change no row.
 * Rows are compared once per batch. Where some changed, the refused requests are sent again, first without the accepted ones and
 * then one by one, which names the request that changes a row.
 * @throws with the seed of the run and the request
 */
export async function sendHostileRequests<Request>({
  requests,
  send,
  takeSnapshot,
  batchSize = 32,
}: HostileRequests<Request>): Promise<void> {
  let last = await takeSnapshot();

  /** Returns the requests that were refused, and whether a row has changed. */
  async function sendBatch(batch: readonly Request[]) {
    const before = last;
    const results = await Promise.all(
      batch.map(async (request) => ({ request, isRefused: await send(request) })),
    );
    const refused = results.filter(({ isRefused }) => isRefused).map(({ request }) => request);
    last = await takeSnapshot();
    return { refused, hasChanged: last !== before };
  }

  async function checkBatch(batch: readonly Request[]): Promise<void> {
    const first = await sendBatch(batch);
    if (!first.hasChanged || first.refused.length === 0) return;
    const isMixed = first.refused.length < batch.length;
    const second = isMixed ? await sendBatch(first.refused) : first;
    if (!second.hasChanged) return;
    for (const request of second.refused) {
      const { refused, hasChanged } = await sendBatch([request]);
      if (hasChanged && refused.length > 0) throw new Error(`It changes a row: ${JSON.stringify(request)}`);
    }
    if (second.refused.length === first.refused.length) {
      throw new Error(`One of these changes a row: ${JSON.stringify(second.refused)}`);
    }
  }

  for (let sent = 0; sent < requests.length; sent += batchSize) {
    await checkBatch(requests.slice(sent, sent + batchSize)).catch((error: unknown) => {
      throw new Error(`FUZZ=${fuzzRuns} FUZZ_SEED=${fuzzSeed}: ${error}`, { cause: error });
    });
  }
}
