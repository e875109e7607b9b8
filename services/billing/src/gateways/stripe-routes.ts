import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import type { CheckoutService } from '../checkouts/service.ts';
import { faults } from '../faults.ts';
import type { PaymentService } from '../payments/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { StripeGateway } from './stripe.ts';
import type { StripeNews } from './stripe-events.ts';

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

  function newsOf(body: unknown, signature: unknown): StripeNews | undefined {
    try {
      return stripe.newsOf(String(body), String(signature), clock());
    } catch {
      throw faults.badRequest('This event is not signed by Stripe.');
    }
  }

  /** Asks how a subscription stands that we began, or are about to. Out: whether it is known by now. */
  async function heed(subscription: string, order: string | undefined): Promise<boolean> {
    if (order) await checkouts.charged(order);
    const isKnown = await payments.heard(subscription);
    if (!isKnown && order) {
      await subscriptions.adopt(order, subscription);
      await checkouts.stray(order, subscription);
    }
    return isKnown;
  }

  /** What is about a payment that is not written down yet waits until it is; where it cannot be, it is told again. */
  async function about(reference: string, record: () => Promise<boolean>): Promise<void> {
    if (await record()) return;
    const paid = await stripe.subscriptionOf(reference);
    if (!paid) return;
    await heed(paid.subscription, paid.order);
    if (!(await record())) throw new AppError('unavailable');
  }

  app.post('/stripe/events', async (request) => {
    const news = newsOf(request.body, request.headers['stripe-signature']);
    if (news?.kind === 'setup') await checkouts.setUp(news.setup);
    if (news?.kind === 'subscription') await heed(news.subscription, news.order);
    if (news?.kind === 'refund') {
      await about(news.reference, () => payments.refunded(news.reference, news.inAll));
    }
    if (news?.kind === 'dispute') {
      const found = await stripe.dispute(news.dispute);
      if (found) await about(found.reference, () => payments.disputed(found.reference, found.dispute));
    }
    return {};
  });
}
