import { createJobQueue, defineJob } from '@escucho/jobs';
import * as z from 'zod/mini';

/** The background jobs of this service. They are enqueued in the transaction that makes them necessary. */
export const jobQueue = createJobQueue('billing');

/** Sends the unsent webhook events of one subscriber, in order. */
export const sendWebhooks = defineJob({
  name: 'send_webhooks',
  payload: z.object({ subscriberId: z.string() }),
});

export const sendNotificationEmail = defineJob({
  name: 'send_notification_email',
  payload: z.object({ emailId: z.string() }),
});

/**
 * Completes the payment of a checkout whose process may have died. It must not be given up: until then the subscriber can
 * neither buy again nor be deleted. The attempts last for most of a year.
 */
export const resumeCheckout = defineJob({
  name: 'resume_checkout',
  payload: z.object({ checkoutId: z.string() }),
  maxAttempts: 1000,
});

/** Renews, retries or ends one subscription at its due time. */
export const processSubscription = defineJob({
  name: 'process_subscription',
  payload: z.object({ id: z.string(), subscriberId: z.string() }),
});

/** Enqueues the jobs of overdue subscriptions again, e.g. after a restored backup or many failed attempts. */
export const processOverdueSubscriptions = defineJob({
  name: 'process_overdue_subscriptions',
  payload: z.unknown(),
});

/** Records what a change did at the gateway that was not completed here, because its process died or a write failed. */
export const syncSubscription = defineJob({
  name: 'sync_subscription',
  payload: z.object({ id: z.string() }),
});
