import { countLockWaiters } from '@escucho/database/testing';
import { expect } from 'vitest';
import type { Database } from '../database.ts';

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
