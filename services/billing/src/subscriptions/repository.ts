import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { toNotificationEmails } from '../notification-emails/policy.ts';
import { notificationEmailRepository } from '../notification-emails/repository.ts';
import { toServerTime } from '../subscribers/policy.ts';
import { toWebhookEvents } from '../webhooks/policy.ts';
import { webhookRepository } from '../webhooks/repository.ts';
import { event, type Subscription, type SubscriptionEvent, subscription } from './events.ts';
import { dueAt } from './policy.ts';
import { reduceEvents } from './state.ts';

/** A subscription as stored. */
export interface StoredSubscription {
  id: string;
  subscriberId: string;
  version: number;
  state: Subscription;
}

/** A subscription and whose it is. */
export type SubscriptionRef = Pick<StoredSubscription, 'id' | 'subscriberId'>;

interface Row {
  id: string;
  subscriber_id: string;
  version: number;
  state: object;
}

const columns = ['id', 'subscriber_id', 'version', 'state'] as const;

const toStoredSubscription = (row: Row): StoredSubscription => ({
  id: row.id,
  subscriberId: row.subscriber_id,
  version: row.version,
  state: subscription.parse(row.state),
});

const toEvent = ({ data }: { data: object }): SubscriptionEvent => event.parse(data);

const toServerTimeOrNull = (moment: Date | null, clockOffset: number): Date | null =>
  moment && toServerTime({ clockOffset }, moment);

/** Subscriptions and their ledger; every call takes the database or the transaction it is part of. */
export const subscriptionRepository = {
  async findBySubscriber(db: Database, subscriber: string): Promise<StoredSubscription[]> {
    const rows = await db
      .selectFrom('subscription')
      .select(columns)
      .where('subscriber_id', '=', subscriber)
      .execute();
    return rows.map(toStoredSubscription);
  },

  async find(db: Database, id: string): Promise<StoredSubscription | undefined> {
    const row = await db.selectFrom('subscription').select(columns).where('id', '=', id).executeTakeFirst();
    return row && toStoredSubscription(row);
  },

  /** One of them, held for this transaction. */
  async lock(tx: Database, id: string): Promise<StoredSubscription | undefined> {
    const row = await tx
      .selectFrom('subscription')
      .select(columns)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row && toStoredSubscription(row);
  },

  /**
   * Writes events down and what they come to. In: the subscription as it is, held, or the id of a new one; how far the
   * subscriber's clock is clockOffset, in seconds. Out: as it is then.
   */
  async append(
    tx: Database,
    before: StoredSubscription | { id: string; subscriberId: string },
    events: readonly SubscriptionEvent[],
    clockOffset: number,
  ): Promise<StoredSubscription> {
    const known = 'state' in before ? before : undefined;
    const version = known?.version ?? 0;
    const state = reduceEvents(events, known?.state);
    const after: StoredSubscription = {
      id: before.id,
      subscriberId: before.subscriberId,
      version: version + events.length,
      state,
    };
    const values = {
      state: JSON.stringify(state),
      version: after.version,
      due_at: toServerTimeOrNull(dueAt(state), clockOffset),
      // Whoever has begun a charge goes on with it.
      ...(!state.charge && { leased_until: null }),
    };
    if (known) {
      await tx.updateTable('subscription').set(values).where('id', '=', before.id).execute();
    } else {
      await tx
        .insertInto('subscription')
        .values({ id: before.id, subscriber_id: before.subscriberId, ...values })
        .execute();
    }
    const entries = events.map((each, index) => ({
      subscription_id: before.id,
      number: version + index + 1,
      kind: each.kind,
      happened_at: each.at,
      data: JSON.stringify(each),
    }));
    if (entries.length > 0) await tx.insertInto('ledger').values(entries).execute();
    await webhookRepository.insert(tx, before.subscriberId, toWebhookEvents(events, state));
    await notificationEmailRepository.insert(
      tx,
      before.subscriberId,
      toNotificationEmails(known?.state, events),
    );
    return after;
  },

  /** All that happened to a subscription, in its order. */
  async findEvents(db: Database, id: string): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('ledger')
      .select('data')
      .where('subscription_id', '=', id)
      .orderBy('number')
      .execute();
    return rows.map(toEvent);
  },

  /** Looks at a subscription again when its subscriber's clock was moved. */
  async reschedule(tx: Database, { id, state }: StoredSubscription, clockOffset: number): Promise<void> {
    await tx
      .updateTable('subscription')
      .set({ due_at: toServerTimeOrNull(dueAt(state), clockOffset) })
      .where('id', '=', id)
      .execute();
  },

  /**
   * Takes up to so many subscriptions that are due, each for this process alone until `until`; those that others hold
   * are passed over.
   */
  async lease(db: Database, now: Date, until: Date, limit: number): Promise<SubscriptionRef[]> {
    const due = db
      .selectFrom('subscription')
      .select('id')
      .where('due_at', '<=', now)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
      .orderBy('due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked();
    return db
      .with('due', () => due)
      .updateTable('subscription')
      .set({ leased_until: until })
      .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
      .returning(['id', 'subscriber_id as subscriberId'])
      .execute();
  },

  /** The next so many subscriptions after an id, in the ids' order, each with all that happened to it. */
  async findBatch(db: Database, after: string, limit: number) {
    const rows = await db
      .selectFrom('subscription as s')
      .innerJoin('subscriber', 'subscriber.id', 's.subscriber_id')
      .select((eb) => [
        's.id',
        's.subscriber_id',
        's.version',
        's.state',
        's.due_at',
        'subscriber.clock_ahead',
        jsonArrayFrom(
          eb
            .selectFrom('ledger')
            .select('ledger.data')
            .whereRef('ledger.subscription_id', '=', 's.id')
            .orderBy('ledger.number'),
        ).as('entries'),
      ])
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(limit)
      .execute();
    return rows.map(({ due_at: dueAt, clock_ahead: clockOffset, entries, ...row }) => ({
      ...toStoredSubscription(row),
      dueAt,
      clockOffset,
      events: entries.map(toEvent),
    }));
  },

  /** What a subscriber paid and got back, newest first, at most so many entries. */
  async findPayments(db: Database, subscriber: string, limit: number): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('ledger')
      .innerJoin('subscription', 'subscription.id', 'ledger.subscription_id')
      .select('ledger.data')
      .where('subscription.subscriber_id', '=', subscriber)
      .where('ledger.kind', 'in', ['paid', 'refunded'])
      .orderBy('ledger.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toEvent);
  },

  /** In: the gateway's name for the subscription that it keeps. */
  async findByGatewaySubscription(
    db: Database,
    gatewaySubscription: string,
  ): Promise<SubscriptionRef | undefined> {
    return db
      .selectFrom('subscription')
      .select(['id', 'subscriber_id as subscriberId'])
      .where(sql<string>`state ->> 'gatewaySubscription'`, '=', gatewaySubscription)
      .executeTakeFirst();
  },

  /** The subscription that a charge belongs to, with everything the ledger says of that charge. */
  async findCharge(
    db: Database,
    key: string,
  ): Promise<(SubscriptionRef & { events: SubscriptionEvent[] }) | undefined> {
    const rows = await db
      .selectFrom('ledger')
      .innerJoin('subscription', 'subscription.id', 'ledger.subscription_id')
      .select(['subscription_id', 'subscriber_id', 'data'])
      .where(sql<string>`data ->> 'key'`, '=', key)
      .where(sql<boolean>`data ? 'key'`)
      .orderBy('number')
      .execute();
    const [first] = rows;
    return (
      first && { id: first.subscription_id, subscriberId: first.subscriber_id, events: rows.map(toEvent) }
    );
  },

  /** The subscription that a payment was made for. In: the gateway's name for the payment. */
  async findPayment(
    db: Database,
    reference: string,
  ): Promise<(SubscriptionRef & { key: string }) | undefined> {
    const row = await db
      .selectFrom('ledger')
      .innerJoin('subscription', 'subscription.id', 'ledger.subscription_id')
      .select(['subscription_id', 'subscriber_id', sql<string>`data ->> 'key'`.as('key')])
      .where('kind', '=', sql.lit('paid'))
      .where(sql<string>`data ->> 'reference'`, '=', reference)
      .executeTakeFirst();
    return row && { id: row.subscription_id, subscriberId: row.subscriber_id, key: row.key };
  },
};
