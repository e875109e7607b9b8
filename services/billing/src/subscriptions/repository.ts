import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../database.ts';
import { jobQueue, processSubscription } from '../jobs.ts';
import { toNotificationEmails } from '../notification-emails/policy.ts';
import { notificationEmailRepository } from '../notification-emails/repository.ts';
import { toServerTime } from '../subscribers/policy.ts';
import { toWebhookEvents } from '../webhooks/events.ts';
import { webhookRepository } from '../webhooks/repository.ts';
import { type Subscription, type SubscriptionEvent, subscription, subscriptionEvent } from './events.ts';
import { getDueAt } from './policy.ts';
import { reduceEvents } from './state.ts';

export interface StoredSubscription {
  id: string;
  subscriberId: string;
  version: number;
  state: Subscription;
}

export type SubscriptionRef = Pick<StoredSubscription, 'id' | 'subscriberId'>;

/** The server's time, and how many seconds the subscriber's clock is ahead of it. */
export interface SubscriberClock {
  now: Date;
  clockOffset: number;
}

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

const toEvent = ({ data }: { data: object }): SubscriptionEvent => subscriptionEvent.parse(data);

/** How long the job of an overdue subscription waits, because the caller that appended the events processes it now. */
const OVERDUE_DELAY_MS = 60_000;

/** Returns when the subscription is due by the server's clock. */
function getServerDueAt(state: Subscription, { clockOffset }: Pick<SubscriberClock, 'clockOffset'>) {
  const dueAt = getDueAt(state);
  return dueAt && toServerTime({ clockOffset }, dueAt);
}

const toJobKey = ({ id }: SubscriptionRef) => `subscription:${id}`;

/** Replaces the job that processes the subscription at its due time, or removes it. */
async function scheduleProcessing(
  db: Database,
  ref: SubscriptionRef,
  dueAt: Date | null,
  { now }: SubscriberClock,
): Promise<void> {
  if (dueAt === null) return jobQueue.cancel(db, toJobKey(ref));
  const { id, subscriberId } = ref;
  const waitMs = dueAt.getTime() - now.getTime();
  await jobQueue.enqueue(
    db,
    processSubscription,
    { id, subscriberId },
    { key: toJobKey(ref), delayMs: waitMs > 0 ? waitMs : OVERDUE_DELAY_MS },
  );
}

/** Subscriptions and their events. */
export const subscriptionRepository = {
  async findBySubscriber(db: Database, subscriberId: string): Promise<StoredSubscription[]> {
    const rows = await db
      .selectFrom('subscription')
      .select(columns)
      .where('subscriber_id', '=', subscriberId)
      .execute();
    return rows.map(toStoredSubscription);
  },

  async find(db: Database, id: string): Promise<StoredSubscription | undefined> {
    const row = await db.selectFrom('subscription').select(columns).where('id', '=', id).executeTakeFirst();
    return row && toStoredSubscription(row);
  },

  /** Locks the row for the rest of the transaction. */
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
   * Appends events and updates everything that follows from them: the state, the job of the next due time, the webhook
   * events and the notification e-mails.
   *
   * @param before - the locked subscription, or the id of a new one
   * @returns the subscription after the events
   */
  async append(
    tx: Database,
    before: StoredSubscription | SubscriptionRef,
    events: readonly SubscriptionEvent[],
    clock: SubscriberClock,
  ): Promise<StoredSubscription> {
    const existing = 'state' in before ? before : undefined;
    const { id, subscriberId } = before;
    const previousVersion = existing?.version ?? 0;
    const state = reduceEvents(events, existing?.state);
    const version = previousVersion + events.length;
    const dueAt = getServerDueAt(state, clock);
    const values = { state: JSON.stringify(state), version, due_at: dueAt };
    if (existing) {
      await tx.updateTable('subscription').set(values).where('id', '=', id).execute();
    } else {
      await tx
        .insertInto('subscription')
        .values({ id, subscriber_id: subscriberId, ...values })
        .execute();
    }
    const rows = events.map((event, index) => ({
      subscription_id: id,
      sequence: previousVersion + index + 1,
      kind: event.kind,
      occurred_at: event.at,
      data: JSON.stringify(event),
    }));
    if (rows.length > 0) await tx.insertInto('subscription_event').values(rows).execute();
    await scheduleProcessing(tx, before, dueAt, clock);
    await webhookRepository.insert(tx, subscriberId, toWebhookEvents(events, state));
    const emails = toNotificationEmails(existing?.state, events);
    await notificationEmailRepository.insert(tx, subscriberId, emails);
    return { id, subscriberId, version, state };
  },

  /** Updates the due time and the job, e.g. after the subscriber's clock was advanced. */
  async reschedule(tx: Database, stored: StoredSubscription, clock: SubscriberClock): Promise<void> {
    const dueAt = getServerDueAt(stored.state, clock);
    await tx.updateTable('subscription').set({ due_at: dueAt }).where('id', '=', stored.id).execute();
    await scheduleProcessing(tx, stored, dueAt, clock);
  },

  /** Enqueues the job of every subscription that has been due since `before`. */
  async enqueueOverdue(db: Database, before: Date): Promise<void> {
    const rows = await db
      .selectFrom('subscription')
      .select(['id', 'subscriber_id as subscriberId'])
      .where('due_at', '<', before)
      .execute();
    for (const ref of rows) await jobQueue.enqueue(db, processSubscription, ref, { key: toJobKey(ref) });
  },

  /** Returns all events of a subscription in order. */
  async findEvents(db: Database, id: string): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('subscription_event')
      .select('data')
      .where('subscription_id', '=', id)
      .orderBy('sequence')
      .execute();
    return rows.map(toEvent);
  },

  /** Returns the next subscriptions after an id, in the order of ids, each with all its events. */
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
        'subscriber.clock_offset_seconds',
        jsonArrayFrom(
          eb
            .selectFrom('subscription_event as e')
            .select('e.data')
            .whereRef('e.subscription_id', '=', 's.id')
            .orderBy('e.sequence'),
        ).as('events'),
      ])
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...toStoredSubscription(row),
      dueAt: row.due_at,
      clockOffset: row.clock_offset_seconds,
      events: row.events.map(toEvent),
    }));
  },

  /** Returns the payments and refunds of a subscriber, newest first. */
  async findPayments(db: Database, subscriberId: string, limit: number): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('subscription_event as e')
      .innerJoin('subscription', 'subscription.id', 'e.subscription_id')
      .select('e.data')
      .where('subscription.subscriber_id', '=', subscriberId)
      .where('e.kind', 'in', ['paid', 'refunded'])
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
      .select(['id', 'subscriber_id as subscriberId'])
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
      .innerJoin('subscription', 'subscription.id', 'subscription_event.subscription_id')
      .select(['subscription_id', 'subscriber_id', 'data'])
      .where(sql<string>`data ->> 'key'`, '=', key)
      .where(sql<boolean>`data ? 'key'`)
      .orderBy('sequence')
      .execute();
    const [first] = rows;
    return (
      first && { id: first.subscription_id, subscriberId: first.subscriber_id, events: rows.map(toEvent) }
    );
  },

  /** Returns the subscription and the charge key of a payment, by the gateway's id of the payment. */
  async findPayment(
    db: Database,
    reference: string,
  ): Promise<(SubscriptionRef & { key: string }) | undefined> {
    const row = await db
      .selectFrom('subscription_event')
      .innerJoin('subscription', 'subscription.id', 'subscription_event.subscription_id')
      .select(['subscription_id', 'subscriber_id', sql<string>`data ->> 'key'`.as('key')])
      .where('kind', '=', sql.lit('paid'))
      .where(sql<string>`data ->> 'reference'`, '=', reference)
      .executeTakeFirst();
    return row && { id: row.subscription_id, subscriberId: row.subscriber_id, key: row.key };
  },
};
