import type { Connection } from '@escucho/database';
import { watchRows } from '@escucho/database/testing';
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

/**
 * Creates a function that lists the rows that were changed since its last call, and resets counted attempts, which would
 * hide later errors. Refused requests may change some tables: they count attempts, or record that a challenge or code was used.
 */
export const watchIdentityRows = (connection: Connection) =>
  watchRows(connection, {
    schemas: ['identity'],
    ignoredTables: ['attempt_counter', 'rate_limit', 'used_handshake', 'verification_code'],
    reset: `
      delete from identity.attempt_counter;
      delete from identity.used_handshake;
      update identity.verification_code set failed_attempts = 0 where failed_attempts > 0`,
  });
