import { type Account, createId, invalidRequest, StripeApiError } from './account.ts';
import type { Metadata, PaymentError, StripeObjects } from './objects.ts';
import {
  integer,
  isMatch,
  metadata,
  optional,
  page,
  paginate,
  type Route,
  retrieveRoute,
  route,
  text,
} from './routes.ts';

type Intent = StripeObjects['payment_intent'];

/** Creates the operations on payment intents, refunds and disputes. */
export function createPayments(account: Account) {
  const { behavior } = account;

  function createIntent(customer: string, amount: number, currency: string, description: string): Intent {
    const id = createId('pi');
    const created = account.now(customer);
    const intent = account.save('payment_intent', {
      id,
      object: 'payment_intent',
      created,
      customer,
      amount,
      currency,
      description,
      amount_received: 0,
      client_secret: `${id}_secret_of_the_page`,
      metadata: {},
      livemode: true,
      status: 'requires_payment_method',
      payment_method: null,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      canceled_at: null,
    });
    account.emit('payment_intent.created', intent, customer);
    return intent;
  }

  function succeed(intent: Intent): void {
    const { customer, amount, currency, id, metadata } = intent;
    const charge = account.save('charge', {
      id: createId('ch'),
      object: 'charge',
      created: account.now(customer),
      customer,
      amount,
      currency,
      amount_refunded: 0,
      disputed: false,
      metadata: { ...metadata },
      paid: true,
      refunded: false,
      status: 'succeeded',
      payment_intent: id,
    });
    Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id });
    Object.assign(intent, { last_payment_error: null, next_action: null });
    account.emit('charge.succeeded', charge, customer);
    account.emit('payment_intent.succeeded', intent, customer);
  }

  function decline(intent: Intent, reason: string, card: string): void {
    const asksOwner = reason === 'authentication_required';
    const error: PaymentError = {
      type: 'card_error',
      code: asksOwner ? reason : 'card_declined',
      decline_code: reason,
      message: 'Your card was declined.',
    };
    const payment_method = account.find('payment_method', card) ?? { id: card, object: 'payment_method' };
    Object.assign(intent, { status: 'requires_payment_method', payment_method: null, next_action: null });
    intent.last_payment_error = { ...error, payment_method };
    account.emit('payment_intent.payment_failed', intent, intent.customer);
  }

  return {
    createIntent,
    succeed,
    decline,

    /** Charges a card, with the outcome that `behavior` sets. */
    attempt(intent: Intent, card: string): void {
      account.paymentAttempts += 1;
      const reason = behavior.declines.get(intent.customer) ?? behavior.decline;
      intent.payment_method = card;
      if (reason === 'requires_action') {
        Object.assign(intent, { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
        account.emit('payment_intent.requires_action', intent, intent.customer);
      } else if (reason) {
        decline(intent, reason, card);
      } else if (behavior.processing) {
        intent.status = 'processing';
        account.emit('payment_intent.processing', intent, intent.customer);
      } else {
        succeed(intent);
      }
    },

    cancelIntent(intent: Intent): void {
      if (intent.status === 'succeeded' || intent.status === 'processing' || intent.status === 'canceled') {
        throw invalidRequest(
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
          'payment_intent_unexpected_state',
        );
      }
      Object.assign(intent, { status: 'canceled', canceled_at: account.now(intent.customer) });
      account.emit('payment_intent.canceled', intent, intent.customer);
    },

    /** Refunds an amount; by default all that is not refunded yet. */
    refund(fields: { payment_intent: string; amount?: number | undefined; metadata?: Metadata | undefined }) {
      const intent = account.requireParam('payment_intent', fields.payment_intent, 'payment_intent');
      const charge = account.find('charge', intent.latest_charge);
      if (!charge) throw invalidRequest('This PaymentIntent does not have a successful charge to refund.');
      const disputes = account.list('dispute').filter((each) => each.charge === charge.id);
      // An inquiry moves no money, and a won dispute returned it.
      if (disputes.some(({ status }) => status !== 'won' && !status.startsWith('warning_'))) {
        throw invalidRequest('This charge has been charged back.', 'charge_disputed');
      }
      const left = charge.amount - charge.amount_refunded;
      if (left === 0) throw invalidRequest('This charge was refunded already.', 'charge_already_refunded');
      const amount = fields.amount ?? left;
      if (amount > left)
        throw new StripeApiError(400, { param: 'amount', message: 'More than is left of it.' });
      const created = account.now(intent.customer);
      const refund = account.save('refund', {
        id: createId('re'),
        object: 'refund',
        created,
        amount,
        currency: intent.currency,
        charge: charge.id,
        payment_intent: intent.id,
        metadata: fields.metadata ?? {},
        status: 'succeeded',
      });
      charge.amount_refunded += amount;
      charge.refunded = charge.amount_refunded === charge.amount;
      account.emit('refund.created', refund, intent.customer);
      account.emit('charge.refunded', charge, intent.customer);
      return refund;
    },

    /** Creates the dispute about a payment, or updates its status. */
    dispute(
      payment: string,
      status: StripeObjects['dispute']['status'],
      amount?: number,
    ): StripeObjects['dispute'] {
      const intent = account.get('payment_intent', payment);
      const charge = account.find('charge', intent.latest_charge);
      if (!charge) throw new Error('Only a payment that was made can be disputed');
      const known = account.list('dispute').find((each) => each.payment_intent === payment);
      const dispute =
        known ??
        account.save('dispute', {
          id: createId('du'),
          object: 'dispute',
          created: account.now(intent.customer),
          status,
          amount: amount ?? charge.amount,
          currency: charge.currency,
          reason: 'fraudulent',
          charge: charge.id,
          payment_intent: intent.id,
          metadata: {},
          livemode: true,
        });
      dispute.status = status;
      charge.disputed = true;
      const isClosed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
      const what = known ? (isClosed ? 'closed' : 'updated') : 'created';
      account.emit(`charge.dispute.${what}`, dispute, intent.customer);
      return dispute;
    },
  };
}
export type Payments = ReturnType<typeof createPayments>;

export const paymentRoutes = (account: Account, payments: Payments): Route[] => [
  retrieveRoute(account, '/v1/payment_intents', 'payment_intent'),
  route(
    'GET',
    '/v1/payment_intents',
    { ...page, customer: optional(text) },
    ({ customer: of, ...pagination }) =>
      paginate(account, 'payment_intent', (each) => isMatch(of, each.customer), pagination),
  ),
  route('POST', '/v1/payment_intents/:id/cancel', {}, (_, id) => {
    account.get('payment_intent', id);
    throw invalidRequest('You cannot cancel a PaymentIntent of an invoice: void the invoice instead.');
  }),
  retrieveRoute(account, '/v1/charges', 'charge'),
  route(
    'POST',
    '/v1/refunds',
    { payment_intent: text, amount: optional(integer), metadata: optional(metadata) },
    (fields) => payments.refund(fields),
  ),
  retrieveRoute(account, '/v1/refunds', 'refund'),
  route(
    'GET',
    '/v1/refunds',
    { ...page, payment_intent: optional(text) },
    ({ payment_intent: of, ...pagination }) =>
      paginate(account, 'refund', (each) => isMatch(of, each.payment_intent), pagination),
  ),
  retrieveRoute(account, '/v1/disputes', 'dispute'),
  route(
    'GET',
    '/v1/disputes',
    { ...page, payment_intent: optional(text) },
    ({ payment_intent: of, ...pagination }) =>
      paginate(account, 'dispute', (each) => isMatch(of, each.payment_intent), pagination),
  ),
];
