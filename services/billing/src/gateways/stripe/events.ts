import type Stripe from 'stripe';
import { getId } from './client.ts';
import { getInvoiceSubscription } from './invoices.ts';

/** What a webhook event refers to. `order`: the key of the order that created a subscription. */
export type StripeNotification =
  | { kind: 'setup'; setup: string }
  | { kind: 'subscription'; subscription: string; order: string | undefined }
  | { kind: 'refund'; reference: string; totalRefunded: number }
  | { kind: 'dispute'; dispute: string };

/** Converts a verified event; undefined for one of another kind. */
export function toNotification({ type, data }: Stripe.Event): StripeNotification | undefined {
  switch (type) {
    case 'setup_intent.succeeded':
    case 'setup_intent.canceled':
      return { kind: 'setup', setup: data.object.id };
    case 'invoice.created':
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      const found = getInvoiceSubscription(data.object);
      return found && { kind: 'subscription', ...found };
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return { kind: 'subscription', subscription: data.object.id, order: data.object.metadata.checkout };
    case 'charge.refunded': {
      const { payment_intent: intent, amount_refunded: totalRefunded } = data.object;
      const reference = getId(intent);
      return reference ? { kind: 'refund', reference, totalRefunded } : undefined;
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return { kind: 'dispute', dispute: data.object.id };
    default:
      return undefined;
  }
}
