import { loggerOptions } from '@escucho/service-kit';

const LINES_PER_SEARCH = 1000;

/** Creates a log of every line that is searched for secrets and not stored: random requests write millions of lines. */
export function createSearchedLog() {
  const secrets: string[] = [];
  const found = new Set<string>();
  let lines: string[] = [];
  let count = 0;

  function search(): void {
    const text = lines.join('');
    lines = [];
    for (const secret of secrets) if (text.includes(secret)) found.add(secret);
  }

  const stream = {
    write(line: string) {
      count += 1;
      lines.push(line);
      if (lines.length >= LINES_PER_SEARCH) search();
    },
  };
  return {
    logger: { ...loggerOptions('trace'), stream },
    /** Adds texts that no line may contain. */
    addSecrets: (texts: readonly string[]) => secrets.push(...texts),
    countLines: () => count,
    /** Returns the secrets that lines contain. */
    findSecrets(): string[] {
      search();
      return [...found];
    },
  };
}
