import { countLockWaiters } from '@escucho/database/testing';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../database.ts';

/**
 * Sends a request that inserts a user, and deletes the user between that and the request's next query.
 *
 * @returns the response
 */
export async function deleteUserAfterInsert<Response>(
  db: Database,
  subject: string,
  sendRequest: () => PromiseLike<Response>,
): Promise<Response> {
  const pending = await db.transaction().execute(async (tx) => {
    const now = new Date();
    await tx.insertInto('users').values({ subject, created_at: now, updated_at: now }).execute();
    const response = sendRequest();
    // The request waits for this transaction, the deletion for both, and the next query for the deletion.
    await expect.poll(() => countLockWaiters(db)).toBe(1);
    const deletion = db.transaction().execute(async (other) => {
      await sql`lock table users`.execute(other);
      await other.deleteFrom('users').where('subject', '=', subject).execute();
    });
    await expect.poll(() => countLockWaiters(db)).toBe(2);
    return { response, deletion };
  });
  await pending.deletion;
  return pending.response;
}
