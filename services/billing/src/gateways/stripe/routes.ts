import { setAuditSource } from '@escucho/audit';
import { AppError } from '@escucho/contracts';
import { registerTextParser } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import type { CheckoutService } from '../../checkouts/service.ts';
import { billingErrors } from '../../errors.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { SubscriptionService } from '../../subscriptions/service.ts';
import type { StripeGateway, StripeNotification } from './gateway.ts';

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

  function parseEvent(body: unknown, signature: unknown): StripeNotification | undefined {
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
    if (!isOrphan && !(await record())) throw new AppError('unavailable');
  }

  // Not limited: Stripe proves itself by a signature.
  app.post('/stripe/events', { config: { rateLimits: [] } }, async (request) => {
    const notification = parseEvent(request.body, request.headers['stripe-signature']);
    setAuditSource('system', 'stripe');
    if (notification?.kind === 'setup') await checkouts.handleSetup(notification.setup);
    if (notification?.kind === 'subscription')
      await syncSubscription(notification.subscription, notification.order);
    if (notification?.kind === 'refund') {
      await recordAfterPayment(notification.reference, () =>
        payments.handleRefund(notification.reference, notification.totalRefunded),
      );
    }
    if (notification?.kind === 'dispute') {
      const found = await stripe.findDispute(notification.dispute);
      if (found)
        await recordAfterPayment(found.reference, () =>
          payments.handleDispute(found.reference, found.dispute),
        );
    }
    return {};
  });
}
