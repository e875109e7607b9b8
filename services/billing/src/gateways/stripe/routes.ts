import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import type { CheckoutService } from '../../checkouts/service.ts';
import { faults } from '../../errors.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { SubscriptionService } from '../../subscriptions/service.ts';
import type { StripeNotification } from './events.ts';
import type { StripeGateway } from './gateway.ts';

interface Services {
  stripe: StripeGateway;
  checkouts: CheckoutService;
  payments: PaymentService;
  subscriptions: SubscriptionService;
  clock: () => Date;
}

/**
 * Where Stripe says that something happened (RCB-02). An event is a reason to ask Stripe how things stand, so that one
 * that comes twice, late or before another changes nothing that it should not. A fault of ours makes Stripe tell again.
 */
export function registerStripe(
  app: FastifyInstance,
  { stripe, checkouts, payments, subscriptions, clock }: Services,
): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  );

  function parseEvent(body: unknown, signature: unknown): StripeNotification | undefined {
    try {
      return stripe.parseEvent(String(body), String(signature), clock());
    } catch {
      throw faults.badRequest('This event is not signed by Stripe.');
    }
  }

  /** Asks how a subscription stands that we began, or are about to. Out: whether it is known by now. */
  async function syncFromGateway(subscription: string, order: string | undefined): Promise<boolean> {
    if (order) await checkouts.charged(order);
    const isKnown = await payments.heard(subscription);
    if (!isKnown && order) {
      await subscriptions.adoptGatewaySubscription(order, subscription);
      await checkouts.cancelOrphan(order, subscription);
    }
    return isKnown;
  }

  /** What is about a payment that is not written down yet waits until it is; where it cannot be, it is told again. */
  async function about(reference: string, record: () => Promise<boolean>): Promise<void> {
    if (await record()) return;
    const paid = await stripe.subscriptionOf(reference);
    if (!paid) return;
    await syncFromGateway(paid.subscription, paid.order);
    if (!(await record())) throw new AppError('unavailable');
  }

  app.post('/stripe/events', async (request) => {
    const notification = parseEvent(request.body, request.headers['stripe-signature']);
    if (notification?.kind === 'setup') await checkouts.setUp(notification.setup);
    if (notification?.kind === 'subscription')
      await syncFromGateway(notification.subscription, notification.order);
    if (notification?.kind === 'refund') {
      await about(notification.reference, () =>
        payments.refunded(notification.reference, notification.inAll),
      );
    }
    if (notification?.kind === 'dispute') {
      const found = await stripe.dispute(notification.dispute);
      if (found) await about(found.reference, () => payments.disputed(found.reference, found.dispute));
    }
    return {};
  });
}
