import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../database.ts';

/** Counts the transactions of the test's database that wait for a lock. */
export async function countLockWaiters(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Sends requests that wait for the same user, in this order, and lets them continue at the same time. */
export async function sendTogether<Response>(
  db: Database,
  userId: string,
  requests: readonly (() => Promise<Response>)[],
): Promise<Response[]> {
  const responses: Promise<Response>[] = [];
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', userId).forUpdate().execute();
    for (const send of requests) {
      responses.push(send());
      await expect.poll(() => countLockWaiters(db)).toBe(responses.length);
    }
  });
  return Promise.all(responses);
}
