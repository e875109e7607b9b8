import { type Account, createId, invalidRequest, StripeApiError } from './account.ts';
import type { StripeObjects } from './objects.ts';
import { integer, optional, retrieveRoute, route, text } from './routes.ts';

type Intent = StripeObjects['payment_intent'];

/** Creates the operations and routes of payment intents, refunds and disputes. */
export function createPayments(account: Account) {
  const { behavior } = account;

  function succeed(intent: Intent): void {
    const { customer, amount, id } = intent;
    const charge = account.save('charge', {
      id: createId('ch'),
      object: 'charge',
      created: account.now(customer),
      customer,
      amount,
      amount_refunded: 0,
      payment_intent: id,
    });
    Object.assign(intent, { status: 'succeeded', latest_charge: charge.id, last_payment_error: null });
    account.emit('charge.succeeded', charge, customer);
    account.emit('payment_intent.succeeded', intent, customer);
  }

  function decline(intent: Intent, reason: string, card: string): void {
    Object.assign(intent, { status: 'requires_payment_method', payment_method: null });
    intent.last_payment_error = {
      type: 'card_error',
      code: reason === 'authentication_required' ? reason : 'card_declined',
      decline_code: reason,
      message: 'Your card was declined.',
      payment_method: account.find('payment_method', card) ?? { id: card, object: 'payment_method' },
    };
    account.emit('payment_intent.payment_failed', intent, intent.customer);
  }

  function requireCharge({ latest_charge: charge }: Intent): StripeObjects['charge'] {
    const found = account.find('charge', charge);
    if (!found) throw invalidRequest('This PaymentIntent does not have a successful charge.');
    return found;
  }

  return {
    succeed,
    decline,

    createIntent(customer: string, amount: number): Intent {
      const id = createId('pi');
      const intent = account.save('payment_intent', {
        id,
        object: 'payment_intent',
        created: account.now(customer),
        customer,
        amount,
        client_secret: `${id}_secret_of_the_page`,
        status: 'requires_payment_method',
        payment_method: null,
        latest_charge: null,
        last_payment_error: null,
      });
      account.emit('payment_intent.created', intent, customer);
      return intent;
    },

    /** Charges a card, with the outcome that `behavior` sets. */
    attempt(intent: Intent, card: string): void {
      account.paymentAttempts += 1;
      const reason = behavior.declines.get(intent.customer) ?? behavior.decline;
      intent.payment_method = card;
      if (reason === 'requires_action') {
        intent.status = 'requires_action';
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
      intent.status = 'canceled';
      account.emit('payment_intent.canceled', intent, intent.customer);
    },

    /** Creates the dispute about a payment, or updates its status. */
    dispute(payment: string, status: StripeObjects['dispute']['status'], amount?: number) {
      const intent = account.get('payment_intent', payment);
      const charge = requireCharge(intent);
      const known = account.list('dispute').find((each) => each.payment_intent === payment);
      const dispute =
        known ??
        account.save('dispute', {
          id: createId('du'),
          object: 'dispute',
          created: account.now(intent.customer),
          status,
          amount: amount ?? charge.amount,
          payment_intent: payment,
        });
      dispute.status = status;
      const isClosed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
      const what = known ? (isClosed ? 'closed' : 'updated') : 'created';
      account.emit(`charge.dispute.${what}`, dispute, intent.customer);
      return dispute;
    },

    routes: [
      retrieveRoute(account, '/v1/payment_intents', 'payment_intent'),
      // Refunds an amount; by default all that is not refunded yet.
      route('POST', '/v1/refunds', { payment_intent: text, amount: optional(integer) }, (fields) => {
        const { payment_intent: payment } = fields;
        const intent = account.requireParam('payment_intent', payment, 'payment_intent');
        const charge = requireCharge(intent);
        const disputes = account.list('dispute').filter((each) => each.payment_intent === payment);
        // An inquiry moves no money, and a won dispute returned it.
        if (disputes.some(({ status }) => status !== 'won' && !status.startsWith('warning_'))) {
          throw invalidRequest('This charge has been charged back.', 'charge_disputed');
        }
        const left = charge.amount - charge.amount_refunded;
        if (left === 0) throw invalidRequest('This charge was refunded already.', 'charge_already_refunded');
        const { amount = left } = fields;
        if (amount > left)
          throw new StripeApiError(400, { param: 'amount', message: 'More than is left of it.' });
        const refund = account.save('refund', {
          id: createId('re'),
          object: 'refund',
          created: account.now(intent.customer),
          amount,
          payment_intent: payment,
        });
        charge.amount_refunded += amount;
        account.emit('refund.created', refund, intent.customer);
        account.emit('charge.refunded', charge, intent.customer);
        return refund;
      }),
      retrieveRoute(account, '/v1/disputes', 'dispute'),
    ],
  };
}
export type Payments = ReturnType<typeof createPayments>;
