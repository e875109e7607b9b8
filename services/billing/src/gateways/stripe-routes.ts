import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import type { CheckoutService } from '../checkouts/service.ts';
import { faults } from '../faults.ts';
import type { PaymentService } from '../payments/service.ts';
import type { StripeGateway, StripeNews } from './stripe.ts';

interface Services {
  stripe: StripeGateway;
  checkouts: CheckoutService;
  payments: PaymentService;
  clock: () => Date;
}

/**
 * Where Stripe says that something happened (RCB-02). An event is a reason to ask Stripe how things stand, so that one
 * that comes twice, late or before another changes nothing that it should not. A fault of ours makes Stripe tell again.
 */
export function registerStripe(app: FastifyInstance, { stripe, checkouts, payments, clock }: Services): void {
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

  /** Of one of our charges whose payment is not written down yet: it is told again. */
  const known = (isKnown: boolean, key: string | undefined) => {
    if (!isKnown && key) throw new AppError('unavailable');
  };

  app.post('/stripe/events', async (request) => {
    const news = newsOf(request.body, request.headers['stripe-signature']);
    if (news?.kind === 'setup') await checkouts.setUp(news.setup);
    if (news?.kind === 'charge') {
      await checkouts.charged(news.key);
      await payments.charged(news.key);
    }
    if (news?.kind === 'refund') known(await payments.refunded(news.reference, news.inAll), news.key);
    if (news?.kind === 'dispute') {
      const found = await stripe.dispute(news.dispute);
      if (found) known(await payments.disputed(found.reference, found.dispute), found.key);
    }
    return {};
  });
}
