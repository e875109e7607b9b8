import { type Account, idOf, type Kinds, type Metadata, type PaymentError } from './account.ts';
import { impossible, Refusal } from './refusal.ts';

type Intent = Kinds['payment_intent'];

/** Payments, what is given back of them, and disputes about them. */
export function paymentsOf(account: Account) {
  const { conduct } = account;

  function begun(customer: string, amount: number, currency: string, description: string): Intent {
    const id = idOf('pi');
    const created = account.now(customer);
    const intent = account.keep('payment_intent', {
      ...{ id, object: 'payment_intent', created, customer, amount, currency, description },
      ...{ amount_received: 0, client_secret: `${id}_secret_of_the_page`, metadata: {}, livemode: true },
      ...{ status: 'requires_payment_method', payment_method: null, latest_charge: null },
      ...{ last_payment_error: null, next_action: null, canceled_at: null },
    });
    account.tell('payment_intent.created', intent, customer);
    return intent;
  }

  function succeed(intent: Intent): void {
    const { customer, amount, currency, id, metadata } = intent;
    const charge = account.keep('charge', {
      ...{ id: idOf('ch'), object: 'charge', created: account.now(customer), customer, amount, currency },
      ...{ amount_refunded: 0, disputed: false, metadata: { ...metadata }, paid: true, refunded: false },
      ...{ status: 'succeeded', payment_intent: id },
    });
    Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id });
    Object.assign(intent, { last_payment_error: null, next_action: null });
    account.tell('charge.succeeded', charge, customer);
    account.tell('payment_intent.succeeded', intent, customer);
  }

  function decline(intent: Intent, reason: string, card: string): void {
    const asksOwner = reason === 'authentication_required';
    const error: PaymentError = {
      ...{ type: 'card_error', code: asksOwner ? reason : 'card_declined', decline_code: reason },
      message: 'Your card was declined.',
    };
    const payment_method = account.find('payment_method', card) ?? { id: card, object: 'payment_method' };
    Object.assign(intent, { status: 'requires_payment_method', payment_method: null, next_action: null });
    intent.last_payment_error = { ...error, payment_method };
    account.tell('payment_intent.payment_failed', intent, intent.customer);
  }

  return {
    begun,
    succeed,
    decline,

    /** Charges a card as it behaves now. The payment says how that ended. */
    attempt(intent: Intent, card: string): void {
      account.tried += 1;
      const reason = conduct.declines.get(intent.customer) ?? conduct.decline;
      intent.payment_method = card;
      if (reason === 'requires_action') {
        Object.assign(intent, { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
        account.tell('payment_intent.requires_action', intent, intent.customer);
      } else if (reason) {
        decline(intent, reason, card);
      } else if (conduct.processing) {
        intent.status = 'processing';
        account.tell('payment_intent.processing', intent, intent.customer);
      } else {
        succeed(intent);
      }
    },

    stop(intent: Intent): void {
      if (intent.status === 'succeeded' || intent.status === 'processing' || intent.status === 'canceled') {
        throw impossible(
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
          'payment_intent_unexpected_state',
        );
      }
      Object.assign(intent, { status: 'canceled', canceled_at: account.now(intent.customer) });
      account.tell('payment_intent.canceled', intent, intent.customer);
    },

    /** Gives back, all that is left unless said. Throws where it is more than that. */
    refund(fields: { payment_intent: string; amount?: number | undefined; metadata?: Metadata | undefined }) {
      const intent = account.named('payment_intent', fields.payment_intent, 'payment_intent');
      const charge = account.find('charge', intent.latest_charge);
      if (!charge) throw impossible('This PaymentIntent does not have a successful charge to refund.');
      const disputes = account.list('dispute').filter((each) => each.charge === charge.id);
      // An inquiry moves no money, and what was won is ours again.
      if (disputes.some(({ status }) => status !== 'won' && !status.startsWith('warning_'))) {
        throw impossible('This charge has been charged back.', 'charge_disputed');
      }
      const left = charge.amount - charge.amount_refunded;
      if (left === 0) throw impossible('This charge was refunded already.', 'charge_already_refunded');
      const amount = fields.amount ?? left;
      if (amount > left) throw new Refusal(400, { param: 'amount', message: 'More than is left of it.' });
      const created = account.now(intent.customer);
      const refund = account.keep('refund', {
        ...{ id: idOf('re'), object: 'refund', created, amount, currency: intent.currency },
        ...{ charge: charge.id, payment_intent: intent.id, metadata: fields.metadata ?? {} },
        status: 'succeeded',
      });
      charge.amount_refunded += amount;
      charge.refunded = charge.amount_refunded === charge.amount;
      account.tell('refund.created', refund, intent.customer);
      account.tell('charge.refunded', charge, intent.customer);
      return refund;
    },

    /** The bank of a card says how a dispute about a payment stands; the first time opens it. In: Stripe's words for it. */
    dispute(payment: string, status: Kinds['dispute']['status'], amount?: number): Kinds['dispute'] {
      const intent = account.get('payment_intent', payment);
      const charge = account.find('charge', intent.latest_charge);
      if (!charge) throw new Error('Only a payment that was made can be disputed');
      const known = account.list('dispute').find((each) => each.payment_intent === payment);
      const dispute =
        known ??
        account.keep('dispute', {
          ...{ id: idOf('du'), object: 'dispute', created: account.now(intent.customer), status },
          ...{ amount: amount ?? charge.amount, currency: charge.currency, reason: 'fraudulent' },
          ...{ charge: charge.id, payment_intent: intent.id, metadata: {}, livemode: true },
        });
      dispute.status = status;
      charge.disputed = true;
      const isClosed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
      const what = known ? (isClosed ? 'closed' : 'updated') : 'created';
      account.tell(`charge.dispute.${what}`, dispute, intent.customer);
      return dispute;
    },
  };
}
export type Payments = ReturnType<typeof paymentsOf>;
