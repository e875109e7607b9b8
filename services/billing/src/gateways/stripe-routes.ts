import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import type { CheckoutService } from '../checkouts/service.ts';
import { faults } from '../faults.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { StripeGateway, StripeNews } from './stripe.ts';

interface Services {
  stripe: StripeGateway;
  checkouts: CheckoutService;
  subscriptions: SubscriptionService;
  clock: () => Date;
}

/**
 * Where Stripe says that something happened (RCB-02). An event is a reason to ask Stripe how things stand, so that one
 * that comes twice, late or before another changes nothing that it should not. A fault of ours makes Stripe tell again.
 */
export function registerStripe(
  app: FastifyInstance,
  { stripe, checkouts, subscriptions, clock }: Services,
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

  app.post('/stripe/events', async (request) => {
    const news = newsOf(request.body, request.headers['stripe-signature']);
    if (news?.kind === 'setup') await checkouts.setUp(news.setup);
    if (news?.kind === 'charge') {
      await checkouts.charged(news.key);
      await subscriptions.charged(news.key);
    }
    if (news?.kind === 'refund') {
      const isKnown = await subscriptions.refunded(news.reference, news.inAll);
      // Of one of our charges whose payment is not written down yet: it is told again.
      if (!isKnown && news.key) throw new AppError('unavailable');
    }
    return {};
  });
}
