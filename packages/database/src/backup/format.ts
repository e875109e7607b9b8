import { DatabaseError } from '../database-error.ts';
import type { Inventory } from './tables.ts';

/**
 * Ends the rows of a table. A backup is gzipped text: a header line, then for each table of the header the rows as
 * PostgreSQL's COPY writes them, one per line, and this line, which no row can equal.
 */
export const END_OF_ROWS = '\\.';

const MARK = 'escucho backup 1 ';

/** Returns the first line of a backup. */
export function formatHeader(inventory: Inventory): string {
  return `${MARK}${JSON.stringify(inventory)}\n`;
}

/** @throws DatabaseError `backup-damaged` */
export function parseHeader(line: string): Inventory {
  if (!line.startsWith(MARK)) throw createDamagedError('it does not begin as a backup does');
  try {
    return JSON.parse(line.slice(MARK.length));
  } catch (cause) {
    throw createDamagedError('its first line is broken', cause);
  }
}

/** Splits a text that arrives in chunks into lines. Only \n ends a line. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * Reads the rows of one table, in chunks of a size that suits COPY.
 *
 * @throws DatabaseError `backup-damaged`
 */
export async function* readRows(lines: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  let chunk = '';
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw createDamagedError('it ends too early');
    if (value === END_OF_ROWS) break;
    chunk += `${value}\n`;
    if (chunk.length > 65_536) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

export function createDamagedError(problem: string, cause?: unknown): DatabaseError {
  return new DatabaseError('backup-damaged', `The backup cannot be read: ${problem}.`, { cause });
}
