import { createTestDatabase } from '@escucho/database/testing';
import { loggerOptions } from '@escucho/service-kit';
import { afterAll } from 'vitest';
import { open } from '../database.ts';
import { startPool } from './pool.ts';

/**
 * What a test file begins with: a database of its own, a provider over it, and its tables to look at; they end with the
 * file. In: the provider's options.
 */
export async function testPool(options: Parameters<typeof startPool>[1] = {}) {
  const connection = await createTestDatabase();
  const pool = await startPool(connection, options);
  const db = open(connection, 'test', 2);
  afterAll(async () => {
    await pool.app.close();
    await db.destroy();
  });
  return { connection, pool, db };
}

/** A log that misses nothing, as the lines that were written to it, and the option that has it kept. */
export function testLog() {
  const log: string[] = [];
  const stream = { write: (line: string) => log.push(line) };
  return { log, logger: { ...loggerOptions('trace'), stream } };
}
