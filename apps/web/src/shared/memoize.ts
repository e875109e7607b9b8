/** Returns a function that creates a value on its first call and returns the same value afterwards. */
export function memoize<Value>(create: () => Value): () => Value {
  let cached: { value: Value } | null = null;
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}
