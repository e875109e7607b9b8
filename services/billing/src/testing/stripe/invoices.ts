import * as z from 'zod/mini';
import { type Account, createId, invalidRequest, StripeApiError } from './account.ts';
import type { Period, StripeObjects } from './objects.ts';
import type { Payments } from './payments.ts';
import { bool, optional, page, paginate, retrieveRoute, route, text } from './routes.ts';

type Invoice = StripeObjects['invoice'];
type Subscription = StripeObjects['subscription'];

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** After how many days Stripe retries an open invoice by itself. */
const RETRY_DAYS = [3, 5, 7];

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

/** Creates the operations and routes of the invoices of subscriptions. */
export function createInvoices(account: Account, payments: Payments) {
  const findSubscription = (invoice: Invoice): Subscription | undefined =>
    account.find('subscription', invoice.parent.subscription_details.subscription);
  const findPayment = (invoice: Invoice) =>
    account.list('invoice_payment').find((each) => each.invoice === invoice.id);

  function findIntent(invoice: Invoice): StripeObjects['payment_intent'] | undefined {
    return account.find('payment_intent', findPayment(invoice)?.payment.payment_intent ?? null);
  }

  function setStatus(subscription: Subscription, status: Subscription['status']): void {
    subscription.status = status;
    account.emit('customer.subscription.updated', subscription, subscription.customer);
  }

  function markPaid(invoice: Invoice): void {
    const payment = findPayment(invoice);
    if (payment) {
      payment.status = 'paid';
      account.emit('invoice_payment.paid', payment, invoice.customer);
    }
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due });
    Object.assign(invoice, { next_payment_attempt: null, auto_advance: false });
    account.emit('invoice.paid', invoice, invoice.customer);
    account.emit('invoice.payment_succeeded', invoice, invoice.customer);
    const subscription = findSubscription(invoice);
    const isLatest = subscription?.latest_invoice === invoice.id;
    if (isLatest && ['incomplete', 'past_due'].includes(subscription.status))
      setStatus(subscription, 'active');
  }

  function markFailed(invoice: Invoice, reason: string): void {
    const now = account.now(invoice.customer);
    const first = invoice.status_transitions.finalized_at ?? now;
    const next = RETRY_DAYS.map((days) => first + days * DAY_SECONDS).find((at) => at > now);
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
    invoice.status_transitions.finalized_at = now;
    account.emit('invoice.finalized', invoice, invoice.customer);
    if (invoice.amount_due === 0) {
      markPaid(invoice);
      return invoice;
    }
    const intent = payments.createIntent(invoice.customer, invoice.amount_due);
    account.save('invoice_payment', {
      id: createId('inpay'),
      object: 'invoice_payment',
      created: now,
      invoice: invoice.id,
      status: 'open',
      payment: { type: 'payment_intent', payment_intent: intent.id },
    });
    invoice.next_payment_attempt = invoice.auto_advance ? now : null;
    return invoice;
  }

  /** Returns the card that pays: the given one, or the customer's. Throws where there is none. */
  function requireCard(invoice: Invoice, given?: string): string {
    const customer = account.requireParam('customer', invoice.customer, 'customer');
    const card = given ?? customer.invoice_settings.default_payment_method;
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
    applyPayment(invoice, intent);
    return intent;
  }

  /** Pays an open invoice on request. Throws a card error where the payment is declined. */
  function pay(invoice: Invoice, card?: string): Invoice {
    if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid');
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
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
  }

  function voidOpen(invoice: Invoice): Invoice {
    if (invoice.status !== 'open') {
      throw invalidRequest(`You can only void open invoices; this one is ${invoice.status}.`);
    }
    const intent = findIntent(invoice);
    if (intent?.status === 'processing') throw invalidRequest('A payment of this invoice is on its way.');
    if (intent) payments.cancelIntent(intent);
    const payment = findPayment(invoice);
    if (payment) payment.status = 'canceled';
    Object.assign(invoice, { status: 'void', auto_advance: false, next_payment_attempt: null });
    account.emit('invoice.voided', invoice, invoice.customer);
    const subscription = findSubscription(invoice);
    if (subscription?.status === 'past_due' && subscription.latest_invoice === invoice.id) {
      setStatus(subscription, 'active');
    }
    return invoice;
  }

  return {
    findIntent,
    applyPayment,
    finalize,
    collect,
    requireCard,
    voidOpen,

    /** Creates a draft for one period. */
    createDraft(
      subscription: Subscription,
      period: Period,
      reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
      { isFree = false } = {},
    ): Invoice {
      const { customer, id, metadata } = subscription;
      const { price } = subscription.items.data[0];
      const now = account.now(customer);
      const invoice = account.save('invoice', {
        id: createId('in'),
        object: 'invoice',
        created: now,
        customer,
        currency: price.currency,
        amount_due: isFree ? 0 : (price.unit_amount ?? 0),
        amount_paid: 0,
        attempt_count: 0,
        auto_advance: true,
        billing_reason: reason,
        automatically_finalizes_at: reason === 'subscription_cycle' ? now + HOUR_SECONDS : null,
        next_payment_attempt: null,
        status: 'draft',
        lines: {
          data: [
            {
              period,
              parent: { subscription_item_details: { proration: false } },
              pricing: { price_details: { price: price.id } },
            },
          ],
        },
        status_transitions: { finalized_at: null },
        parent: { subscription_details: { metadata: { ...metadata }, subscription: id } },
      });
      subscription.latest_invoice = invoice.id;
      account.emit('invoice.created', invoice, customer);
      return invoice;
    },

    /** Applies `pause_collection` of a subscription to its new draft. */
    pause(invoice: Invoice, { pause_collection: pause }: Subscription): void {
      if (!pause) return;
      Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null });
      if (pause.behavior === 'keep_as_draft') return;
      finalize(invoice);
      if (pause.behavior === 'void') voidOpen(invoice);
      else invoice.status = 'uncollectible';
    },

    /** Deletes an invoice whose subscription was never created. */
    remove(invoice: Invoice): void {
      const payment = findPayment(invoice);
      if (payment) account.objects.invoice_payment.delete(payment.id);
      account.objects.invoice.delete(invoice.id);
    },

    routes: [
      retrieveRoute(account, '/v1/invoices', 'invoice'),
      route('GET', '/v1/invoices', { ...page, subscription: text }, ({ subscription, ...pagination }) => {
        account.requireParam('subscription', subscription, 'subscription');
        return paginate(
          account,
          'invoice',
          (each) => each.parent.subscription_details.subscription === subscription,
          pagination,
        );
      }),
      route(
        'POST',
        '/v1/invoices/:id/finalize',
        { auto_advance: optional(bool) },
        ({ auto_advance: goesOn }, id) => {
          const invoice = account.get('invoice', id);
          if (goesOn !== undefined) invoice.auto_advance = goesOn;
          return finalize(invoice);
        },
      ),
      route(
        'POST',
        '/v1/invoices/:id/pay',
        { payment_method: optional(text), off_session: optional(bool) },
        ({ payment_method: card }, id) => pay(account.get('invoice', id), card),
      ),
      route('POST', '/v1/invoices/:id/void', {}, (_, id) => voidOpen(account.get('invoice', id))),
      route(
        'GET',
        '/v1/invoice_payments',
        { ...page, payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }) },
        ({ payment, ...pagination }) =>
          paginate(
            account,
            'invoice_payment',
            (each) => each.payment.payment_intent === payment.payment_intent,
            pagination,
          ),
      ),
    ],
  };
}
export type Invoices = ReturnType<typeof createInvoices>;
