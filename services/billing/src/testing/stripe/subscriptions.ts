import { type Account, idOf, type Kinds, listOf, type Metadata } from './account.ts';
import { periodEnd } from './calendar.ts';
import type { Invoices } from './invoices.ts';
import type { Payments } from './payments.ts';
import { impossible, missing, Refusal } from './refusal.ts';

type Subscription = Kinds['subscription'];

export interface NewSubscription {
  customer: string;
  items: { price: string; quantity?: number | undefined }[];
  trial_end?: number | undefined;
  default_payment_method?: string | undefined;
  metadata?: Metadata | undefined;
  payment_behavior?: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | undefined;
}

const runs = (subscription: Subscription) => ['active', 'trialing', 'past_due'].includes(subscription.status);
const HOURS_TO_PAY = 23 * 3600;

/** Subscriptions: begun, changed, rolled over, ended. */
export function subscriptionsOf(account: Account, payments: Payments, invoices: Invoices) {
  const told = (subscription: Subscription, what: 'created' | 'updated' | 'deleted') =>
    account.tell(`customer.subscription.${what}`, subscription, subscription.customer);

  /** A subscription that pays for nothing yet. */
  function blank({ customer, items, trial_end, ...fields }: NewSubscription): Subscription {
    const [asked, ...others] = items;
    if (!asked || others.length > 0) throw impossible('The tests know subscriptions of one price.');
    const price = account.named('price', asked.price, 'items[0][price]');
    if (!price.recurring || !price.active) throw impossible('The price is not active and recurring.');
    const now = account.now(customer);
    if (trial_end !== undefined && trial_end <= now) {
      throw impossible('Invalid timestamp: must be an integer Unix timestamp in the future.');
    }
    const id = idOf('sub');
    const anchor = trial_end ?? now;
    const end = trial_end ?? periodEnd(now, now, price.recurring);
    const item: Subscription['items']['data'][0] = {
      ...{ id: idOf('si'), object: 'subscription_item', created: now, metadata: {}, subscription: id, price },
      ...{ current_period_start: now, current_period_end: end, quantity: asked.quantity ?? 1 },
    };
    return {
      ...{ id, object: 'subscription', created: now, start_date: now, customer, currency: price.currency },
      ...{ billing_cycle_anchor: anchor, status: trial_end === undefined ? 'incomplete' : 'trialing' },
      ...{ trial_start: trial_end === undefined ? null : now, trial_end: trial_end ?? null },
      ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null, ended_at: null, schedule: null },
      ...{ collection_method: 'charge_automatically', livemode: true, metadata: fields.metadata ?? {} },
      ...{ latest_invoice: '', default_payment_method: fields.default_payment_method ?? null },
      cancellation_details: { comment: null, feedback: null, reason: null },
      items: { ...listOf([], `/v1/subscription_items?subscription=${id}`), data: [item] },
    };
  }

  /** Takes a subscription away whose first payment was refused. Throws what Stripe answers. */
  function refused(subscription: Subscription, invoice: Kinds['invoice']): never {
    const intent = invoices.intentOf(invoice);
    const error = intent?.last_payment_error;
    if (intent) payments.stop(intent);
    invoices.drop(invoice);
    account.kept.subscription.delete(subscription.id);
    const { payment_method: _, ...card } = error ?? {
      ...{ type: 'card_error', code: 'subscription_payment_intent_requires_action' },
      message: 'Payment for this subscription requires additional user action.',
      payment_method: undefined,
    };
    throw new Refusal(402, card);
  }

  function end(subscription: Subscription, reason: string | null): void {
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
    told(subscription, 'deleted');
  }

  /** One that is not over. Throws what Stripe answers. */
  function running(id: string): Subscription {
    const subscription = account.get('subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
      throw missing('subscription', id);
    }
    return subscription;
  }

  /** Ends it at a moment to come, or not: null. `atEnd`: that is when its period ends. */
  function setEnd(subscription: Subscription, at: number | null, atEnd: boolean): void {
    if (subscription.schedule) {
      throw impossible(
        `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed.`,
      );
    }
    subscription.cancel_at_period_end = atEnd;
    subscription.cancel_at = at;
    subscription.canceled_at = at === null ? null : account.now(subscription.customer);
    subscription.cancellation_details.reason = at === null ? null : 'cancellation_requested';
  }

  return {
    create(fields: NewSubscription): Subscription {
      account.named('customer', fields.customer, 'customer');
      const subscription = blank(fields);
      const [{ current_period_start: start, current_period_end: end }] = subscription.items.data;
      account.keep('subscription', subscription);
      const isTrial = subscription.status === 'trialing';
      const invoice = invoices.draft(subscription, { start, end }, 'subscription_create', { free: isTrial });
      try {
        if (!isTrial) invoices.cardFor(invoice);
      } catch (error) {
        invoices.drop(invoice);
        account.kept.subscription.delete(subscription.id);
        throw error;
      }
      told(subscription, 'created');
      invoices.finalize(invoice);
      if (isTrial || fields.payment_behavior === 'default_incomplete') return subscription;
      const { status } = invoices.collect(invoice);
      const isPaid = status === 'succeeded' || status === 'processing';
      if (!isPaid && fields.payment_behavior === 'error_if_incomplete') refused(subscription, invoice);
      return subscription;
    },

    update(
      id: string,
      fields: {
        cancel_at_period_end?: boolean | undefined;
        /** '': at no date any more. */
        cancel_at?: number | '' | undefined;
        default_payment_method?: string | undefined;
        metadata?: Metadata | undefined;
      },
    ): Subscription {
      const subscription = account.get('subscription', id);
      if (subscription.status === 'canceled') {
        throw impossible(
          'A canceled subscription can only update its cancellation_details and metadata.',
          'invalid_canceled_subscription_fields',
        );
      }
      const { cancel_at: at, cancel_at_period_end: atEnd } = fields;
      if (at !== undefined) setEnd(subscription, at || null, false);
      if (atEnd !== undefined)
        setEnd(subscription, atEnd ? subscription.items.data[0].current_period_end : null, atEnd);
      if (fields.default_payment_method) {
        account.named('payment_method', fields.default_payment_method, 'default_payment_method');
        subscription.default_payment_method = fields.default_payment_method;
      }
      Object.assign(subscription.metadata, fields.metadata);
      told(subscription, 'updated');
      return subscription;
    },

    cancel(id: string): Subscription {
      const subscription = running(id);
      end(subscription, 'cancellation_requested');
      return subscription;
    },

    /** When something happens to it by itself; nothing where never. */
    dueAt(subscription: Subscription): number | undefined {
      if (subscription.status === 'incomplete') return subscription.created + HOURS_TO_PAY;
      if (!runs(subscription)) return undefined;
      const periodEnds = subscription.items.data[0].current_period_end;
      return Math.min(subscription.cancel_at ?? periodEnds, periodEnds);
    },

    /** Does what happens to it by itself now. */
    turn(subscription: Subscription): void {
      if (subscription.status === 'incomplete') {
        const invoice = account.find('invoice', subscription.latest_invoice);
        if (invoice?.status === 'open') invoices.void(invoice);
        Object.assign(subscription, { status: 'incomplete_expired' });
        told(subscription, 'updated');
        return;
      }
      if (subscription.cancel_at !== null && subscription.cancel_at <= account.now(subscription.customer)) {
        end(subscription, 'cancellation_requested');
        return;
      }
      const [item] = subscription.items.data;
      const start = item.current_period_end;
      const usage = { start: item.current_period_start, end: start };
      const { recurring } = item.price;
      if (!recurring) throw new Error('A subscription has a recurring price');
      item.current_period_start = start;
      item.current_period_end = periodEnd(subscription.billing_cycle_anchor, start, recurring);
      if (subscription.status === 'trialing') subscription.status = 'active';
      told(subscription, 'updated');
      const period = { start, end: item.current_period_end };
      invoices.draft(subscription, period, 'subscription_cycle', { usage });
    },

    /** Another price from now on. An interval of another length begins a new count. */
    setPrice(subscription: Subscription, price: Kinds['price']): void {
      const [item] = subscription.items.data;
      const before = item.price.recurring;
      const isOther =
        before?.interval !== price.recurring?.interval ||
        before?.interval_count !== price.recurring?.interval_count;
      if (isOther) subscription.billing_cycle_anchor = account.now(subscription.customer);
      item.price = price;
    },

    /** Ends all of a customer's. */
    endAll(customer: string): void {
      for (const each of account.list('subscription')) {
        if (each.customer === customer && (runs(each) || each.status === 'incomplete')) end(each, null);
      }
    },
  };
}
export type Subscriptions = ReturnType<typeof subscriptionsOf>;
