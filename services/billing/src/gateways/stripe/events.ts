import type Stripe from 'stripe';
import { getId } from './client.ts';
import { getInvoiceSubscription } from './invoices.ts';

/** What an event of Stripe's is a reason to look at. `order`: the key of the purchase that began a subscription. */
export type StripeNotification =
  | { kind: 'setup'; setup: string }
  | { kind: 'subscription'; subscription: string; order: string | undefined }
  | { kind: 'refund'; reference: string; inAll: number }
  | { kind: 'dispute'; dispute: string };

/** What an event is about, or nothing that concerns us. In: an event that is known to be Stripe's. */
export function parseEvent({ type, data }: Stripe.Event): StripeNotification | undefined {
  switch (type) {
    case 'setup_intent.succeeded':
    case 'setup_intent.canceled':
      return { kind: 'setup', setup: data.object.id };
    case 'invoice.created':
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      const about = getInvoiceSubscription(data.object);
      return about && { kind: 'subscription', ...about };
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return { kind: 'subscription', subscription: data.object.id, order: data.object.metadata.checkout };
    case 'charge.refunded': {
      const { payment_intent: intent, amount_refunded: inAll } = data.object;
      const reference = getId(intent);
      return reference ? { kind: 'refund', reference, inAll } : undefined;
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return { kind: 'dispute', dispute: data.object.id };
    default:
      return undefined;
  }
}
