import type { Product } from '../../offerings/catalogue.ts';
import type { Dispute } from '../../payments/policy.ts';
import { type Charge, type Confirmation, type Gateway, GatewayError } from '../gateway.ts';
import { callStripe, createStripeClient, getId, isMissing, type StripeOptions } from './client.ts';
import { parseEvent } from './events.ts';
import { findPaymentIntent, getInvoiceSubscription } from './invoices.ts';
import { stripePortal } from './portal.ts';
import { createStripePrices } from './prices.ts';
import { createStripeSubscriptions } from './subscriptions.ts';

const disputeStatuses: Readonly<Record<string, Dispute['status']>> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
  prevented: 'lost',
};

/** Cards, and what needs no page of its own: readers stay with us. */
const automatic_payment_methods = { enabled: true, allow_redirects: 'never' } as const;

/** Cards and subscriptions at Stripe, by its own library: a SetupIntent and a Subscription for each purchase (RCB-02). */
export function createStripeGateway(options: StripeOptions) {
  const { publishableKey, accountId, webhookSecret } = options;
  const stripe = createStripeClient(options);
  const prices = createStripePrices(stripe);
  const { invoices, owedFor, ...subscriptions } = createStripeSubscriptions(stripe, prices.of);

  async function confirmation(charge: Charge): Promise<Confirmation | undefined> {
    const owed = await owedFor(charge);
    const invoice = owed?.status === 'open' ? await invoices.whole(owed.id) : undefined;
    const intent = invoice && findPaymentIntent(invoice);
    const clientSecret = invoice?.confirmation_secret?.client_secret ?? intent?.client_secret;
    if (!intent || !clientSecret || !/^requires_/.test(intent.status)) return undefined;
    const card =
      getId(intent.payment_method) ?? getId(intent.last_payment_error?.payment_method) ?? charge.payer.card;
    return { clientSecret, card, publishableKey, accountId };
  }

  const gateway: Gateway = {
    ...subscriptions,
    confirmation,
    // The same invoice is paid by whatever comes next.
    abandonCharge: subscriptions.findCharge,
    manage: stripePortal(stripe),

    async begin({ checkout, email, customer: known }) {
      const once = (what: string) => ({ idempotencyKey: `${checkout}.${what}` });
      const customer = known ?? (await callStripe(stripe.customers.create({ email }, once('customer')))).id;
      const setup = await callStripe(
        stripe.setupIntents.create(
          { customer, usage: 'off_session', automatic_payment_methods, metadata: { checkout } },
          once('setup'),
        ),
      );
      if (!setup.client_secret) throw new GatewayError('Stripe: a set-up without a secret');
      return { setup: setup.id, customer, clientSecret: setup.client_secret, publishableKey, accountId };
    },

    async findSetup(id) {
      const { status, ...setup } = await callStripe(stripe.setupIntents.retrieve(id));
      const card = getId(setup.payment_method);
      const customer = getId(setup.customer);
      if (status === 'succeeded' && card && customer) return { status: 'succeeded', card, customer };
      return { status: status === 'canceled' ? 'failed' : 'waiting' };
    },

    async refund(key, reference, { amount }) {
      await callStripe(stripe.refunds.create({ payment_intent: reference, amount }, { idempotencyKey: key }));
    },

    async forget(customer) {
      await callStripe(stripe.customers.del(customer)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
  };

  return {
    gateway,

    /** Prices of products by their identifiers, made at Stripe where it has none. Throws `GatewayError`. */
    prices: (products: readonly Product[]) => prices.find(products),

    /**
     * A dispute as it stands, and the payment that it is about. Nothing for a mere inquiry, ref moves no money. Throws
     * `GatewayError`.
     */
    async dispute(id: string) {
      const { status, amount, payment_intent: about } = await callStripe(stripe.disputes.retrieve(id));
      const stands = disputeStatuses[status];
      const reference = getId(about);
      if (!stands || !reference) return undefined;
      const dispute: Dispute = { id, status: stands, amount };
      return { reference, dispute };
    },

    /** The subscription that a payment was for, if it was for one that we began. Throws `GatewayError`. */
    async subscriptionOf(reference: string) {
      const payment = { type: 'payment_intent', payment_intent: reference } as const;
      const { data } = await callStripe(
        stripe.invoicePayments.list({ payment, limit: 1, expand: ['data.invoice'] }),
      );
      const invoice = data[0]?.invoice;
      if (!invoice || typeof invoice === 'string' || invoice.deleted) return undefined;
      const about = getInvoiceSubscription(invoice);
      return about?.order ? about : undefined;
    },

    /** What an event is about, or nothing that concerns us. In: its body as it came. Throws where it is not Stripe's. */
    parseEvent: (body: string, signature: string, now: Date) =>
      parseEvent(
        stripe.webhooks.constructEvent(body, signature, webhookSecret, 300, undefined, now.getTime()),
      ),
  };
}

export type StripeGateway = ReturnType<typeof createStripeGateway>;
