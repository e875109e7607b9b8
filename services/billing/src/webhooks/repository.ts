import { toNewJob } from '@escucho/jobs';
import * as z from 'zod/mini';
import type { Database } from '../database.ts';
import { jobQueue, sendWebhooks } from '../jobs.ts';
import type { Subscription, SubscriptionEvent } from '../subscriptions/events.ts';

/** A webhook event: that something happened, so that the receiver reads the subscriber again. */
const webhookEvent = z.object({
  type: z.string(),
  at: z.string(),
  product: z.nullable(z.string()),
  isSandbox: z.boolean(),
});
type WebhookEvent = z.infer<typeof webhookEvent>;

/** The protocol's names; other events are internal. */
const types: Partial<Record<SubscriptionEvent['kind'], string>> = {
  started: 'INITIAL_PURCHASE',
  renewed: 'RENEWAL',
  unpaid: 'BILLING_ISSUE',
  cancelled: 'CANCELLATION',
  resumed: 'UNCANCELLATION',
  plan_chosen: 'PRODUCT_CHANGE',
  refunded: 'REFUND',
  disputed: 'CANCELLATION',
  dispute_closed: 'REFUND_REVERSED',
  expired: 'EXPIRATION',
};

/**
 * Converts the events of a subscription to webhook events.
 *
 * @param state - the subscription after the events
 */
export const toWebhookEvents = (
  events: readonly SubscriptionEvent[],
  { terms, isSandbox }: Subscription,
): WebhookEvent[] =>
  events.flatMap(({ kind, at }) => {
    const type = types[kind];
    const product = terms?.product ?? null;
    return type ? [{ type, at: at.toISOString(), product, isSandbox }] : [];
  });

/** Creates the event for a subscriber's clock that was advanced: every date the receiver read has changed. */
export const toClockMovedEvent = (at: Date): WebhookEvent => ({
  type: 'CLOCK_MOVED',
  at: at.toISOString(),
  product: null,
  isSandbox: true,
});

/** An unsent event. `appUserId` is null when the subscriber was deleted. */
export interface QueuedEvent {
  id: number;
  appUserId: string | null;
  event: WebhookEvent;
}

/** The outbox of webhook events. */
export const webhookRepository = {
  /** Adds events and enqueues a job for each subscriber that sends them. */
  async insert(tx: Database, added: readonly { subscriberId: string; event: WebhookEvent }[]): Promise<void> {
    if (added.length === 0) return;
    const values = added.map(({ subscriberId, event }) => ({
      subscriberId,
      event: JSON.stringify(event),
    }));
    await tx.insertInto('webhook_event').values(values).execute();
    const subscriberIds = [...new Set(added.map(({ subscriberId }) => subscriberId))];
    const jobs = subscriberIds.map((subscriberId) =>
      toNewJob(
        sendWebhooks,
        { subscriberId },
        {
          key: `webhooks:${subscriberId}`,
          // A subscriber's jobs never run at the same time, so that events stay in order; 16 queues are enough.
          queueName: `webhooks_${subscriberId[0]}`,
        },
      ),
    );
    await jobQueue.enqueueAll(tx, jobs);
  },

  async findOldest(db: Database, subscriberId: string): Promise<QueuedEvent | undefined> {
    const row = await db
      .selectFrom('webhook_event')
      .innerJoin('subscriber', 'subscriber.id', 'webhook_event.subscriberId')
      .select(['webhook_event.id', 'webhook_event.event', 'subscriber.appUserId'])
      .where('webhook_event.subscriberId', '=', subscriberId)
      .orderBy('webhook_event.id')
      .limit(1)
      .executeTakeFirst();
    return row && { ...row, event: webhookEvent.parse(row.event) };
  },

  async remove(db: Database, id: number): Promise<void> {
    await db.deleteFrom('webhook_event').where('id', '=', id).execute();
  },
};
