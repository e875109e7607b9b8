import { LRUCache } from 'lru-cache';

/** Returns options of an `LRUCache` whose values expire by a clock. */
export const expireByClock = (clock: () => Date) => ({
  // Without it the cache would read the clock only once a millisecond, by a timer of its own.
  ttlResolution: 0,
  perf: { now: () => clock().getTime() },
});

/** Returns whether a caller no longer waits for the result. */
export type IsAborted = () => boolean;

/** What an entry occupies in addition to its texts: many small ones, such as searches without a result, must not fill the memory. */
const ENTRY_BYTES = 1000;
/** Of a text that has characters outside Latin-1, such as typographic quotation marks. */
const BYTES_PER_CHARACTER = 2;

interface Options<Value> {
  /** How long a result is served again. */
  ttlMs: number;
  /** What all entries may occupy. */
  maxBytes: number;
  /** Returns how many characters a value has. */
  getLength: (value: Value) => number;
  clock: () => Date;
}

/**
 * Creates a cache that computes each value once for all callers that request it at the same time or soon after.
 * A computation is aborted only when all its callers have gone; failed and aborted computations are not cached.
 *
 * @returns a function that takes the key, the caller's state, and the computation, which resolves to undefined when aborted
 */
export function createCoalescingCache<Value extends {}>({
  ttlMs,
  maxBytes,
  getLength,
  clock,
}: Options<Value>) {
  const values = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + getLength(value)),
    ttl: ttlMs,
    ...expireByClock(clock),
  });
  const pending = new Map<string, { callers: IsAborted[]; result: Promise<Value | undefined> }>();

  return (
    key: string,
    isAborted: IsAborted,
    compute: (isAborted: IsAborted) => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    const cached = values.get(key);
    if (cached !== undefined) return Promise.resolve(cached);
    const current = pending.get(key);
    if (current) {
      current.callers.push(isAborted);
      return current.result;
    }
    const callers = [isAborted];
    const result = compute(() => callers.every((hasGone) => hasGone()))
      .then((value) => {
        if (value !== undefined) values.set(key, value);
        return value;
      })
      .finally(() => pending.delete(key));
    pending.set(key, { callers, result });
    return result;
  };
}
