import { toNewJob } from '@escucho/jobs';
import type { Database } from '../database.ts';
import { jobQueue, sendWebhooks } from '../jobs.ts';
import { type WebhookEvent, webhookEvent } from './events.ts';

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
