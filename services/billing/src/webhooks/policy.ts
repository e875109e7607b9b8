import * as z from 'zod/mini';
import type { Subscription, SubscriptionEvent } from '../subscriptions/events.ts';

const SECOND = 1000;

/** What others are told: that something happened, and where to look. */
export const webhookEvent = z.object({
  type: z.string(),
  at: z.string(),
  product: z.nullable(z.string()),
  isSandbox: z.boolean(),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** The protocol's names; what has none is nobody else's business. */
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

/** What is told of events. In: the events, and what the subscription came to by them. */
export const toWebhookEvents = (
  events: readonly SubscriptionEvent[],
  { terms, isSandbox }: Subscription,
): WebhookEvent[] =>
  events.flatMap(({ kind, at }) => {
    const type = types[kind];
    const product = terms?.product ?? null;
    return type ? [{ type, at: at.toISOString(), product, isSandbox }] : [];
  });

/** A subscriber's clock was moved: every date looks otherwise. */
export const toClockMovedEvent = (at: Date): WebhookEvent => ({
  type: 'CLOCK_MOVED',
  at: at.toISOString(),
  product: null,
  isSandbox: true,
});

/** How long after the n-th failure it is tried again, in milliseconds: a second, twice as long each time, ten minutes at most. */
export const retryDelay = (failures: number): number => Math.min(SECOND * 2 ** (failures - 1), 600 * SECOND);

/** After so many failures, three days, nobody is told any more: whoever must know asks by then. */
export const mostAttempts = 440;
