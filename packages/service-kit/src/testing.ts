import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RateLimit } from '@escucho/contracts';
import fc from 'fast-check';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { afterAll, expect, inject, it } from 'vitest';
import { createRateLimiter, type RateLimiterOptions } from './rate-limits/limiter.ts';

declare module 'vitest' {
  interface ProvidedContext {
    fuzz: number;
    fuzzSeed: number;
    /** Which of how many shards of the operations are tested. */
    fuzzShard: [index: number, count: number];
  }
  interface TaskMeta {
    heapGrowthMb?: number;
  }
}

/** How many random requests each operation is sent, and how long a test may take for them. */
export const fuzzRuns = inject('fuzz');
export const FUZZ_TIMEOUT_MS = 60_000 + fuzzRuns * 500;
const fuzzSeed = inject('fuzzSeed');
/** Whether the run is the benchmark of random requests, and not one of all tests. */
export const isFuzzRun = fuzzRuns > 40;

const WINDOW_MS = 1000;

/** Returns the operations of this process's shard of a run. */
export function selectShard<Operation>(operations: readonly Operation[]): Operation[] {
  const [index, count] = inject('fuzzShard');
  return operations.filter((_, position) => position % count === index - 1);
}

/** Lifts the rate limits of this process until the test file ends: its attempts are not counted. */
export function liftRateLimits(): void {
  const nothingConsumed = new RateLimiterRes(1, WINDOW_MS, 0, true);
  const { consume, get } = RateLimiterPostgres.prototype;
  // Not spies, which would store every call.
  Object.assign(RateLimiterPostgres.prototype, {
    consume: async () => nothingConsumed,
    get: async () => null,
  });
  afterAll(() => {
    Object.assign(RateLimiterPostgres.prototype, { consume, get });
  });
}

/** Creates a function that uses a rate limit up as another process does, except for some attempts. */
export function createRateLimitConsumer(options: RateLimiterOptions) {
  const limiter = createRateLimiter(options);
  afterAll(() => limiter.close());
  return async (limit: RateLimit, subject: string, { except = 0 } = {}): Promise<void> => {
    const consume = () => limiter.consume(limit, subject);
    let quota = await consume();
    while (quota && quota.remaining > except) quota = await consume();
  };
}

export interface HostileRequests<Request> {
  requests: readonly Request[];
  /** Sends a request, and throws where the response is a server error. Returns whether the request was refused. */
  send: (request: Request) => Promise<boolean>;
  /** Returns the rows that were changed since the last call, and that a refused request must not change. */
  listChanges: () => Promise<readonly string[]>;
  /** How many requests are sent at once. */
  batchSize?: number;
}

/**
 * Any text, with lone surrogates. fast-check's own unit `binary` makes a table of all characters, which takes seconds and
 * a hundred megabytes.
 */
export const arbitraryText = fc.string({
  unit: fc.oneof(fc.nat(0x7f), fc.nat(0x10ffff)).map((codePoint) => String.fromCodePoint(codePoint)),
});

/** Returns random requests: the same ones in a run with the same `FUZZ` and `FUZZ_SEED`. */
export const sampleRequests = <Request>(arbitrary: fc.Arbitrary<Request>, count = fuzzRuns) =>
  fc.sample(arbitrary, { seed: fuzzSeed, numRuns: count });

/**
 * Sends requests in concurrent batches, and checks that none is a server error and that the refused ones change no row.
 * Where rows were changed in a batch, its refused requests are sent again, first without the accepted ones and then one by
 * one, which names the request that changes a row.
 * @throws with the seed of the run, the request and the changed rows
 */
export async function sendHostileRequests<Request>({
  requests,
  send,
  listChanges,
  batchSize = 32,
}: HostileRequests<Request>): Promise<void> {
  await listChanges();

  /** Returns the requests that were refused, and the rows that were changed. */
  async function sendBatch(batch: readonly Request[]) {
    const wasRefused = await Promise.all(batch.map(send));
    return { refused: batch.filter((_, index) => wasRefused[index]), changes: await listChanges() };
  }

  async function checkBatch(batch: readonly Request[]): Promise<void> {
    const first = await sendBatch(batch);
    if (first.changes.length === 0 || first.refused.length === 0) return;
    const isMixed = first.refused.length < batch.length;
    const second = isMixed ? await sendBatch(first.refused) : first;
    if (second.changes.length === 0) return;
    for (const request of second.refused) {
      const { refused, changes } = await sendBatch([request]);
      if (changes.length > 0 && refused.length > 0) {
        throw new Error(`It changes a row: ${JSON.stringify(request)}, ${changes[0]}`);
      }
    }
    if (second.refused.length === first.refused.length) {
      throw new Error(`One of these changes a row: ${JSON.stringify(second.refused)}, ${second.changes[0]}`);
    }
  }

  for (let sent = 0; sent < requests.length; sent += batchSize) {
    await checkBatch(requests.slice(sent, sent + batchSize)).catch((error: unknown) => {
      throw new Error(`FUZZ=${fuzzRuns} FUZZ_SEED=${fuzzSeed}: ${error}`, { cause: error });
    });
  }
}

/** Creates the functions that compare the heap of a test file over the random requests to its operations. */
export function trackHeap() {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const heap: number[] = [];
  return {
    /** Measures the heap without garbage, in a run of the benchmark. */
    measureHeap(): void {
      if (!isFuzzRun) return;
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed);
    },
    /** Declares the test that the heap has not grown since the first third of the operations, which fills caches. */
    testHeap(): void {
      it.runIf(isFuzzRun)('[API-03] random requests do not fill the memory', ({ task }) => {
        const [start = 0, end = 0] = [heap[Math.floor(heap.length / 3)], heap.at(-1)];
        task.meta.heapGrowthMb = (end - start) / 1e6;
        expect(task.meta.heapGrowthMb).toBeLessThan(50);
      });
    },
  };
}
