import { type AuditEvent, recordAuditEvents } from '@escucho/audit';
import { toNewJob } from '@escucho/jobs';
import type { Database } from '../database.ts';
import { jobQueue, processSubscription } from '../jobs.ts';
import { toNotificationEmails } from '../notification-emails/policy.ts';
import { notificationEmailRepository } from '../notification-emails/repository.ts';
import { toServerTime } from '../subscribers/policy.ts';
import { toWebhookEvents, webhookRepository } from '../webhooks/repository.ts';
import { reduceEvents, type Subscription, type SubscriptionEvent } from './events.ts';
import { getDueAt } from './policy.ts';
import type { StoredSubscription, SubscriptionRef } from './repository.ts';

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
  /** When it is due next, by the server's clock; null: never. */
  dueAt: Date | null;
  /** When it is changed, by the server's clock. */
  now: Date;
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
  const dueAt = getServerDueAt(state, clock);
  return { before, after: { id, subscriberId, version, state }, events, dueAt, now: clock.now };
}

/** How long the job of an overdue subscription waits, because the caller that appended the events processes it now. */
const OVERDUE_DELAY_MS = 60_000;

/** Returns when a subscription is due by the server's clock; null: never. */
export function getServerDueAt(
  state: Subscription,
  clock: Pick<SubscriberClock, 'clockOffset'>,
): Date | null {
  const dueAt = getDueAt(state);
  return dueAt && toServerTime(clock, dueAt);
}

const toJobKey = (id: string) => `subscription:${id}`;

/** Replaces the jobs that process subscriptions at their due time; removes those of subscriptions without one. */
async function scheduleProcessing(
  db: Database,
  targets: readonly { after: SubscriptionRef; dueAt: Date | null; now: Date }[],
): Promise<void> {
  const jobs = targets.flatMap(({ after: { id, subscriberId }, dueAt, now }) => {
    if (dueAt === null) return [];
    const waitMs = dueAt.getTime() - now.getTime();
    const delayMs = waitMs > 0 ? waitMs : OVERDUE_DELAY_MS;
    return [toNewJob(processSubscription, { id, subscriberId }, { key: toJobKey(id), delayMs })];
  });
  await jobQueue.enqueueAll(db, jobs);
  for (const { after, dueAt } of targets) if (dueAt === null) await jobQueue.cancel(db, toJobKey(after.id));
}

/** Returns the audit event of a subscription's event; undefined for renewals and steps of a charge. */
function toAuditEvent(event: SubscriptionEvent, { terms, store }: Subscription): AuditEvent | undefined {
  const product = terms?.product;
  switch (event.kind) {
    case 'started':
      return { type: 'subscription_started', details: { product, store } };
    case 'cancelled':
      return { type: 'subscription_cancelled', details: { product } };
    case 'resumed':
      return { type: 'subscription_resumed', details: { product } };
    case 'plan_chosen':
      return { type: 'plan_changed', details: { product: event.terms?.product ?? product } };
    case 'refunded':
    case 'disputed': {
      const { amount, currency } = event.money;
      const type = event.kind === 'refunded' ? 'payment_refunded' : 'payment_disputed';
      return { type, details: { product, amount: String(amount), currency } };
    }
    case 'expired':
      return { type: 'subscription_ended', details: { product, reason: event.reason } };
    default:
      return undefined;
  }
}

/** Records what changes of subscriptions mean to their users, in two statements however many they are. */
async function recordAudit(tx: Database, changes: readonly SubscriptionChange[]): Promise<void> {
  const recorded = changes.flatMap(({ after: { subscriberId, state }, events }) =>
    events.flatMap((event) => toAuditEvent(event, state) ?? []).map((event) => ({ subscriberId, event })),
  );
  if (recorded.length === 0) return;
  const subscriberIds = recorded.map(({ subscriberId }) => subscriberId);
  const rows = await tx
    .selectFrom('subscriber')
    .select(['id', 'appUserId'])
    .where('id', 'in', subscriberIds)
    .execute();
  const userIds = new Map(rows.map(({ id, appUserId }) => [id, appUserId ?? undefined]));
  await recordAuditEvents(
    tx,
    recorded.map(({ subscriberId, event }) => ({ ...event, userId: userIds.get(subscriberId) })),
  );
}

/** Changes of subscriptions, and what follows from them. */
export const changeRepository = {
  /**
   * Saves appended events and everything that follows from them: the states, the jobs of the next due times, the webhook
   * events (unless `hasWebhook` is false), the notification e-mails and the audit events. The number of statements does not
   * depend on the number of changes.
   */
  async saveAll(tx: Database, changes: readonly SubscriptionChange[], hasWebhook: boolean): Promise<void> {
    if (changes.length === 0) return;
    await tx
      .insertInto('subscription')
      .values(
        changes.map(({ after: { id, subscriberId, version, state }, dueAt }) => ({
          id,
          subscriberId,
          version,
          state: JSON.stringify(state),
          dueAt,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          version: eb.ref('excluded.version'),
          state: eb.ref('excluded.state'),
          dueAt: eb.ref('excluded.dueAt'),
        })),
      )
      .execute();
    const events = changes.flatMap(({ before, after: { id }, events }) =>
      events.map((event, index) => ({
        subscriptionId: id,
        sequence: (before?.version ?? 0) + index + 1,
        kind: event.kind,
        occurredAt: event.at,
        data: JSON.stringify(event),
      })),
    );
    if (events.length > 0) await tx.insertInto('subscription_event').values(events).execute();
    await scheduleProcessing(tx, changes);
    const webhookEvents = changes.flatMap(({ after: { subscriberId, state }, events }) =>
      toWebhookEvents(events, state).map((event) => ({ subscriberId, event })),
    );
    if (hasWebhook) await webhookRepository.insert(tx, webhookEvents);
    const emails = changes.flatMap(({ before, after: { subscriberId }, events }) =>
      toNotificationEmails(before?.state, events).map((email) => ({ subscriberId, email })),
    );
    await notificationEmailRepository.insert(tx, emails);
    await recordAudit(tx, changes);
  },

  /** Updates the due time and the job, e.g. after the subscriber's clock was advanced. */
  async reschedule(tx: Database, stored: StoredSubscription, clock: SubscriberClock): Promise<void> {
    const dueAt = getServerDueAt(stored.state, clock);
    await tx.updateTable('subscription').set({ dueAt }).where('id', '=', stored.id).execute();
    await scheduleProcessing(tx, [{ after: stored, dueAt, now: clock.now }]);
  },

  /** Enqueues the job of every subscription that has been due since `before`. */
  async enqueueOverdue(db: Database, before: Date): Promise<void> {
    const rows = await db
      .selectFrom('subscription')
      .select(['id', 'subscriberId'])
      .where('dueAt', '<', before)
      .execute();
    await jobQueue.enqueueAll(
      db,
      rows.map((ref) => toNewJob(processSubscription, ref, { key: toJobKey(ref.id) })),
    );
  },
};
