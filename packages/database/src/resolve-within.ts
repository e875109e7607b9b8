/** Returns what a promise resolves to, or the fallback where it rejects or takes longer than `ms`. */
export async function resolveWithin<Value>(
  ms: number,
  promise: Promise<Value>,
  fallback: Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  // Not the timer of `timers/promises`: aborting it creates an error, which takes most of the time of a short batch.
  const end = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, fallback);
  });
  try {
    return await Promise.race([promise, end]);
  } catch {
    return fallback;
  } finally {
    clearTimeout(timer);
  }
}
