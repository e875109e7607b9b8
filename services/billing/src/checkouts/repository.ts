import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { type Terms, terms } from '../subscriptions/events.ts';

type Row = Selectable<Tables['checkout']>;

export interface Checkout extends Omit<Row, 'terms'> {
  terms: Terms;
}

type Changes = Partial<Pick<Checkout, 'status' | 'errorCode' | 'card' | 'orderedAt' | 'lockedUntil'>>;

const toCheckout = (row: Row): Checkout => ({ ...row, terms: terms.parse(row.terms) });

const selectCheckout = (db: Database) => db.selectFrom('checkout').selectAll();

/** Checkouts by their session id. */
export const checkoutRepository = {
  async insert(db: Database, checkout: Omit<Checkout, keyof Changes>): Promise<void> {
    const values = { ...checkout, terms: JSON.stringify(checkout.terms), status: 'started' } as const;
    await db.insertInto('checkout').values(values).execute();
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
    await tx.updateTable('checkout').set(changes).where('id', '=', id).execute();
  },

  /** Returns the customers that gateways created for the subscriber's checkouts. */
  async findCustomers(db: Database, subscriber: string): Promise<{ customer: string; isSandbox: boolean }[]> {
    return db
      .selectFrom('checkout')
      .select(['customer', 'isSandbox'])
      .distinct()
      .where('subscriberId', '=', subscriber)
      .where('customer', '!=', '')
      .execute();
  },

  /** Whether another checkout of the subscriber is being paid now. */
  async hasPaymentInProgress(tx: Database, subscriber: string, except = ''): Promise<boolean> {
    const row = await tx
      .selectFrom('checkout')
      .select('id')
      .where('subscriberId', '=', subscriber)
      .where('status', '=', 'in_progress')
      .where('id', '!=', except)
      .executeTakeFirst();
    return row !== undefined;
  },
};
