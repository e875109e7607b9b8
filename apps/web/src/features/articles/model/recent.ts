const most = 8;

/** The terms looked for, newest first, each once whatever its case. In: those so far, and another. */
export function remembered(terms: readonly string[], term: string): string[] {
  const clean = term.trim();
  if (clean === '') return [...terms];
  const others = terms.filter((one) => one.toLowerCase() !== clean.toLowerCase());
  return [clean, ...others].slice(0, most);
}
