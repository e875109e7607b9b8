import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { jobQueue, syncSubscription } from '../jobs.ts';
import { type Subscription, type SubscriptionEvent, subscription, subscriptionEvent } from './events.ts';

export interface StoredSubscription {
  id: string;
  subscriberId: string;
  version: number;
  state: Subscription;
}

export type SubscriptionRef = Pick<StoredSubscription, 'id' | 'subscriberId'>;

const selectSubscription = (db: Database) =>
  db.selectFrom('subscription').select(['id', 'subscriberId', 'version', 'state']);

const toStoredSubscription = <Row extends { state: object }>(row: Row) => ({
  ...row,
  state: subscription.parse(row.state),
});

const toEvent = ({ data }: { data: object }): SubscriptionEvent => subscriptionEvent.parse(data);

/** Subscriptions and their events. */
export const subscriptionRepository = {
  async findBySubscriber(db: Database, subscriberId: string): Promise<StoredSubscription[]> {
    const rows = await selectSubscription(db).where('subscriberId', '=', subscriberId).execute();
    return rows.map(toStoredSubscription);
  },

  async find(db: Database, id: string): Promise<StoredSubscription | undefined> {
    const row = await selectSubscription(db).where('id', '=', id).executeTakeFirst();
    return row && toStoredSubscription(row);
  },

  /** Locks the rows for the rest of the transaction, in the order of their ids. */
  async lockAll(tx: Database, ids: readonly string[]): Promise<StoredSubscription[]> {
    const rows = await selectSubscription(tx).where('id', 'in', ids).orderBy('id').forUpdate().execute();
    return rows.map(toStoredSubscription);
  },

  /** Returns all events of a subscription in order. */
  async findEvents(db: Database, id: string): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('subscription_event')
      .select('data')
      .where('subscriptionId', '=', id)
      .orderBy('sequence')
      .execute();
    return rows.map(toEvent);
  },

  /** Returns the next subscriptions after an id, in the order of ids, each with all its events. */
  async findBatch(db: Database, after: string, limit: number) {
    const rows = await db
      .selectFrom('subscription as s')
      .innerJoin('subscriber', 'subscriber.id', 's.subscriberId')
      .select((eb) => [
        's.id',
        's.subscriberId',
        's.version',
        's.state',
        's.dueAt',
        'subscriber.clockOffsetSeconds as clockOffset',
        jsonArrayFrom(
          eb
            .selectFrom('subscription_event as e')
            .select('e.data')
            .whereRef('e.subscriptionId', '=', 's.id')
            .orderBy('e.sequence'),
        ).as('events'),
      ])
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...toStoredSubscription(row), events: row.events.map(toEvent) }));
  },

  /** Returns the payments and refunds of a subscriber, newest first; those of the sandbox only where it is accepted. */
  async findPayments(
    db: Database,
    subscriberId: string,
    { acceptsSandbox, limit }: { acceptsSandbox: boolean; limit: number },
  ): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('subscription_event as e')
      .innerJoin('subscription', 'subscription.id', 'e.subscriptionId')
      .select('e.data')
      .where('subscription.subscriberId', '=', subscriberId)
      .where('e.kind', 'in', ['paid', 'refunded'])
      .$if(!acceptsSandbox, (query) =>
        query.where(sql<boolean>`subscription.state ->> 'isSandbox' is distinct from 'true'`),
      )
      .orderBy('e.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toEvent);
  },

  async findByGatewaySubscription(
    db: Database,
    gatewaySubscription: string,
  ): Promise<SubscriptionRef | undefined> {
    return db
      .selectFrom('subscription')
      .select(['id', 'subscriberId'])
      .where(sql<string>`state ->> 'gatewaySubscription'`, '=', gatewaySubscription)
      .executeTakeFirst();
  },

  /** Returns the subscription of a charge, with the events about that charge. */
  async findCharge(
    db: Database,
    key: string,
  ): Promise<(SubscriptionRef & { events: SubscriptionEvent[] }) | undefined> {
    const rows = await db
      .selectFrom('subscription_event')
      .innerJoin('subscription', 'subscription.id', 'subscription_event.subscriptionId')
      .select(['subscriptionId', 'subscriberId', 'data'])
      .where(sql<string>`data ->> 'key'`, '=', key)
      .where(sql<boolean>`data ? 'key'`)
      .orderBy('sequence')
      .execute();
    const [first] = rows;
    return first && { id: first.subscriptionId, subscriberId: first.subscriberId, events: rows.map(toEvent) };
  },

  /** Returns the subscription and the charge key of a payment, by the gateway's id of the payment. */
  async findPayment(
    db: Database,
    reference: string,
  ): Promise<(SubscriptionRef & { key: string }) | undefined> {
    return db
      .selectFrom('subscription_event')
      .innerJoin('subscription', 'subscription.id', 'subscription_event.subscriptionId')
      .select(['subscriptionId as id', 'subscriberId', sql<string>`data ->> 'key'`.as('key')])
      .where('kind', '=', sql.lit('paid'))
      .where(sql<string>`data ->> 'reference'`, '=', reference)
      .executeTakeFirst();
  },
};

const toChangeJobKey = (id: string) => `change:${id}`;

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
        .set({ lockedUntil: until })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('lockedUntil', 'is', null), eb('lockedUntil', '<=', now)]))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const delayMs = until.getTime() - now.getTime();
      await jobQueue.enqueue(tx, syncSubscription, { id }, { key: toChangeJobKey(id), delayMs });
      return true;
    }),

  /** Completes a change, in the transaction that records it. */
  complete: (tx: Database, id: string): Promise<void> => jobQueue.cancel(tx, toChangeJobKey(id)),

  /** Returns whether a request has a subscription now. */
  async isLocked(db: Database, id: string, now: Date): Promise<boolean> {
    const row = await db
      .selectFrom('subscription')
      .select('id')
      .where('id', '=', id)
      .where('lockedUntil', '>', now)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Unlocks a subscription, unless the lock has expired and another request has it. */
  async unlock(db: Database, id: string, until: Date): Promise<void> {
    await db
      .updateTable('subscription')
      .set({ lockedUntil: null })
      .where('id', '=', id)
      .where('lockedUntil', '=', until)
      .execute();
  },
};
