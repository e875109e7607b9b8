import * as z from 'zod/mini';
import type { Subscription, SubscriptionEvent } from '../subscriptions/events.ts';

/** A webhook event: that something happened, so that the receiver reads the subscriber again. */
export const webhookEvent = z.object({
  type: z.string(),
  at: z.string(),
  product: z.nullable(z.string()),
  isSandbox: z.boolean(),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

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
