/** Makes something when it is first asked for, and hands out the same ever after. */
export function memoize<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
