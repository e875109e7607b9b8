import { toNewJob } from '@escucho/jobs';
import { type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database, Tables } from '../database.ts';
import { jobQueue, processSubscription } from '../jobs.ts';
import { toNotificationEmails } from '../notification-emails/policy.ts';
import { notificationEmailRepository } from '../notification-emails/repository.ts';
import { toServerTime } from '../subscribers/policy.ts';
import { toWebhookEvents } from '../webhooks/events.ts';
import { webhookRepository } from '../webhooks/repository.ts';
import { recordSubscriptionChanges } from './audit-repository.ts';
import {
  reduceEvents,
  type Subscription,
  type SubscriptionEvent,
  subscription,
  subscriptionEvent,
} from './events.ts';
import { getDueAt } from './policy.ts';

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

/** Events that are appended to a subscription. */
export interface SubscriptionChange {
  /** The locked subscription; undefined for a new one. */
  before: StoredSubscription | undefined;
  after: StoredSubscription;
  events: readonly SubscriptionEvent[];
  clock: SubscriberClock;
}

/** Applies events to a locked subscription, or to the id of a new one, without saving them. */
export function toChange(
  target: StoredSubscription | SubscriptionRef,
  events: readonly SubscriptionEvent[],
  clock: SubscriberClock,
): SubscriptionChange {
  const before = 'state' in target ? target : undefined;
  const { id, subscriberId } = target;
  const version = (before?.version ?? 0) + events.length;
  const state = reduceEvents(events, before?.state);
  return { before, after: { id, subscriberId, version, state }, events, clock };
}

const columns = ['id', 'subscriber_id', 'version', 'state'] as const;
type Row = Pick<Selectable<Tables['subscription']>, (typeof columns)[number]>;

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

const toJobKey = ({ id }: Pick<SubscriptionRef, 'id'>) => `subscription:${id}`;

/** Replaces the jobs that process subscriptions at their due time; removes those of subscriptions without one. */
async function scheduleProcessing(
  db: Database,
  targets: readonly { ref: SubscriptionRef; dueAt: Date | null; now: Date }[],
): Promise<void> {
  const jobs = targets.flatMap(({ ref: { id, subscriberId }, dueAt, now }) => {
    if (dueAt === null) return [];
    const waitMs = dueAt.getTime() - now.getTime();
    const delayMs = waitMs > 0 ? waitMs : OVERDUE_DELAY_MS;
    return [toNewJob(processSubscription, { id, subscriberId }, { key: toJobKey({ id }), delayMs })];
  });
  await jobQueue.enqueueAll(db, jobs);
  for (const { ref, dueAt } of targets) if (dueAt === null) await jobQueue.cancel(db, toJobKey(ref));
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

  /** Locks the rows for the rest of the transaction, in the order of their ids. */
  async lockAll(tx: Database, ids: readonly string[]): Promise<StoredSubscription[]> {
    const rows = await tx
      .selectFrom('subscription')
      .select(columns)
      .where('id', 'in', ids)
      .orderBy('id')
      .forUpdate()
      .execute();
    return rows.map(toStoredSubscription);
  },

  /**
   * Saves appended events and everything that follows from them: the states, the jobs of the next due times, the webhook
   * events (unless `hasWebhook` is false), the notification e-mails and the audit events. The number of statements does not depend on the
   * number of changes.
   */
  async saveAll(tx: Database, changes: readonly SubscriptionChange[], hasWebhook: boolean): Promise<void> {
    if (changes.length === 0) return;
    const targets = changes.map(({ after, clock }) => ({
      ref: after,
      dueAt: getServerDueAt(after.state, clock),
      now: clock.now,
    }));
    await tx
      .insertInto('subscription')
      .values(
        changes.map(({ after: { id, subscriberId, version, state } }, index) => ({
          id,
          subscriber_id: subscriberId,
          version,
          state: JSON.stringify(state),
          due_at: targets[index]?.dueAt ?? null,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          version: eb.ref('excluded.version'),
          state: eb.ref('excluded.state'),
          due_at: eb.ref('excluded.due_at'),
        })),
      )
      .execute();
    const events = changes.flatMap(({ before, after: { id }, events }) =>
      events.map((event, index) => ({
        subscription_id: id,
        sequence: (before?.version ?? 0) + index + 1,
        kind: event.kind,
        occurred_at: event.at,
        data: JSON.stringify(event),
      })),
    );
    if (events.length > 0) await tx.insertInto('subscription_event').values(events).execute();
    await scheduleProcessing(tx, targets);
    const webhookEvents = changes.flatMap(({ after: { subscriberId, state }, events }) =>
      toWebhookEvents(events, state).map((event) => ({ subscriberId, event })),
    );
    if (hasWebhook) await webhookRepository.insert(tx, webhookEvents);
    const emails = changes.flatMap(({ before, after: { subscriberId }, events }) =>
      toNotificationEmails(before?.state, events).map((email) => ({ subscriberId, email })),
    );
    await notificationEmailRepository.insert(tx, emails);
    await recordSubscriptionChanges(tx, changes);
  },

  /** Updates the due time and the job, e.g. after the subscriber's clock was advanced. */
  async reschedule(tx: Database, stored: StoredSubscription, clock: SubscriberClock): Promise<void> {
    const dueAt = getServerDueAt(stored.state, clock);
    await tx.updateTable('subscription').set({ due_at: dueAt }).where('id', '=', stored.id).execute();
    await scheduleProcessing(tx, [{ ref: stored, dueAt, now: clock.now }]);
  },

  /** Enqueues the job of every subscription that has been due since `before`. */
  async enqueueOverdue(db: Database, before: Date): Promise<void> {
    const rows = await db
      .selectFrom('subscription')
      .select(['id', 'subscriber_id as subscriberId'])
      .where('due_at', '<', before)
      .execute();
    await jobQueue.enqueueAll(
      db,
      rows.map((ref) => toNewJob(processSubscription, ref, { key: toJobKey(ref) })),
    );
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

  /** Returns the payments and refunds of a subscriber, newest first; those of the sandbox only where it is accepted. */
  async findPayments(
    db: Database,
    subscriberId: string,
    { acceptsSandbox, limit }: { acceptsSandbox: boolean; limit: number },
  ): Promise<SubscriptionEvent[]> {
    const rows = await db
      .selectFrom('subscription_event as e')
      .innerJoin('subscription', 'subscription.id', 'e.subscription_id')
      .select('e.data')
      .where('subscription.subscriber_id', '=', subscriberId)
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
