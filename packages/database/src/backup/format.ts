import { DatabaseError } from '../database-error.ts';
import type { Inventory } from './tables.ts';

/**
 * A backup is gzipped text: one line of header, then for each table of the header, in its order, the rows as
 * PostgreSQL's COPY writes them, one a line, and a line that no row can be.
 */
export const END_OF_ROWS = '\\.';

const MARK = 'escucho backup 1 ';

export function headerLine(stock: Inventory): string {
  return `${MARK}${JSON.stringify(stock)}\n`;
}

/** @throws DatabaseFault `backup-damaged` */
export function parseHeader(line: string): Inventory {
  if (!line.startsWith(MARK)) throw damaged('it does not begin as a backup does');
  try {
    return JSON.parse(line.slice(MARK.length));
  } catch (cause) {
    throw damaged('its first line is broken', cause);
  }
}

/** The lines of a text that comes in pieces. Only \n ends a line. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** The rows up to the end of a table, in pieces that suit COPY. @throws DatabaseFault `backup-damaged` */
export async function* rowsOf(lines: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  let piece = '';
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw damaged('it ends too early');
    if (value === END_OF_ROWS) break;
    piece += `${value}\n`;
    if (piece.length > 65_536) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

export function damaged(problem: string, cause?: unknown): DatabaseError {
  return new DatabaseError('backup-damaged', `The backup cannot be read: ${problem}.`, { cause });
}
