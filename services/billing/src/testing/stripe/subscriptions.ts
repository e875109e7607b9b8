import * as z from 'zod/mini';
import { type Account, createId, getPeriodEnd, invalidRequest, notFound, StripeApiError } from './account.ts';
import type { Invoices } from './invoices.ts';
import type { CardError, Period, StripeObjects } from './objects.ts';
import type { Payments } from './payments.ts';
import {
  bool,
  integer,
  items,
  metadata,
  optional,
  page,
  paginate,
  retrieveRoute,
  route,
  text,
} from './routes.ts';

type Subscription = StripeObjects['subscription'];

const newSubscription = {
  customer: text,
  items,
  trial_end: optional(integer),
  off_session: optional(bool),
  metadata: optional(metadata),
  payment_behavior: optional(z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])),
};
const pauseCollection = z.strictObject({ behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']) });
type NewSubscription = z.output<z.ZodMiniObject<typeof newSubscription>>;

const runs = ({ status }: Subscription) => ['active', 'trialing', 'past_due'].includes(status);
const PAYMENT_WINDOW_SECONDS = 23 * 3600;

/** Creates the operations and routes of subscriptions. */
export function createSubscriptions(account: Account, payments: Payments, invoices: Invoices) {
  const emitUpdate = (subscription: Subscription, what: 'created' | 'updated' | 'deleted') =>
    account.emit(`customer.subscription.${what}`, subscription, subscription.customer);

  /** Builds a subscription without an invoice. */
  function build({ customer, items, trial_end, metadata = {} }: NewSubscription): Subscription {
    const [requested, ...others] = items;
    if (!requested || others.length > 0)
      throw invalidRequest('The simulator supports subscriptions of one price.');
    const price = account.requireParam('price', requested.price, 'items[0][price]');
    if (!price.recurring || !price.active) throw invalidRequest('The price is not active and recurring.');
    const now = account.now(customer);
    if (trial_end !== undefined && trial_end <= now) {
      throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.');
    }
    const end = trial_end ?? getPeriodEnd(now, now, price.recurring);
    return {
      id: createId('sub'),
      object: 'subscription',
      created: now,
      start_date: now,
      customer,
      billing_cycle_anchor: trial_end ?? now,
      status: trial_end === undefined ? 'incomplete' : 'trialing',
      trial_end: trial_end ?? null,
      cancel_at: null,
      cancel_at_period_end: false,
      ended_at: null,
      pause_collection: null,
      schedule: null,
      metadata,
      latest_invoice: '',
      items: { data: [{ price, current_period_start: now, current_period_end: end }] },
    };
  }

  function remove(subscription: Subscription, invoice: StripeObjects['invoice']): void {
    invoices.remove(invoice);
    account.objects.subscription.delete(subscription.id);
  }

  /** Deletes a subscription whose first payment was declined, and throws the card error. */
  function rejectFirstPayment(subscription: Subscription, invoice: StripeObjects['invoice']): never {
    const intent = invoices.findIntent(invoice);
    const error: CardError = intent?.last_payment_error ?? {
      type: 'card_error',
      code: 'subscription_payment_intent_requires_action',
      message: 'Payment for this subscription requires additional user action.',
    };
    if (intent) payments.cancelIntent(intent);
    remove(subscription, invoice);
    throw new StripeApiError(402, { ...error, payment_method: undefined });
  }

  function create(fields: NewSubscription): Subscription {
    account.requireParam('customer', fields.customer, 'customer');
    const subscription = build(fields);
    const [{ current_period_start: start, current_period_end: end }] = subscription.items.data;
    account.save('subscription', subscription);
    const isFree = subscription.status === 'trialing';
    const invoice = invoices.createDraft(subscription, { start, end }, 'subscription_create', { isFree });
    try {
      if (!isFree) invoices.requireCard(invoice);
    } catch (error) {
      remove(subscription, invoice);
      throw error;
    }
    emitUpdate(subscription, 'created');
    invoices.finalize(invoice);
    if (isFree || fields.payment_behavior === 'default_incomplete') return subscription;
    const { status } = invoices.collect(invoice);
    const isPaid = status === 'succeeded' || status === 'processing';
    if (!isPaid && fields.payment_behavior === 'error_if_incomplete')
      rejectFirstPayment(subscription, invoice);
    return subscription;
  }

  function endNow(subscription: Subscription): void {
    Object.assign(subscription, { status: 'canceled', ended_at: account.now(subscription.customer) });
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

  function cancel(id: string): Subscription {
    const subscription = account.get('subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
      throw notFound('subscription', id);
    }
    endNow(subscription);
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
  }

  /** Sets the period that begins at a time, in seconds, and returns it. */
  function beginPeriod(subscription: Subscription, start: number): Period {
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
    cancel,

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
        if (invoice?.status === 'open') invoices.voidOpen(invoice);
        subscription.status = 'incomplete_expired';
        emitUpdate(subscription, 'updated');
        return;
      }
      if (subscription.cancel_at !== null && subscription.cancel_at <= account.now(subscription.customer)) {
        endNow(subscription);
        return;
      }
      const period = beginPeriod(subscription, subscription.items.data[0].current_period_end);
      if (subscription.status === 'trialing') subscription.status = 'active';
      emitUpdate(subscription, 'updated');
      invoices.pause(invoices.createDraft(subscription, period, 'subscription_cycle'), subscription);
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
        if (each.customer === customer && (runs(each) || each.status === 'incomplete')) endNow(each);
      }
    },

    routes: [
      route('POST', '/v1/subscriptions', newSubscription, create),
      retrieveRoute(account, '/v1/subscriptions', 'subscription'),
      route(
        'POST',
        '/v1/subscriptions/:id',
        {
          cancel_at_period_end: optional(bool),
          // '' removes the date.
          cancel_at: optional(z.union([integer, z.literal('')])),
          billing_cycle_anchor: optional(z.strictObject({ type: z.literal('now') })),
          // '' resumes.
          pause_collection: optional(z.union([pauseCollection, z.literal('')])),
          proration_behavior: optional(z.literal('none')),
        },
        (fields, id) => {
          const { cancel_at: at, cancel_at_period_end: atPeriodEnd, pause_collection: pause } = fields;
          const subscription = account.get('subscription', id);
          if (subscription.status === 'canceled') {
            throw invalidRequest(
              'A canceled subscription can only update its cancellation_details and metadata.',
              'invalid_canceled_subscription_fields',
            );
          }
          const periodEnds = subscription.items.data[0].current_period_end;
          if (at !== undefined) setEnd(subscription, at || null, false);
          if (atPeriodEnd !== undefined) setEnd(subscription, atPeriodEnd ? periodEnds : null, atPeriodEnd);
          if (pause !== undefined) subscription.pause_collection = pause || null;
          if (fields.billing_cycle_anchor) restartPeriod(subscription);
          emitUpdate(subscription, 'updated');
          return subscription;
        },
      ),
      route('DELETE', '/v1/subscriptions/:id', {}, (_, id) => cancel(id)),
      route(
        'GET',
        '/v1/subscriptions',
        { ...page, customer: text, status: optional(z.literal('all')) },
        ({ customer, status, ...pagination }) => {
          if (!account.deleted.has(customer)) account.requireParam('customer', customer, 'customer');
          return paginate(
            account,
            'subscription',
            (each) => each.customer === customer && (status === 'all' || each.status !== 'canceled'),
            pagination,
          );
        },
      ),
    ],
  };
}
export type Subscriptions = ReturnType<typeof createSubscriptions>;
