import type { Database } from '../database.ts';

/** What readers were granted. */
export function subscriptionRepository(db: Database) {
  return {
    /** Gives a reader a subscription without an end, once. In: the reader's id. */
    async give(reader: string, now: Date): Promise<void> {
      await db
        .insertInto('subscription_grant')
        .values({ user_id: reader, store: 'promotional', created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
