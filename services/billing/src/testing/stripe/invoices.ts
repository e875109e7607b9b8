import {
  type Account,
  createId,
  DAY_SECONDS,
  HOUR_SECONDS,
  invalidRequest,
  StripeApiError,
  toList,
} from './account.ts';
import type { StripeObjects } from './objects.ts';
import type { Payments } from './payments.ts';

type Invoice = StripeObjects['invoice'];
type Subscription = StripeObjects['subscription'];

/** Decline codes after which Stripe does not retry by itself. */
const finalDeclines = new Set([
  'incorrect_number',
  'lost_card',
  'pickup_card',
  'stolen_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'authentication_required',
  'highest_risk_level',
  'transaction_not_allowed',
  'requires_action',
]);

/** Creates the operations on the invoices of subscriptions. */
export function createInvoices(account: Account, payments: Payments) {
  const findSubscription = (invoice: Invoice): Subscription | undefined =>
    account.find('subscription', invoice.parent.subscription_details.subscription);
  const findPayment = (invoice: Invoice) =>
    account.list('invoice_payment').find((each) => each.invoice === invoice.id && each.is_default);

  function findIntent(invoice: Invoice): StripeObjects['payment_intent'] | undefined {
    return account.find('payment_intent', findPayment(invoice)?.payment.payment_intent ?? null);
  }

  function setStatus(subscription: Subscription, status: Subscription['status']): void {
    if (subscription.status === status) return;
    subscription.status = status;
    account.emit('customer.subscription.updated', subscription, subscription.customer);
  }

  function markPaid(invoice: Invoice): void {
    const now = account.now(invoice.customer);
    const payment = findPayment(invoice);
    if (payment) {
      Object.assign(payment, { status: 'paid', amount_paid: invoice.amount_due });
      payment.status_transitions.paid_at = now;
      account.emit('invoice_payment.paid', payment, invoice.customer);
    }
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due, amount_remaining: 0 });
    Object.assign(invoice, { attempted: true, next_payment_attempt: null, auto_advance: false });
    invoice.status_transitions.paid_at = now;
    account.emit('invoice.paid', invoice, invoice.customer);
    account.emit('invoice.payment_succeeded', invoice, invoice.customer);
    const subscription = findSubscription(invoice);
    const isLatest = subscription?.latest_invoice === invoice.id;
    if (isLatest && ['incomplete', 'past_due'].includes(subscription.status))
      setStatus(subscription, 'active');
  }

  function markFailed(invoice: Invoice, reason: string): void {
    const now = account.now(invoice.customer);
    const first = (invoice.status_transitions.finalized_at ?? now) + 0;
    const next = account.behavior.retryDays.map((days) => first + days * DAY_SECONDS).find((at) => at > now);
    invoice.next_payment_attempt = finalDeclines.has(reason) || !invoice.auto_advance ? null : (next ?? null);
    account.emit('invoice.payment_failed', invoice, invoice.customer);
    if (reason === 'requires_action' || reason === 'authentication_required') {
      account.emit('invoice.payment_action_required', invoice, invoice.customer);
    }
    const subscription = findSubscription(invoice);
    if (subscription && ['active', 'trialing'].includes(subscription.status))
      setStatus(subscription, 'past_due');
  }

  /** Updates an invoice by the outcome of its payment. */
  function applyPayment(invoice: Invoice, intent: StripeObjects['payment_intent']): void {
    if (intent.status === 'succeeded') markPaid(invoice);
    else if (intent.status !== 'processing') {
      markFailed(invoice, intent.last_payment_error?.decline_code ?? intent.status);
    }
  }

  function finalize(invoice: Invoice): Invoice {
    if (invoice.status !== 'draft') {
      throw invalidRequest('This invoice is already finalized, you cannot finalize it again.');
    }
    const now = account.now(invoice.customer);
    Object.assign(invoice, { status: 'open', automatically_finalizes_at: null });
    invoice.number = `E-${account.list('invoice').length}`;
    invoice.status_transitions.finalized_at = now;
    account.emit('invoice.finalized', invoice, invoice.customer);
    if (invoice.amount_due === 0) {
      markPaid(invoice);
      return invoice;
    }
    const what = invoice.billing_reason === 'subscription_create' ? 'creation' : 'update';
    const intent = payments.createIntent(
      invoice.customer,
      invoice.amount_due,
      invoice.currency,
      `Subscription ${what}`,
    );
    account.save('invoice_payment', {
      id: createId('inpay'),
      object: 'invoice_payment',
      created: now,
      invoice: invoice.id,
      amount_paid: null,
      amount_requested: invoice.amount_due,
      currency: invoice.currency,
      is_default: true,
      livemode: true,
      status: 'open',
      payment: { type: 'payment_intent', payment_intent: intent.id },
      status_transitions: { canceled_at: null, paid_at: null },
    });
    invoice.next_payment_attempt = invoice.auto_advance ? now : null;
    return invoice;
  }

  /** Returns the card that pays: the given one, the subscription's or the customer's. Throws where there is none. */
  function requireCard(invoice: Invoice, given?: string): string {
    const customer = account.requireParam('customer', invoice.customer, 'customer');
    const card =
      given ??
      findSubscription(invoice)?.default_payment_method ??
      customer.invoice_settings.default_payment_method;
    if (!card) {
      throw invalidRequest(
        'This customer has no attached payment source or default payment method.',
        'resource_missing',
      );
    }
    const attached = account.find('payment_method', card);
    if (attached?.customer !== customer.id) throw invalidRequest('The card is not attached to the customer.');
    return card;
  }

  /** Attempts the payment of an open invoice. */
  function collect(invoice: Invoice, card?: string): StripeObjects['payment_intent'] {
    const intent = findIntent(invoice);
    if (!intent) throw new Error(`${invoice.id} has no payment`);
    if (intent.status === 'processing') throw invalidRequest('A payment of this invoice is on its way.');
    payments.attempt(intent, requireCard(invoice, card));
    invoice.attempt_count += 1;
    invoice.attempted = true;
    applyPayment(invoice, intent);
    return intent;
  }

  return {
    findPayment,
    findIntent,
    findSubscription,
    applyPayment,
    finalize,
    collect,
    requireCard,

    /** Creates a draft for one period. `usage`: the period in which its items accrued. */
    createDraft(
      subscription: Subscription,
      period: { start: number; end: number },
      reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
      { free = false, usage }: { free?: boolean; usage?: { start: number; end: number } } = {},
    ): Invoice {
      const { customer, id, metadata } = subscription;
      const [item] = subscription.items.data;
      const now = account.now(customer);
      const invoice = createId('in');
      const amount = free ? 0 : (item.price.unit_amount ?? 0) * item.quantity;
      const isCycle = reason === 'subscription_cycle';
      const line: Invoice['lines']['data'][0] = {
        id: createId('il'),
        object: 'line_item',
        amount,
        subtotal: amount,
        currency: item.price.currency,
        description: 'A period',
        invoice,
        metadata: { ...metadata },
        period,
        quantity: item.quantity,
        parent: {
          type: 'subscription_item_details',
          invoice_item_details: null,
          subscription_item_details: { proration: false, subscription: id, subscription_item: item.id },
        },
        pricing: {
          type: 'price_details',
          price_details: { price: item.price.id, product: item.price.product },
        },
      };
      const made = account.save('invoice', {
        id: invoice,
        object: 'invoice',
        created: now,
        customer,
        currency: item.price.currency,
        amount_due: amount,
        amount_paid: 0,
        amount_remaining: amount,
        subtotal: amount,
        total: amount,
        attempt_count: 0,
        attempted: false,
        auto_advance: true,
        billing_reason: reason,
        automatically_finalizes_at: isCycle ? now + HOUR_SECONDS : null,
        next_payment_attempt: null,
        collection_method: 'charge_automatically',
        livemode: true,
        metadata: {},
        number: null,
        // As at Stripe: the invoice has the previous period, its line the period that is paid for.
        period_start: usage?.start ?? now,
        period_end: usage?.end ?? now,
        status: 'draft',
        lines: { ...toList([], `/v1/invoices/${invoice}/lines`), data: [line] },
        status_transitions: {
          finalized_at: null,
          marked_uncollectible_at: null,
          paid_at: null,
          voided_at: null,
        },
        parent: {
          type: 'subscription_details',
          quote_details: null,
          subscription_details: { metadata: { ...metadata }, subscription: id },
        },
      });
      subscription.latest_invoice = invoice;
      account.emit('invoice.created', made, customer);
      return made;
    },

    /** Pays an open invoice on request. Throws a card error where the payment is declined. */
    pay(invoice: Invoice, card?: string): Invoice {
      if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid');
      if (invoice.status !== 'open')
        throw invalidRequest(`This invoice is ${invoice.status}: it cannot be paid.`);
      const { status, last_payment_error: error } = collect(invoice, card);
      if (error) {
        const { payment_method: _, ...cardError } = error;
        throw new StripeApiError(402, cardError);
      }
      if (status === 'requires_action') {
        throw new StripeApiError(402, {
          type: 'card_error',
          code: 'invoice_payment_intent_requires_action',
          message: 'This payment requires additional user action before it can be completed successfully.',
        });
      }
      return invoice;
    },

    void(invoice: Invoice): Invoice {
      if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
        throw invalidRequest(`You can only void open invoices; this one is ${invoice.status}.`);
      }
      const intent = findIntent(invoice);
      if (intent?.status === 'processing') throw invalidRequest('A payment of this invoice is on its way.');
      if (intent && intent.status !== 'canceled') payments.cancelIntent(intent);
      const payment = findPayment(invoice);
      const now = account.now(invoice.customer);
      if (payment) payment.status = 'canceled';
      if (payment) payment.status_transitions.canceled_at = now;
      Object.assign(invoice, { status: 'void', auto_advance: false, next_payment_attempt: null });
      Object.assign(invoice, { amount_remaining: 0 });
      invoice.status_transitions.voided_at = now;
      account.emit('invoice.voided', invoice, invoice.customer);
      const subscription = findSubscription(invoice);
      if (subscription?.status === 'past_due' && subscription.latest_invoice === invoice.id) {
        setStatus(subscription, 'active');
      }
      return invoice;
    },

    /** Deletes an invoice whose subscription was never created. */
    remove(invoice: Invoice): void {
      const payment = findPayment(invoice);
      if (payment) account.objects.invoice_payment.delete(payment.id);
      account.objects.invoice.delete(invoice.id);
    },
  };
}
export type Invoices = ReturnType<typeof createInvoices>;
