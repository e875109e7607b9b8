import Stripe from 'stripe';
import type { Dispute } from '../payments/policy.ts';
import { asksOwner, type ChargeOutcome } from '../subscriptions/policy.ts';
import { type Gateway, GatewayFault } from './gateway.ts';
import { asked, faultOf, idOf, isMissing, type StripeOptions, stripeClient } from './stripe-client.ts';
import { stripePortal } from './stripe-portal.ts';

/** What an event of Stripe's is a reason to look at. */
export type StripeNews =
  | { kind: 'setup'; setup: string }
  | { kind: 'charge'; key: string }
  | { kind: 'refund'; reference: string; inAll: number; key: string | undefined }
  | { kind: 'dispute'; dispute: string };

/** Why a charge was refused. In: what Stripe says of it, where it does; else how the charge stands. */
function reasonOf(error: { code?: string; decline_code?: string } | null, otherwise: string): string {
  const reasons = [error?.decline_code, error?.code, otherwise];
  const isAsked = reasons.includes(asksOwner) || otherwise === 'requires_action';
  return isAsked ? asksOwner : (reasons.find((reason) => reason) ?? otherwise);
}

function outcomeOf({ id, status, last_payment_error: error }: Stripe.PaymentIntent): ChargeOutcome {
  if (status === 'succeeded') return { status: 'succeeded', reference: id };
  if (status === 'processing') return { status: 'pending' };
  return { status: 'failed', reason: reasonOf(error, status) };
}

const disputeStatuses: Readonly<Record<string, Dispute['status']>> = {
  ...{ needs_response: 'open', under_review: 'open', appeal_needs_response: 'open' },
  ...{ appeal_under_review: 'open', won: 'won', lost: 'lost', prevented: 'lost' },
};

/** Cards, and what needs no page of its own: readers stay with us. */
const automatic_payment_methods = { enabled: true, allow_redirects: 'never' } as const;

/** Cards at Stripe, by its own library: a SetupIntent for each purchase, an off-session PaymentIntent for each charge. */
export function stripeGateway(options: StripeOptions) {
  const { publishableKey, accountId, webhookSecret } = options;
  const stripe = stripeClient(options);

  /** The payment that was made for a charge's key. */
  async function paymentFor(key: string, customer: string): Promise<Stripe.PaymentIntent | undefined> {
    const pages = stripe.paymentIntents.list({ customer, limit: 100 });
    try {
      for await (const intent of pages) if (intent.metadata.charge === key) return intent;
    } catch (error) {
      throw faultOf(error);
    }
    return undefined;
  }

  const gateway: Gateway = {
    async begin({ checkout, email, customer: known }) {
      const once = (what: string) => ({ idempotencyKey: `${checkout}.${what}` });
      const customer = known ?? (await asked(stripe.customers.create({ email }, once('customer')))).id;
      const setup = await asked(
        stripe.setupIntents.create(
          { customer, usage: 'off_session', automatic_payment_methods, metadata: { checkout } },
          once('setup'),
        ),
      );
      if (!setup.client_secret) throw new GatewayFault('Stripe: a set-up without a secret');
      return { setup: setup.id, customer, clientSecret: setup.client_secret, publishableKey, accountId };
    },

    async setupOf(id) {
      const { status, ...setup } = await asked(stripe.setupIntents.retrieve(id));
      const card = idOf(setup.payment_method);
      const customer = idOf(setup.customer);
      if (status === 'succeeded' && card && customer) return { status: 'succeeded', card, customer };
      return { status: status === 'canceled' ? 'failed' : 'waiting' };
    },

    async charge(key, { customer, card }, { amount, currency }) {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            ...{ amount, currency: currency.toLowerCase(), customer, metadata: { charge: key } },
            ...{ payment_method: card, off_session: true, confirm: true },
          },
          { idempotencyKey: key },
        );
        return outcomeOf(intent);
      } catch (error) {
        const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
        const isRefusal = error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
        if (!isRefusal) throw faultOf(error);
        return { status: 'failed', reason: reasonOf(error, error.type) };
      }
    },

    async findCharge(key, { customer }) {
      const intent = await paymentFor(key, customer);
      return intent && outcomeOf(intent);
    },

    async confirmation(key, payer) {
      const intent = await paymentFor(key, payer.customer);
      if (!intent?.client_secret || !/^requires_/.test(intent.status)) return undefined;
      const card =
        idOf(intent.payment_method) ?? idOf(intent.last_payment_error?.payment_method) ?? payer.card;
      return { clientSecret: intent.client_secret, card, publishableKey, accountId };
    },

    async giveUp(key, { customer }) {
      const intent = await paymentFor(key, customer);
      if (!intent || !/^requires_/.test(intent.status)) return intent && outcomeOf(intent);
      // What was confirmed this moment cannot be given up; it stands as it stands.
      const stopped = await stripe.paymentIntents.cancel(intent.id).catch(() => undefined);
      return outcomeOf(stopped ?? (await asked(stripe.paymentIntents.retrieve(intent.id))));
    },

    async refund(key, reference, { amount }) {
      await asked(stripe.refunds.create({ payment_intent: reference, amount }, { idempotencyKey: key }));
    },

    async forget(customer) {
      await asked(stripe.customers.del(customer)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },

    manage: stripePortal(stripe),
  };

  return {
    gateway,

    /** Prices by their lookup keys, in the smallest unit. Throws `GatewayFault`. */
    async prices(lookupKeys: string[]): Promise<Map<string, { amount: number; currency: string }>> {
      const { data } = await asked(stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 100 }));
      return new Map(
        data.flatMap(({ lookup_key: key, unit_amount: amount, currency }) =>
          key && amount ? [[key, { amount, currency: currency.toUpperCase() }] as const] : [],
        ),
      );
    },

    /**
     * A dispute as it stands: which payment it is about, and the charge's key where the payment is one of ours. Nothing for
     * a mere inquiry, which moves no money. Throws `GatewayFault`.
     */
    async dispute(id: string) {
      const {
        status,
        amount,
        payment_intent: about,
      } = await asked(stripe.disputes.retrieve(id, { expand: ['payment_intent'] }));
      const stands = disputeStatuses[status];
      if (!stands || !about || typeof about === 'string') return undefined;
      const dispute: Dispute = { id, status: stands, amount };
      return { reference: about.id, key: about.metadata.charge, dispute };
    },

    /** What an event is about, or nothing that concerns us. In: its body as it came. Throws where it is not Stripe's. */
    newsOf(body: string, signature: string, now: Date): StripeNews | undefined {
      const { type, data } = stripe.webhooks.constructEvent(
        ...([body, signature, webhookSecret, 300, undefined, now.getTime()] as const),
      );
      switch (type) {
        case 'setup_intent.succeeded':
        case 'setup_intent.canceled':
          return { kind: 'setup', setup: data.object.id };
        case 'payment_intent.succeeded':
        case 'payment_intent.payment_failed': {
          const key = data.object.metadata.charge;
          return key ? { kind: 'charge', key } : undefined;
        }
        case 'charge.refunded': {
          const { payment_intent: intent, amount_refunded: inAll, metadata } = data.object;
          const reference = idOf(intent);
          return reference ? { kind: 'refund', reference, inAll, key: metadata.charge } : undefined;
        }
        case 'charge.dispute.created':
        case 'charge.dispute.updated':
        case 'charge.dispute.closed':
          return { kind: 'dispute', dispute: data.object.id };
        default:
          return undefined;
      }
    },
  };
}

export type StripeGateway = ReturnType<typeof stripeGateway>;
