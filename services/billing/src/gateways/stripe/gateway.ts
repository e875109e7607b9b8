import type { PaymentConfirmation } from '@escucho/contracts';
import type Stripe from 'stripe';
import type { Dispute } from '../../payments/policy.ts';
import type { Environment } from '../../subscribers/policy.ts';
import { type Charge, type Gateway, GatewayError, type Setup } from '../gateway.ts';
import {
  callStripe,
  createStripeClient,
  getId,
  ignoreMissing,
  isMissing,
  type StripeOptions,
} from './client.ts';
import { findPaymentIntent, getInvoiceSubscription } from './invoices.ts';
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

/** Cards and other methods without a redirect, so that users stay on the page. */
const automatic_payment_methods = { enabled: true, allow_redirects: 'never' } as const;

/** Identifies the service's portal configuration among those of the account. */
const portalMetadata = { escucho: 'portal' };

/** Plans are changed in the app, where another plan begins with the next period. */
const portalFeatures: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
};

/** Creates the function that opens a session of Stripe's customer portal (RCB-02). */
function createPortal(stripe: Stripe) {
  /** Returns the service's configuration, which is created where the account has no active one. */
  async function findConfiguration(): Promise<string> {
    const { data } = await callStripe(stripe.billingPortal.configurations.list({ active: true, limit: 100 }));
    const existing = data.find(({ metadata }) => metadata?.escucho === portalMetadata.escucho);
    if (existing) return existing.id;
    const params = { features: portalFeatures, metadata: portalMetadata };
    return (await callStripe(stripe.billingPortal.configurations.create(params))).id;
  }

  return async (customer: string, returnUrl: string): Promise<string> => {
    // Looked up each time, because an administrator may switch it off in Stripe's dashboard.
    const params = { customer, configuration: await findConfiguration(), return_url: returnUrl };
    return (await callStripe(stripe.billingPortal.sessions.create(params))).url;
  };
}

/** Creates the Stripe gateway: a SetupIntent and a Subscription for each purchase (RCB-02). */
export function createStripeGateway(options: StripeOptions, environment: Environment) {
  const { publishableKey, accountId, webhookSecret } = options;
  const stripe = createStripeClient(options);
  const prices = createStripePrices(stripe);
  const { invoices, findUnpaidInvoice, ...subscriptions } = createStripeSubscriptions(
    stripe,
    prices.findForTerms,
    environment,
  );

  async function findConfirmation(charge: Charge): Promise<PaymentConfirmation | undefined> {
    const unpaid = await findUnpaidInvoice(charge);
    const invoice = unpaid?.status === 'open' ? await invoices.retrieve(unpaid.id) : undefined;
    const intent = invoice && findPaymentIntent(invoice);
    const clientSecret = invoice?.confirmation_secret?.client_secret ?? intent?.client_secret;
    if (!intent || !clientSecret || !/^requires_/.test(intent.status)) return undefined;
    const card =
      getId(intent.payment_method) ?? getId(intent.last_payment_error?.payment_method) ?? charge.payer.card;
    return { clientSecret, card, publishableKey, accountId };
  }

  async function createSetupFor(customer: string, checkout: string): Promise<Setup> {
    const setup = await callStripe(
      stripe.setupIntents.create(
        { customer, usage: 'off_session', automatic_payment_methods, metadata: { checkout } },
        { idempotencyKey: `${checkout}.setup.${customer}` },
      ),
    );
    if (!setup.client_secret) throw new GatewayError('Stripe: a set-up without a secret');
    return { setup: setup.id, customer, clientSecret: setup.client_secret, publishableKey, accountId };
  }

  const gateway: Gateway = {
    ...subscriptions,
    findConfirmation,
    // The next attempt pays the same invoice.
    abandonCharge: subscriptions.findCharge,
    createPortalUrl: createPortal(stripe),

    async createSetup({ checkout, email, customer: known }) {
      try {
        if (known && email !== undefined) await callStripe(stripe.customers.update(known, { email }));
        if (known) return await createSetupFor(known, checkout);
      } catch (error) {
        // An administrator may have deleted the customer in Stripe's dashboard.
        if (!isMissing(error)) throw error;
      }
      const once = { idempotencyKey: `${checkout}.customer` };
      const { id } = await callStripe(
        stripe.customers.create({ ...(email !== undefined && { email }) }, once),
      );
      return createSetupFor(id, checkout);
    },

    async findSetup(id) {
      const setup = await callStripe(stripe.setupIntents.retrieve(id)).catch(ignoreMissing);
      const card = getId(setup?.payment_method);
      const customer = getId(setup?.customer);
      if (setup?.status === 'succeeded' && card && customer) return { status: 'succeeded', card, customer };
      return { status: setup?.status === 'canceled' ? 'failed' : 'waiting' };
    },

    async deleteCustomer(customer) {
      await callStripe(stripe.customers.del(customer)).catch(ignoreMissing);
    },
  };

  return {
    gateway,

    /** Returns prices by product identifier; creates missing ones at Stripe. Throws `GatewayError`. */
    findPrices: prices.find,

    /**
     * Returns a dispute and the payment it is about; undefined for an inquiry, which moves no money.
     *
     * @throws GatewayError
     */
    async findDispute(id: string) {
      const { status, amount, payment_intent: intent } = await callStripe(stripe.disputes.retrieve(id));
      const state = disputeStatuses[status];
      const reference = getId(intent);
      if (!state || !reference) return undefined;
      const dispute: Dispute = { id, status: state, amount };
      return { reference, dispute };
    },

    /** Returns the subscription of a payment, if it was created for an order. Throws `GatewayError`. */
    async findSubscription(reference: string) {
      const payment = { type: 'payment_intent', payment_intent: reference } as const;
      const { data } = await callStripe(
        stripe.invoicePayments.list({ payment, limit: 1, expand: ['data.invoice'] }),
      );
      const invoice = data[0]?.invoice;
      if (!invoice || typeof invoice === 'string' || invoice.deleted) return undefined;
      const { subscription, order } = getInvoiceSubscription(invoice) ?? {};
      return subscription && order ? { subscription, order } : undefined;
    },

    /** Verifies and parses a webhook request. Throws for a wrong signature. */
    parseEvent: (body: string, signature: string, now: Date): Stripe.Event =>
      stripe.webhooks.constructEvent(body, signature, webhookSecret, 300, undefined, now.getTime()),
  };
}

export type StripeGateway = ReturnType<typeof createStripeGateway>;
