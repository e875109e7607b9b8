import { LRUCache } from 'lru-cache';

/** Returns options of an `LRUCache` whose values expire by a clock. */
export const expireByClock = (clock: () => Date) => ({
  // Without it the cache would read the clock only once a millisecond, by a timer of its own.
  ttlResolution: 0,
  perf: { now: () => clock().getTime() },
});

/** Returns whether a caller no longer waits for the result. */
export type IsAborted = () => boolean;

interface Entry<Value> {
  result: Promise<Value | undefined>;
  /** Of a result that is being computed. A cached one would keep the requests of all its callers in memory. */
  callers?: IsAborted[];
}

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
export function createCoalescingCache<Value>({ ttlMs, maxBytes, getLength, clock }: Options<Value>) {
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxBytes,
    ttl: ttlMs,
    ...expireByClock(clock),
  });

  const getSize = (key: string, length = 0) => ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + length);

  return (
    key: string,
    isAborted: IsAborted,
    compute: (isAborted: IsAborted) => Promise<Value | undefined>,
  ) => {
    const cached = entries.get(key);
    if (cached) {
      cached.callers?.push(isAborted);
      return cached.result;
    }
    const callers = [isAborted];
    const run = async () => {
      const value = await compute(() => callers.every((hasGone) => hasGone())).catch((error: unknown) => {
        remove();
        throw error;
      });
      if (value === undefined) remove();
      else if (entries.peek(key) === entry)
        entries.set(key, { result: entry.result }, { size: getSize(key, getLength(value)) });
      return value;
    };
    const entry = { result: run(), callers };
    const remove = () => entries.peek(key) === entry && entries.delete(key);
    entries.set(key, entry, { size: getSize(key) });
    return entry.result;
  };
}
