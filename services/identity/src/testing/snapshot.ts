import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';

/** Tables that refused requests may change: they count attempts, or record that a challenge or code was used. */
const attemptTables = ['attempt_counter', 'rate_limit', 'used_handshake', 'verification_code'];

/**
 * Creates a function that returns a hash of the rows of every table, and then resets counted attempts, which would hide
 * later errors.
 * @param filters conditions on the rows of a table by its name
 */
export async function createSnapshot(db: Database, filters: Record<string, RawBuilder<unknown>> = {}) {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db);
  const tables = rows.map(({ name }) => name).filter((name) => !attemptTables.includes(name));
  const contents = tables.map((name) => {
    const where = filters[name] ?? sql`true`;
    return sql`(select string_agg(t::text, ';' order by t::text) from ${sql.table(name)} t where ${where})`;
  });
  return async function takeSnapshot(): Promise<string> {
    const snapshot = await sql<{ hash: string }>`
      with counters as (delete from attempt_counter), handshakes as (delete from used_handshake),
        codes as (update verification_code set failed_attempts = 0 where failed_attempts > 0)
      select md5(concat_ws('|', ${sql.join(contents)})) as hash`.execute(db);
    return snapshot.rows[0]?.hash ?? '';
  };
}
