import { LRUCache } from 'lru-cache';

/** Returns whether a caller no longer waits for the result. */
export type IsAborted = () => boolean;

interface Entry<Value> {
  result: Promise<Value | undefined>;
  callers: IsAborted[];
}

interface Options<Value> {
  /** How long a result is served again. */
  ttlMs: number;
  /** The sum of the sizes of all results, in the unit of `getSize`. */
  maxSize: number;
  getSize: (value: Value) => number;
  clock: () => Date;
}

/**
 * Creates a cache that computes each value once for all callers that request it at the same time or soon after.
 * A computation is aborted only when all its callers have gone; failed and aborted computations are not cached.
 *
 * @returns a function that takes the key, the caller's state, and the computation, which resolves to undefined when aborted
 */
export function createCoalescingCache<Value>({ ttlMs, maxSize, getSize, clock }: Options<Value>) {
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize,
    ttl: ttlMs,
    // Without it the cache would read the clock only once a millisecond, by a timer of its own.
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

  return (
    key: string,
    isAborted: IsAborted,
    compute: (isAborted: IsAborted) => Promise<Value | undefined>,
  ) => {
    const cached = entries.get(key);
    if (cached) {
      cached.callers.push(isAborted);
      return cached.result;
    }
    const callers = [isAborted];
    const run = async () => {
      const value = await compute(() => callers.every((hasGone) => hasGone())).catch((error: unknown) => {
        remove();
        throw error;
      });
      // Release the callers' requests: nothing asks for their state after this.
      callers.length = 0;
      if (value === undefined) remove();
      else if (entries.peek(key) === entry) entries.set(key, { ...entry }, { size: getSize(value) });
      return value;
    };
    const entry = { result: run(), callers };
    const remove = () => entries.peek(key) === entry && entries.delete(key);
    entries.set(key, entry, { size: 1 });
    return entry.result;
  };
}
