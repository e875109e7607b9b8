import * as z from 'zod/mini';
import type { Fact, Subscription } from '../subscriptions/facts.ts';

const SECOND = 1000;

/** What others are told: that something happened, and where to look. */
export const event = z.object({
  type: z.string(),
  at: z.string(),
  product: z.nullable(z.string()),
  isSandbox: z.boolean(),
});
export type Event = z.infer<typeof event>;

/** The protocol's names; what has none is nobody else's business. */
const types: Partial<Record<Fact['kind'], string>> = {
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

/** What is told of facts. In: the facts, and what the subscription came to by them. */
export const eventsOf = (facts: readonly Fact[], { terms, isSandbox }: Subscription): Event[] =>
  facts.flatMap(({ kind, at }) => {
    const type = types[kind];
    const product = terms?.product ?? null;
    return type ? [{ type, at: at.toISOString(), product, isSandbox }] : [];
  });

/** A subscriber's clock was moved: every date looks otherwise. */
export const clockMoved = (at: Date): Event => ({
  type: 'CLOCK_MOVED',
  at: at.toISOString(),
  product: null,
  isSandbox: true,
});

/** How long after the n-th failure it is tried again, in milliseconds: a second, twice as long each time, ten minutes at most. */
export const retryDelay = (failures: number): number => Math.min(SECOND * 2 ** (failures - 1), 600 * SECOND);

/** After so many failures, three days, nobody is told any more: whoever must know asks by then. */
export const mostAttempts = 440;
