import type { Selectable } from 'kysely';
import type { CheckoutStatus, Database, Tables } from '../database.ts';
import { type Terms, terms } from '../subscriptions/events.ts';

/** A purchase on its way. */
export interface Checkout {
  id: string;
  subscriberId: string;
  terms: Terms;
  offering: string;
  isSandbox: boolean;
  status: CheckoutStatus;
  errorCode: number | null;
  customer: string;
  setup: string;
  card: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** Since when its card is there and it is being paid. */
  orderedAt: Date | null;
  leasedUntil: Date | null;
}

type Changes = Partial<Pick<Checkout, 'status' | 'errorCode' | 'card' | 'orderedAt' | 'leasedUntil'>>;

const checkoutOf = (row: Selectable<Tables['checkout']>): Checkout => ({
  id: row.id,
  subscriberId: row.subscriber_id,
  terms: terms.parse(row.terms),
  offering: row.offering,
  isSandbox: row.is_sandbox,
  status: row.status,
  errorCode: row.error_code,
  customer: row.customer,
  setup: row.setup,
  card: row.card,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  orderedAt: row.ordered_at,
  leasedUntil: row.leased_until,
});

/** Checkouts by their session id; every call takes the database or the transaction it is part of. */
export const checkoutRepository = {
  async insert(db: Database, checkout: Omit<Checkout, 'status' | keyof Changes>): Promise<void> {
    await db
      .insertInto('checkout')
      .values({
        id: checkout.id,
        subscriber_id: checkout.subscriberId,
        terms: JSON.stringify(checkout.terms),
        offering: checkout.offering,
        is_sandbox: checkout.isSandbox,
        status: 'started',
        customer: checkout.customer,
        setup: checkout.setup,
        created_at: checkout.createdAt,
        expires_at: checkout.expiresAt,
      })
      .execute();
  },

  async find(db: Database, id: string): Promise<Checkout | undefined> {
    const row = await db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirst();
    return row && checkoutOf(row);
  },

  async findBySetup(db: Database, setup: string): Promise<Checkout | undefined> {
    const row = await db.selectFrom('checkout').selectAll().where('setup', '=', setup).executeTakeFirst();
    return row && checkoutOf(row);
  },

  /** LockedSubscription for this transaction. */
  async lock(tx: Database, id: string): Promise<Checkout> {
    const row = await tx
      .selectFrom('checkout')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return checkoutOf(row);
  },

  async change(tx: Database, id: string, changes: Changes): Promise<void> {
    const { status, errorCode, card, orderedAt, leasedUntil } = changes;
    await tx
      .updateTable('checkout')
      .set({ status, error_code: errorCode, card, ordered_at: orderedAt, leased_until: leasedUntil })
      .where('id', '=', id)
      .execute();
  },

  /** Whom gateways know the subscriber as, by what was begun to be paidPeriod. */
  async findCustomers(db: Database, subscriber: string): Promise<{ customer: string; isSandbox: boolean }[]> {
    return db
      .selectFrom('checkout')
      .select(['customer', 'is_sandbox as isSandbox'])
      .distinct()
      .where('subscriber_id', '=', subscriber)
      .where('customer', '!=', '')
      .execute();
  },

  /** Whether one of the subscriber's purchases is being paid right now, not counting the one named. */
  async hasPaymentInProgress(tx: Database, subscriber: string, except = ''): Promise<boolean> {
    const row = await tx
      .selectFrom('checkout')
      .select('id')
      .where('subscriber_id', '=', subscriber)
      .where('status', '=', 'in_progress')
      .where('id', '!=', except)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Purchases that were being paid when their process went away. */
  async findAbandoned(db: Database, now: Date, limit: number): Promise<string[]> {
    const rows = await db
      .selectFrom('checkout')
      .select('id')
      .where('status', '=', 'in_progress')
      .where('leased_until', '<=', now)
      .orderBy('leased_until')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  },
};
