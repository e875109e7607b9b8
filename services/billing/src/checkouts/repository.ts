import type { Selectable } from 'kysely';
import type { CheckoutStatus, Database, Tables } from '../database.ts';
import { type Terms, terms } from '../subscriptions/events.ts';

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
  /** When the payment began. */
  orderedAt: Date | null;
  lockedUntil: Date | null;
}

type Changes = Partial<Pick<Checkout, 'status' | 'errorCode' | 'card' | 'orderedAt' | 'lockedUntil'>>;

const toCheckout = (row: Selectable<Tables['checkout']>): Checkout => ({
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
  lockedUntil: row.locked_until,
});

const selectCheckout = (db: Database) => db.selectFrom('checkout').selectAll();

/** Checkouts by their session id. */
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
    const row = await selectCheckout(db).where('id', '=', id).executeTakeFirst();
    return row && toCheckout(row);
  },

  async findBySetup(db: Database, setup: string): Promise<Checkout | undefined> {
    const row = await selectCheckout(db).where('setup', '=', setup).executeTakeFirst();
    return row && toCheckout(row);
  },

  /** Locks the row for the rest of the transaction. */
  async lock(tx: Database, id: string): Promise<Checkout> {
    return toCheckout(await selectCheckout(tx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow());
  },

  async update(tx: Database, id: string, changes: Changes): Promise<void> {
    const { status, errorCode, card, orderedAt, lockedUntil } = changes;
    await tx
      .updateTable('checkout')
      .set({ status, error_code: errorCode, card, ordered_at: orderedAt, locked_until: lockedUntil })
      .where('id', '=', id)
      .execute();
  },

  /** Returns the customers that gateways created for the subscriber's checkouts. */
  async findCustomers(db: Database, subscriber: string): Promise<{ customer: string; isSandbox: boolean }[]> {
    return db
      .selectFrom('checkout')
      .select(['customer', 'is_sandbox as isSandbox'])
      .distinct()
      .where('subscriber_id', '=', subscriber)
      .where('customer', '!=', '')
      .execute();
  },

  /** Whether another checkout of the subscriber is being paid now. */
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
};
