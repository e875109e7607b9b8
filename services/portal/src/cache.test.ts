import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createCoalescingCache } from './cache.ts';
import { createTestClock } from './testing/fakes/clock.ts';

const isWaiting = () => false;
const hasGone = () => true;

/** Creates a cache of two entries whose computation returns how often it has run. */
function createCounter() {
  const clock = createTestClock();
  const cache = createCoalescingCache<number>({
    ttlMs: 5000,
    maxBytes: 4000,
    getLength: () => 400,
    clock: clock.now,
  });
  let runs = 0;
  const compute = async (isAborted: () => boolean) => {
    await Promise.resolve();
    if (isAborted()) return undefined;
    runs += 1;
    return runs;
  };
  const request = (key: string, isAborted = isWaiting) => cache(key, isAborted, compute);
  return { request, clock, cache };
}

describe('the coalescing cache', () => {
  it('[CAT-03] computes once for concurrent requests, and again after the lifetime', async () => {
    const { request, clock } = createCounter();
    expect(await Promise.all([request('a'), request('a'), request('b')])).toEqual([1, 1, 2]);
    clock.advance(4);
    expect(await request('a')).toBe(1);
    clock.advance(2);
    expect(await request('a')).toBe(3);
  });

  it('[CAT-03] aborts only when all callers have gone, and then computes again', async () => {
    const { request } = createCounter();
    expect(await Promise.all([request('a', hasGone), request('a')])).toEqual([1, 1]);
    expect(await Promise.all([request('b', hasGone), request('b', hasGone)])).toEqual([undefined, undefined]);
    expect(await request('b')).toBe(2);
  });

  it('[CAT-03] does not cache a failure', async () => {
    const { request, cache } = createCounter();
    const failing = cache('a', isWaiting, () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await request('a')).toBe(1);
  });

  it('[CAT-03] evicts entries with long keys, and many small ones, too', async () => {
    const { request } = createCounter();
    await request('a');
    await request('b'.repeat(1000));
    expect(await request('a')).toBe(3);
    for (const key of ['c', 'd']) await request(key, hasGone);
    expect(await request('a')).toBe(3);
  });

  it('[CAT-03] keeps no caller of a cached result', async () => {
    const { request } = createCounter();
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const createCaller = () => new WeakRef(() => false);
    const callers = [createCaller(), createCaller()];
    for (const caller of callers) await request('a', caller.deref());
    // A WeakRef keeps its target until the next task.
    await new Promise(setImmediate);
    collectGarbage();
    expect(callers.map((caller) => caller.deref())).toEqual([undefined, undefined]);
  });

  it('[CAT-03] evicts the least recently used entry', async () => {
    const { request } = createCounter();
    for (const key of ['a', 'b', 'c']) await request(key);
    expect(await request('a')).toBe(4);
  });
});
