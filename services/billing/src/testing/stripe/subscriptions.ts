import {
  type Account,
  createId,
  getPeriodEnd,
  invalidRequest,
  notFound,
  StripeApiError,
  toList,
} from './account.ts';
import type { Invoices } from './invoices.ts';
import type { Metadata, StripeObjects } from './objects.ts';
import type { Payments } from './payments.ts';

type Subscription = StripeObjects['subscription'];

export interface NewSubscription {
  customer: string;
  items: { price: string; quantity?: number | undefined }[];
  trial_end?: number | undefined;
  default_payment_method?: string | undefined;
  metadata?: Metadata | undefined;
  payment_behavior?: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | undefined;
}

const runs = (subscription: Subscription) => ['active', 'trialing', 'past_due'].includes(subscription.status);
const PAYMENT_WINDOW_SECONDS = 23 * 3600;

/** Creates the operations on subscriptions. */
export function createSubscriptions(account: Account, payments: Payments, invoices: Invoices) {
  const emitUpdate = (subscription: Subscription, what: 'created' | 'updated' | 'deleted') =>
    account.emit(`customer.subscription.${what}`, subscription, subscription.customer);

  /** Builds a subscription without an invoice. */
  function build({ customer, items, trial_end, ...fields }: NewSubscription): Subscription {
    const [requested, ...others] = items;
    if (!requested || others.length > 0)
      throw invalidRequest('The simulator supports subscriptions of one price.');
    const price = account.requireParam('price', requested.price, 'items[0][price]');
    if (!price.recurring || !price.active) throw invalidRequest('The price is not active and recurring.');
    const now = account.now(customer);
    if (trial_end !== undefined && trial_end <= now) {
      throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.');
    }
    const id = createId('sub');
    const anchor = trial_end ?? now;
    const end = trial_end ?? getPeriodEnd(now, now, price.recurring);
    const item: Subscription['items']['data'][0] = {
      id: createId('si'),
      object: 'subscription_item',
      created: now,
      metadata: {},
      subscription: id,
      price,
      current_period_start: now,
      current_period_end: end,
      quantity: requested.quantity ?? 1,
    };
    return {
      id,
      object: 'subscription',
      created: now,
      start_date: now,
      customer,
      currency: price.currency,
      billing_cycle_anchor: anchor,
      status: trial_end === undefined ? 'incomplete' : 'trialing',
      trial_start: trial_end === undefined ? null : now,
      trial_end: trial_end ?? null,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      schedule: null,
      collection_method: 'charge_automatically',
      livemode: true,
      metadata: fields.metadata ?? {},
      latest_invoice: '',
      default_payment_method: fields.default_payment_method ?? null,
      cancellation_details: { comment: null, feedback: null, reason: null },
      items: { ...toList([], `/v1/subscription_items?subscription=${id}`), data: [item] },
    };
  }

  /** Deletes a subscription whose first payment was declined, and throws the card error. */
  function rejectFirstPayment(subscription: Subscription, invoice: StripeObjects['invoice']): never {
    const intent = invoices.findIntent(invoice);
    const error = intent?.last_payment_error;
    if (intent) payments.cancelIntent(intent);
    invoices.remove(invoice);
    account.objects.subscription.delete(subscription.id);
    const { payment_method: _, ...card } = error ?? {
      type: 'card_error',
      code: 'subscription_payment_intent_requires_action',
      message: 'Payment for this subscription requires additional user action.',
      payment_method: undefined,
    };
    throw new StripeApiError(402, card);
  }

  function endNow(subscription: Subscription, reason: string | null): void {
    const now = account.now(subscription.customer);
    subscription.canceled_at ??= now;
    Object.assign(subscription, { status: 'canceled', ended_at: now });
    subscription.cancellation_details.reason ??= reason;
    for (const invoice of account.list('invoice')) {
      if (invoice.parent.subscription_details.subscription !== subscription.id) continue;
      if (invoice.status === 'draft' || invoice.status === 'open') {
        Object.assign(invoice, { auto_advance: false, next_payment_attempt: null });
      }
    }
    const schedule = account.find('subscription_schedule', subscription.schedule);
    if (schedule) schedule.status = 'canceled';
    emitUpdate(subscription, 'deleted');
  }

  function requireActive(id: string): Subscription {
    const subscription = account.get('subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
      throw notFound('subscription', id);
    }
    return subscription;
  }

  /** Schedules the cancellation, or removes it with null. */
  function setEnd(subscription: Subscription, at: number | null, atPeriodEnd: boolean): void {
    if (subscription.schedule) {
      throw invalidRequest(
        `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed.`,
      );
    }
    subscription.cancel_at_period_end = atPeriodEnd;
    subscription.cancel_at = at;
    subscription.canceled_at = at === null ? null : account.now(subscription.customer);
    subscription.cancellation_details.reason = at === null ? null : 'cancellation_requested';
  }

  /** Sets the period that begins at a time, in seconds, and returns it. */
  function beginPeriod(subscription: Subscription, start: number): { start: number; end: number } {
    const [item] = subscription.items.data;
    const { recurring } = item.price;
    if (!recurring) throw new Error('A subscription has a recurring price');
    const end = getPeriodEnd(subscription.billing_cycle_anchor, start, recurring);
    Object.assign(item, { current_period_start: start, current_period_end: end });
    return { start, end };
  }

  /** Begins a period now, without a proration, and collects its invoice. */
  function restartPeriod(subscription: Subscription): void {
    const start = account.now(subscription.customer);
    subscription.billing_cycle_anchor = start;
    const period = beginPeriod(subscription, start);
    const invoice = invoices.createDraft(subscription, period, 'subscription_update');
    invoices.finalize(invoice);
    invoices.collect(invoice);
  }

  return {
    create(fields: NewSubscription): Subscription {
      account.requireParam('customer', fields.customer, 'customer');
      const subscription = build(fields);
      const [{ current_period_start: start, current_period_end: end }] = subscription.items.data;
      account.save('subscription', subscription);
      const isTrial = subscription.status === 'trialing';
      const invoice = invoices.createDraft(subscription, { start, end }, 'subscription_create', {
        free: isTrial,
      });
      try {
        if (!isTrial) invoices.requireCard(invoice);
      } catch (error) {
        invoices.remove(invoice);
        account.objects.subscription.delete(subscription.id);
        throw error;
      }
      emitUpdate(subscription, 'created');
      invoices.finalize(invoice);
      if (isTrial || fields.payment_behavior === 'default_incomplete') return subscription;
      const { status } = invoices.collect(invoice);
      const isPaid = status === 'succeeded' || status === 'processing';
      if (!isPaid && fields.payment_behavior === 'error_if_incomplete')
        rejectFirstPayment(subscription, invoice);
      return subscription;
    },

    update(
      id: string,
      fields: {
        cancel_at_period_end?: boolean | undefined;
        /** '' removes the date. */
        cancel_at?: number | '' | undefined;
        default_payment_method?: string | undefined;
        metadata?: Metadata | undefined;
        billing_cycle_anchor?: { type: 'now' } | undefined;
      },
    ): Subscription {
      const subscription = account.get('subscription', id);
      if (subscription.status === 'canceled') {
        throw invalidRequest(
          'A canceled subscription can only update its cancellation_details and metadata.',
          'invalid_canceled_subscription_fields',
        );
      }
      const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = fields;
      if (at !== undefined) setEnd(subscription, at || null, false);
      if (atPeriodEnd !== undefined)
        setEnd(subscription, atPeriodEnd ? subscription.items.data[0].current_period_end : null, atPeriodEnd);
      if (fields.default_payment_method) {
        account.requireParam('payment_method', fields.default_payment_method, 'default_payment_method');
        subscription.default_payment_method = fields.default_payment_method;
      }
      Object.assign(subscription.metadata, fields.metadata);
      if (fields.billing_cycle_anchor) restartPeriod(subscription);
      emitUpdate(subscription, 'updated');
      return subscription;
    },

    cancel(id: string): Subscription {
      const subscription = requireActive(id);
      endNow(subscription, 'cancellation_requested');
      return subscription;
    },

    /** Returns when Stripe next acts on it by itself. */
    getDueAt(subscription: Subscription): number | undefined {
      if (subscription.status === 'incomplete') return subscription.created + PAYMENT_WINDOW_SECONDS;
      if (!runs(subscription)) return undefined;
      const periodEnds = subscription.items.data[0].current_period_end;
      return Math.min(subscription.cancel_at ?? periodEnds, periodEnds);
    },

    processDue(subscription: Subscription): void {
      if (subscription.status === 'incomplete') {
        const invoice = account.find('invoice', subscription.latest_invoice);
        if (invoice?.status === 'open') invoices.void(invoice);
        Object.assign(subscription, { status: 'incomplete_expired' });
        emitUpdate(subscription, 'updated');
        return;
      }
      if (subscription.cancel_at !== null && subscription.cancel_at <= account.now(subscription.customer)) {
        endNow(subscription, 'cancellation_requested');
        return;
      }
      const [item] = subscription.items.data;
      const start = item.current_period_end;
      const usage = { start: item.current_period_start, end: start };
      const period = beginPeriod(subscription, start);
      if (subscription.status === 'trialing') subscription.status = 'active';
      emitUpdate(subscription, 'updated');
      invoices.createDraft(subscription, period, 'subscription_cycle', { usage });
    },

    /** Changes the price. Another interval moves the billing cycle anchor. */
    setPrice(subscription: Subscription, price: StripeObjects['price']): void {
      const [item] = subscription.items.data;
      const before = item.price.recurring;
      const isOther =
        before?.interval !== price.recurring?.interval ||
        before?.interval_count !== price.recurring?.interval_count;
      if (isOther) subscription.billing_cycle_anchor = account.now(subscription.customer);
      item.price = price;
    },

    cancelAll(customer: string): void {
      for (const each of account.list('subscription')) {
        if (each.customer === customer && (runs(each) || each.status === 'incomplete')) endNow(each, null);
      }
    },
  };
}
export type Subscriptions = ReturnType<typeof createSubscriptions>;
