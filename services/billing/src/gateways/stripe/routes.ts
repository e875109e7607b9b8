import { setAuditSource } from '@escucho/audit';
import { AppError } from '@escucho/contracts';
import { registerTextParser } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import type { CheckoutService } from '../../checkouts/service.ts';
import { billingErrors } from '../../errors.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { SubscriptionService } from '../../subscriptions/service.ts';
import { getId } from './client.ts';
import type { StripeGateway } from './gateway.ts';
import { getInvoiceSubscription } from './invoices.ts';

interface StripeRoutesDeps {
  stripe: StripeGateway;
  checkouts: CheckoutService;
  payments: PaymentService;
  subscriptions: SubscriptionService;
  clock: () => Date;
}

/**
 * Registers Stripe's webhook (RCB-02). An event only causes the service to read the state from Stripe, so repeated, late or
 * unordered events are harmless. Stripe sends an event again after an error response.
 */
export function registerStripe(
  app: FastifyInstance,
  { stripe, checkouts, payments, subscriptions, clock }: StripeRoutesDeps,
): void {
  registerTextParser(app);

  function parseEvent(body: unknown, signature: unknown): Stripe.Event {
    try {
      return stripe.parseEvent(String(body), String(signature), clock());
    } catch {
      throw billingErrors.badRequest('This event is not signed by Stripe.');
    }
  }

  /** Reads the state of a subscription that the service created. Returns whether it was an orphan, which is cancelled. */
  async function syncSubscription(subscription: string, order: string | undefined): Promise<boolean> {
    if (order) await checkouts.handleCharge(order);
    if ((await payments.handleSubscriptionChange(subscription)) || !order) return false;
    return (
      (await subscriptions.adoptGatewaySubscription(order, subscription)) ||
      checkouts.cancelOrphan(order, subscription)
    );
  }

  /** Records an event about a payment, after the payment itself. Fails where that is not possible yet: Stripe retries. */
  async function recordAfterPayment(reference: string, record: () => Promise<boolean>): Promise<void> {
    if (await record()) return;
    const found = await stripe.findSubscription(reference);
    if (!found) return;
    const isOrphan = await syncSubscription(found.subscription, found.order);
    if (isOrphan || (await record())) return;
    // Another installation may use the same account.
    const isOurs = (await checkouts.hasOrder(found.order)) || (await subscriptions.hasOrder(found.order));
    if (isOurs) throw new AppError('unavailable');
  }

  async function handleEvent({ type, data }: Stripe.Event): Promise<void> {
    switch (type) {
      case 'setup_intent.succeeded':
      case 'setup_intent.canceled':
        return checkouts.handleSetup(data.object.id);
      case 'invoice.created':
      case 'invoice.paid':
      case 'invoice.payment_failed':
      case 'invoice.payment_action_required': {
        const found = getInvoiceSubscription(data.object);
        if (found) await syncSubscription(found.subscription, found.order);
        return;
      }
      case 'customer.subscription.updated':
      case 'customer.subscription.deleted':
        await syncSubscription(data.object.id, data.object.metadata.checkout);
        return;
      case 'charge.refunded': {
        const { payment_intent: intent, amount_refunded: total } = data.object;
        const reference = getId(intent);
        if (reference) await recordAfterPayment(reference, () => payments.handleRefund(reference, total));
        return;
      }
      case 'charge.dispute.created':
      case 'charge.dispute.updated':
      case 'charge.dispute.closed': {
        const found = await stripe.findDispute(data.object.id);
        if (!found) return;
        const { reference, dispute } = found;
        await recordAfterPayment(reference, () => payments.handleDispute(reference, dispute));
      }
    }
  }

  // Not limited: Stripe proves itself by a signature.
  app.post('/stripe/events', { config: { rateLimits: [] } }, async (request) => {
    const event = parseEvent(request.body, request.headers['stripe-signature']);
    setAuditSource('system', 'stripe');
    await handleEvent(event);
    return {};
  });
}
