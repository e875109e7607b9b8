import { anonymizeAuditEvents } from '@escucho/audit';
import type { InferResult } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../database.ts';
import type { Subscriber } from './policy.ts';

const payer = z.object({ customer: z.string(), card: z.string() });
const payers = z.object({ sandbox: z.optional(payer), production: z.optional(payer) });

const selectSubscriber = (db: Database) =>
  db
    .selectFrom('subscriber')
    .select(['id', 'appUserId', 'email', 'payers', 'clockOffsetSeconds as clockOffset', 'firstSeenAt']);
type Row = InferResult<ReturnType<typeof selectSubscriber>>[number];

const toSubscriber = (row: Row): Subscriber => ({ ...row, payers: payers.parse(row.payers) });

/** Subscribers by app user id. */
export const subscriberRepository = {
  async find(db: Database, appUserId: string): Promise<Subscriber | undefined> {
    const row = await selectSubscriber(db).where('appUserId', '=', appUserId).executeTakeFirst();
    return row && toSubscriber(row);
  },

  async findById(db: Database, id: string): Promise<Subscriber | undefined> {
    const row = await selectSubscriber(db).where('id', '=', id).executeTakeFirst();
    return row && toSubscriber(row);
  },

  /** Locks the row for the rest of the transaction. Every change to a subscriber's data locks the subscriber first. */
  async lock(tx: Database, id: string): Promise<Subscriber> {
    const [subscriber] = await this.lockAll(tx, [id]);
    if (!subscriber) throw new Error(`Subscriber ${id} does not exist`);
    return subscriber;
  },

  /** Locks several rows, always in the order of their ids, so that transactions never wait for each other in a circle. */
  async lockAll(tx: Database, ids: readonly string[]): Promise<Subscriber[]> {
    const rows = await selectSubscriber(tx).where('id', 'in', ids).orderBy('id').forUpdate().execute();
    return rows.map(toSubscriber);
  },

  /** Finds a subscriber or creates one, and returns whether it was created. */
  async findOrCreate(db: Database, appUserId: string, now: Date) {
    const known = await this.find(db, appUserId);
    if (known) return { subscriber: known, isNew: false };
    const created = await db
      .insertInto('subscriber')
      .values({ appUserId, firstSeenAt: now })
      .onConflict((conflict) => conflict.column('appUserId').doNothing())
      .returning('id')
      .executeTakeFirst();
    const subscriber = await this.find(db, appUserId);
    if (!subscriber) throw new Error('The subscriber was deleted while it was created');
    return { subscriber, isNew: created !== undefined };
  },

  /** Clears everything personal, also in audit events; payments stay. */
  async anonymize(tx: Database, id: string, now: Date): Promise<void> {
    const subscriber = await this.findById(tx, id);
    if (subscriber?.appUserId) await anonymizeAuditEvents(tx, [subscriber.appUserId]);
    await tx
      .updateTable('checkout')
      .set({ customer: '', card: null })
      .where('subscriberId', '=', id)
      .execute();
    await tx
      .updateTable('checkout')
      .set({ status: 'failed', errorCode: 1 })
      .where('subscriberId', '=', id)
      .where('status', '=', 'started')
      .execute();
    await tx
      .updateTable('subscriber')
      .set({ appUserId: null, email: null, payers: '{}', deletedAt: now })
      .where('id', '=', id)
      .execute();
  },

  async update(
    tx: Database,
    id: string,
    { email, payers, clockOffset }: Partial<Pick<Subscriber, 'email' | 'payers' | 'clockOffset'>>,
  ): Promise<void> {
    await tx
      .updateTable('subscriber')
      .set({ email, clockOffsetSeconds: clockOffset, ...(payers && { payers: JSON.stringify(payers) }) })
      .where('id', '=', id)
      .execute();
  },
};
