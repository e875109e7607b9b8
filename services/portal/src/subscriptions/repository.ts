import type { Database } from '../database.ts';
import type { Purchase } from './billing-client.ts';

/** What readers were granted. */
export function createSubscriptionRepository(db: Database) {
  return {
    /** Gives a reader a subscription without an end, once. In: the reader's id. */
    async grantPromotional(reader: string, now: Date): Promise<void> {
      await db
        .insertInto('subscription_grant')
        .values({ user_id: reader, store: 'promotional', created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Whether a reader of this id is known who did not come by an operator. */
    async isBillingCustomer(reader: string): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('id', '=', reader)
        .where('platform', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Writes down what a reader bought. `ask` is called while nobody else asks for the same reader, so that of two answers
     * the newer is written last. Throws what `ask` throws; then nothing has changed.
     */
    async replacePurchases(reader: string, now: Date, ask: () => Promise<Purchase[]>): Promise<void> {
      await db.transaction().execute(async (tx) => {
        // The reader's row first, as whoever erases them takes it: in another order the two would wait for each other.
        const known = await tx
          .selectFrom('users')
          .select('id')
          .where('id', '=', reader)
          .forKeyShare()
          .executeTakeFirst();
        if (!known) return;
        await tx
          .insertInto('subscription_sync')
          .values({ user_id: reader, synced_at: now })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ synced_at: now }))
          .execute();
        const purchases = await ask();
        await tx
          .deleteFrom('subscription_grant')
          .where('user_id', '=', reader)
          .where('product', 'is not', null)
          .execute();
        if (purchases.length === 0) return;
        const values = purchases.map(({ product, store, ...times }) => ({
          ...{ user_id: reader, product, store, created_at: now },
          expires_at: times.expiresAt,
          unsubscribe_detected_at: times.unsubscribeDetectedAt,
          billing_issue_detected_at: times.billingIssueDetectedAt,
        }));
        await tx.insertInto('subscription_grant').values(values).execute();
      });
    },
  };
}

export type SubscriptionRepository = ReturnType<typeof createSubscriptionRepository>;
