import { type QueryExecutorProvider, sql } from 'kysely';

/** Counts the transactions of a test's database that wait for a lock. */
export async function countLockWaiters(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
