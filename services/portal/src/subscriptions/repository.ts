import type { Database } from '../database.ts';
import type { Purchase } from './billing-client.ts';

/** Grants of subscriptions, by user. */
export function createSubscriptionRepository(db: Database) {
  return {
    /** Grants a subscription without an end, once. It is demo mode's, so it counts in the sandbox only. */
    async grantPromotional(userId: string, now: Date): Promise<void> {
      await db
        .insertInto('subscription_grant')
        .values({ user_id: userId, store: 'promotional', is_sandbox: true, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Returns whether the id belongs to a user who buys from us and not from an operator. */
    async isBillingCustomer(userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .where('platform', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Replaces a user's purchases by those that `fetchPurchases` returns. Concurrent calls for a user run one after
     * another, so that the latest response is stored last. Nothing changes when `fetchPurchases` throws.
     */
    async replacePurchases(
      userId: string,
      now: Date,
      fetchPurchases: () => Promise<Purchase[]>,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        // Locks the user first, as account deletion does: another order could deadlock.
        const user = await tx
          .selectFrom('users')
          .select('id')
          .where('id', '=', userId)
          .forKeyShare()
          .executeTakeFirst();
        if (!user) return;
        await tx
          .insertInto('subscription_sync')
          .values({ user_id: userId, synced_at: now })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ synced_at: now }))
          .execute();
        const purchases = await fetchPurchases();
        await tx
          .deleteFrom('subscription_grant')
          .where('user_id', '=', userId)
          .where('product', 'is not', null)
          .execute();
        if (purchases.length === 0) return;
        const values = purchases.map(({ product, store, isSandbox, ...times }) => ({
          user_id: userId,
          product,
          store,
          created_at: now,
          expires_at: times.expiresAt,
          unsubscribe_detected_at: times.unsubscribeDetectedAt,
          billing_issue_detected_at: times.billingIssueDetectedAt,
          is_sandbox: isSandbox,
        }));
        await tx.insertInto('subscription_grant').values(values).execute();
      });
    },
  };
}

export type SubscriptionRepository = ReturnType<typeof createSubscriptionRepository>;
