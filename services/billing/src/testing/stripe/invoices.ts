import { type Account, idOf, type Kinds, listOf } from './account.ts';
import { DAY, HOUR } from './calendar.ts';
import type { Payments } from './payments.ts';
import { impossible, Refusal } from './refusal.ts';

type Invoice = Kinds['invoice'];
type Subscription = Kinds['subscription'];

/** Refusals that Stripe does not try again by itself: only the owner of the card can make it succeed. */
const hard = new Set([
  ...['incorrect_number', 'lost_card', 'pickup_card', 'stolen_card', 'revocation_of_authorization'],
  ...['revocation_of_all_authorizations', 'authentication_required', 'highest_risk_level'],
  ...['transaction_not_allowed', 'requires_action'],
]);

/** The invoices of subscriptions: made, finalized, paid, tried again, voided. */
export function invoicesOf(account: Account, payments: Payments) {
  const subscriptionOf = (invoice: Invoice): Subscription | undefined =>
    account.find('subscription', invoice.parent.subscription_details.subscription);
  const paymentOf = (invoice: Invoice) =>
    account.list('invoice_payment').find((each) => each.invoice === invoice.id && each.is_default);

  function intentOf(invoice: Invoice): Kinds['payment_intent'] | undefined {
    return account.find('payment_intent', paymentOf(invoice)?.payment.payment_intent ?? null);
  }

  function toldOf(subscription: Subscription, status: Subscription['status']): void {
    if (subscription.status === status) return;
    subscription.status = status;
    account.tell('customer.subscription.updated', subscription, subscription.customer);
  }

  function paid(invoice: Invoice): void {
    const now = account.now(invoice.customer);
    const payment = paymentOf(invoice);
    if (payment) {
      Object.assign(payment, { status: 'paid', amount_paid: invoice.amount_due });
      payment.status_transitions.paid_at = now;
      account.tell('invoice_payment.paid', payment, invoice.customer);
    }
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due, amount_remaining: 0 });
    Object.assign(invoice, { attempted: true, next_payment_attempt: null, auto_advance: false });
    invoice.status_transitions.paid_at = now;
    account.tell('invoice.paid', invoice, invoice.customer);
    account.tell('invoice.payment_succeeded', invoice, invoice.customer);
    const subscription = subscriptionOf(invoice);
    const isLatest = subscription?.latest_invoice === invoice.id;
    if (isLatest && ['incomplete', 'past_due'].includes(subscription.status)) toldOf(subscription, 'active');
  }

  function failed(invoice: Invoice, reason: string): void {
    const now = account.now(invoice.customer);
    const first = (invoice.status_transitions.finalized_at ?? now) + 0;
    const next = account.conduct.retries.map((days) => first + days * DAY).find((at) => at > now);
    invoice.next_payment_attempt = hard.has(reason) || !invoice.auto_advance ? null : (next ?? null);
    account.tell('invoice.payment_failed', invoice, invoice.customer);
    if (reason === 'requires_action' || reason === 'authentication_required') {
      account.tell('invoice.payment_action_required', invoice, invoice.customer);
    }
    const subscription = subscriptionOf(invoice);
    if (subscription && ['active', 'trialing'].includes(subscription.status))
      toldOf(subscription, 'past_due');
  }

  /** How a payment ended, for the invoice that it pays. */
  function settled(invoice: Invoice, intent: Kinds['payment_intent']): void {
    if (intent.status === 'succeeded') paid(invoice);
    else if (intent.status !== 'processing') {
      failed(invoice, intent.last_payment_error?.decline_code ?? intent.status);
    }
  }

  function finalize(invoice: Invoice): Invoice {
    if (invoice.status !== 'draft') {
      throw impossible('This invoice is already finalized, you cannot finalize it again.');
    }
    const now = account.now(invoice.customer);
    Object.assign(invoice, { status: 'open', automatically_finalizes_at: null });
    invoice.number = `E-${account.list('invoice').length}`;
    invoice.status_transitions.finalized_at = now;
    account.tell('invoice.finalized', invoice, invoice.customer);
    if (invoice.amount_due === 0) {
      paid(invoice);
      return invoice;
    }
    const what = invoice.billing_reason === 'subscription_create' ? 'creation' : 'update';
    const intent = payments.begun(
      ...([invoice.customer, invoice.amount_due, invoice.currency, `Subscription ${what}`] as const),
    );
    account.keep('invoice_payment', {
      ...{ id: idOf('inpay'), object: 'invoice_payment', created: now, invoice: invoice.id },
      ...{ amount_paid: null, amount_requested: invoice.amount_due, currency: invoice.currency },
      ...{ is_default: true, livemode: true, status: 'open' },
      payment: { type: 'payment_intent', payment_intent: intent.id },
      status_transitions: { canceled_at: null, paid_at: null },
    });
    invoice.next_payment_attempt = invoice.auto_advance ? now : null;
    return invoice;
  }

  /** Which card pays: the one said, the subscription's, the customer's. Throws where there is none. */
  function cardFor(invoice: Invoice, said?: string): string {
    const customer = account.named('customer', invoice.customer, 'customer');
    const card =
      said ??
      subscriptionOf(invoice)?.default_payment_method ??
      customer.invoice_settings.default_payment_method;
    if (!card) {
      throw impossible(
        'This customer has no attached payment source or default payment method.',
        'resource_missing',
      );
    }
    const attached = account.find('payment_method', card);
    if (attached?.customer !== customer.id) throw impossible('The card is not attached to the customer.');
    return card;
  }

  /** Tries an open invoice's payment. Out: how it ended. */
  function collect(invoice: Invoice, said?: string): Kinds['payment_intent'] {
    const intent = intentOf(invoice);
    if (!intent) throw new Error(`${invoice.id} has no payment`);
    if (intent.status === 'processing') throw impossible('A payment of this invoice is on its way.');
    payments.attempt(intent, cardFor(invoice, said));
    invoice.attempt_count += 1;
    invoice.attempted = true;
    settled(invoice, intent);
    return intent;
  }

  return {
    ...{ paymentOf, intentOf, subscriptionOf, settled, finalize, collect, cardFor },

    /** A draft for a period of a subscription. `free`: nothing is to be paid for it. */
    draft(
      subscription: Subscription,
      period: { start: number; end: number },
      reason: 'subscription_create' | 'subscription_cycle',
      { free = false, usage }: { free?: boolean; usage?: { start: number; end: number } } = {},
    ): Invoice {
      const { customer, id, metadata } = subscription;
      const [item] = subscription.items.data;
      const now = account.now(customer);
      const invoice = idOf('in');
      const amount = free ? 0 : (item.price.unit_amount ?? 0) * item.quantity;
      const isCycle = reason === 'subscription_cycle';
      const line: Invoice['lines']['data'][0] = {
        ...{ id: idOf('il'), object: 'line_item', amount, subtotal: amount, currency: item.price.currency },
        ...{ description: 'A period', invoice, metadata: { ...metadata }, period, quantity: item.quantity },
        parent: {
          ...{ type: 'subscription_item_details', invoice_item_details: null },
          subscription_item_details: { proration: false, subscription: id, subscription_item: item.id },
        },
        pricing: {
          type: 'price_details',
          price_details: { price: item.price.id, product: item.price.product },
        },
      };
      const made = account.keep('invoice', {
        ...{ id: invoice, object: 'invoice', created: now, customer, currency: item.price.currency },
        ...{ amount_due: amount, amount_paid: 0, amount_remaining: amount, subtotal: amount, total: amount },
        ...{ attempt_count: 0, attempted: false, auto_advance: true, billing_reason: reason },
        ...{ automatically_finalizes_at: isCycle ? now + HOUR : null, next_payment_attempt: null },
        ...{ collection_method: 'charge_automatically', livemode: true, metadata: {}, number: null },
        // Of the invoice: when its items came together, the period before. What is paid for is the line's.
        ...{ period_start: usage?.start ?? now, period_end: usage?.end ?? now, status: 'draft' },
        lines: { ...listOf([], `/v1/invoices/${invoice}/lines`), data: [line] },
        status_transitions: {
          finalized_at: null,
          marked_uncollectible_at: null,
          paid_at: null,
          voided_at: null,
        },
        parent: {
          ...{ type: 'subscription_details', quote_details: null },
          subscription_details: { metadata: { ...metadata }, subscription: id },
        },
      });
      subscription.latest_invoice = invoice;
      account.tell('invoice.created', made, customer);
      return made;
    },

    /** Pays an open invoice for a request. Throws what Stripe answers where that is refused. */
    pay(invoice: Invoice, card?: string): Invoice {
      if (invoice.status === 'paid') throw impossible('Invoice is already paid');
      if (invoice.status !== 'open')
        throw impossible(`This invoice is ${invoice.status}: it cannot be paid.`);
      const { status, last_payment_error: error } = collect(invoice, card);
      if (error) {
        const { payment_method: _, ...told } = error;
        throw new Refusal(402, told);
      }
      if (status === 'requires_action') {
        throw new Refusal(402, {
          ...{ type: 'card_error', code: 'invoice_payment_intent_requires_action' },
          message: 'This payment requires additional user action before it can be completed successfully.',
        });
      }
      return invoice;
    },

    /** Sees to it that an invoice is never paid. */
    void(invoice: Invoice): Invoice {
      if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
        throw impossible(`You can only void open invoices; this one is ${invoice.status}.`);
      }
      const intent = intentOf(invoice);
      if (intent?.status === 'processing') throw impossible('A payment of this invoice is on its way.');
      if (intent && intent.status !== 'canceled') payments.stop(intent);
      const payment = paymentOf(invoice);
      const now = account.now(invoice.customer);
      if (payment) payment.status = 'canceled';
      if (payment) payment.status_transitions.canceled_at = now;
      Object.assign(invoice, { status: 'void', auto_advance: false, next_payment_attempt: null });
      Object.assign(invoice, { amount_remaining: 0 });
      invoice.status_transitions.voided_at = now;
      account.tell('invoice.voided', invoice, invoice.customer);
      const subscription = subscriptionOf(invoice);
      if (subscription?.status === 'past_due' && subscription.latest_invoice === invoice.id) {
        toldOf(subscription, 'active');
      }
      return invoice;
    },

    /** Takes an invoice away that came to nothing, with what it asked for. */
    drop(invoice: Invoice): void {
      const payment = paymentOf(invoice);
      if (payment) account.kept.invoice_payment.delete(payment.id);
      account.kept.invoice.delete(invoice.id);
    },
  };
}
export type Invoices = ReturnType<typeof invoicesOf>;
