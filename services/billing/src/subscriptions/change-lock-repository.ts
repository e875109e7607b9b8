import type { Database } from '../database.ts';
import { jobQueue, syncSubscription } from '../jobs.ts';

const toJobKey = (id: string) => `change:${id}`;

/** Locks of subscriptions whose owner changes them at the gateway. They outlive a connection and expire. */
export const changeLockRepository = {
  /**
   * Locks a subscription until a moment, when a job records what the gateway did unless the change is complete by then.
   * Returns false where another request has it.
   */
  lock: (db: Database, id: string, { now, until }: { now: Date; until: Date }): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('subscription')
        .set({ locked_until: until })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<=', now)]))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const delayMs = until.getTime() - now.getTime();
      await jobQueue.enqueue(tx, syncSubscription, { id }, { key: toJobKey(id), delayMs });
      return true;
    }),

  /** Completes a change, in the transaction that records it. */
  complete: (tx: Database, id: string): Promise<void> => jobQueue.cancel(tx, toJobKey(id)),

  /** Returns whether a request has a subscription now. */
  async isLocked(db: Database, id: string, now: Date): Promise<boolean> {
    const row = await db
      .selectFrom('subscription')
      .select('id')
      .where('id', '=', id)
      .where('locked_until', '>', now)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Unlocks a subscription, unless the lock has expired and another request has it. */
  async unlock(db: Database, id: string, until: Date): Promise<void> {
    await db
      .updateTable('subscription')
      .set({ locked_until: null })
      .where('id', '=', id)
      .where('locked_until', '=', until)
      .execute();
  },
};
