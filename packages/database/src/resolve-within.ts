import { setTimeout as delay } from 'node:timers/promises';

/** Returns what a promise resolves to, or the fallback where it rejects or takes longer than `ms`. */
export async function resolveWithin<Value>(
  ms: number,
  promise: Promise<Value>,
  fallback: Value,
): Promise<Value> {
  const end = new AbortController();
  try {
    return await Promise.race([promise, delay(ms, fallback, { signal: end.signal })]);
  } catch {
    return fallback;
  } finally {
    end.abort();
  }
}
