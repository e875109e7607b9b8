import type { Database } from '../database.ts';

/** Locks of subscriptions whose owner changes them at the gateway. They outlive a connection and expire. */
export const changeLockRepository = {
  /** Locks a subscription until a moment. Returns false where another request has it. */
  async lock(db: Database, id: string, { now, until }: { now: Date; until: Date }): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('subscription')
      .set({ locked_until: until })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<=', now)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

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
