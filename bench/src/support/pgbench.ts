import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from '@escucho/database';
import type { Recording, Statement } from './ceilings.ts';

/** Converts a value as the driver does, which sends texts. */
function toText(value: unknown): string {
  if (Array.isArray(value))
    return `{${value.map((item) => (item === null ? 'null' : JSON.stringify(toText(item)))).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toLiteral(value: unknown, newId: string | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (value === newId) return 'gen_random_uuid()';
  if (Array.isArray(value) && newId !== undefined && value.includes(newId))
    return `array[${value.map((item) => toLiteral(item, newId)).join(',')}]`;
  // Pgbench reads a colon as the start of a variable, in literals too.
  return `E'${toText(value).replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`;
}

/** Writes the values of a statement into its text, because pgbench has no parameters of other types than numbers. */
const toScript = ({ text, values }: Statement, newId: string | undefined): string =>
  text.replaceAll(/\$(\d+)/g, (_, number: string) => toLiteral(values[Number(number) - 1], newId));

/**
 * Runs recorded statements by pgbench, as prepared statements; each recording is a transaction.
 *
 * @returns the number of transactions
 */
export async function runPgbench(
  { host, port, user, database }: Connection,
  recordings: readonly Recording[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'escucho-pgbench-'));
  try {
    const script = join(directory, 'script.sql');
    // Each connection has a recording of its own, so that they do not wait for each other's locks.
    const branches = recordings.map(({ statements, newId }, index) => [
      `\\if :client_id % ${recordings.length} = ${index}`,
      ...statements.map((statement) => `${toScript(statement, newId)};`),
      '\\endif',
    ]);
    writeFileSync(script, branches.flat().join('\n'));
    const { stdout } = await promisify(execFile)(
      '/usr/lib/postgresql/15/bin/pgbench',
      [
        ...['-h', host, '-p', String(port), '-U', user, '-n', '-M', 'prepared'],
        ...['-c', String(connections), '-T', String(seconds)],
        ...['-f', script, database],
      ],
      { env: { ...process.env, PGOPTIONS: '-c search_path=portal,public' } },
    );
    const count = /number of transactions actually processed: (\d+)/.exec(stdout)?.[1];
    if (count === undefined) throw new Error(stdout);
    return Number(count);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
