import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { secondsOf } from './calendar.ts';
import { missing, missingParameter } from './refusal.ts';

/** Some of what Stripe serves of a thing; references are ids until they are expanded. */
type Some<Thing, Fields extends keyof Thing, References extends string = never> = Pick<
  Thing,
  Fields | Extract<'id' | 'object' | 'created', keyof Thing>
> &
  Record<References, string>;

/** What the account holds, by the names of Stripe's objects. The types are the library's own. */
export interface Kinds {
  customer: Some<
    Stripe.Customer,
    'email' | 'name' | 'metadata' | 'livemode' | 'preferred_locales' | 'delinquent'
  > & { invoice_settings: { default_payment_method: string | null } };
  payment_method: Some<Stripe.PaymentMethod, 'type' | 'livemode' | 'metadata'> & {
    customer: string | null;
    card: { brand: string; last4: string; exp_month: number; exp_year: number };
  };
  setup_intent: Some<
    Stripe.SetupIntent,
    'client_secret' | 'status' | 'usage' | 'metadata' | 'livemode' | 'last_setup_error'
  > & { customer: string | null; payment_method: string | null };
  product: Some<Stripe.Product, 'name' | 'description' | 'active' | 'metadata' | 'livemode' | 'type'>;
  price: Some<
    Stripe.Price,
    'active' | 'currency' | 'lookup_key' | 'unit_amount' | 'nickname' | 'metadata' | 'livemode' | 'type'
  > & { product: string; recurring: { interval: string; interval_count: number } | null };
  subscription: Some<
    Stripe.Subscription,
    | 'status'
    | 'billing_cycle_anchor'
    | 'cancel_at'
    | 'cancel_at_period_end'
    | 'canceled_at'
    | 'collection_method'
    | 'currency'
    | 'ended_at'
    | 'livemode'
    | 'metadata'
    | 'start_date'
    | 'trial_start'
    | 'trial_end',
    'customer' | 'latest_invoice'
  > & {
    items: { object: 'list'; data: [Item]; has_more: false; url: string };
    default_payment_method: string | null;
    schedule: string | null;
    cancellation_details: { comment: string | null; feedback: string | null; reason: string | null };
  };
  invoice: Some<
    Stripe.Invoice,
    | 'amount_due'
    | 'amount_paid'
    | 'amount_remaining'
    | 'attempt_count'
    | 'attempted'
    | 'auto_advance'
    | 'automatically_finalizes_at'
    | 'billing_reason'
    | 'collection_method'
    | 'currency'
    | 'livemode'
    | 'metadata'
    | 'next_payment_attempt'
    | 'number'
    | 'period_end'
    | 'period_start'
    | 'status_transitions'
    | 'subtotal'
    | 'total',
    'customer'
  > & {
    status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
    lines: { object: 'list'; data: [Line]; has_more: false; url: string };
    parent: {
      type: 'subscription_details';
      quote_details: null;
      subscription_details: { metadata: Stripe.Metadata; subscription: string };
    };
  };
  invoice_payment: Some<
    Stripe.InvoicePayment,
    'amount_paid' | 'amount_requested' | 'currency' | 'is_default' | 'livemode' | 'status_transitions',
    'invoice'
  > & {
    status: 'open' | 'paid' | 'canceled';
    payment: { type: 'payment_intent'; payment_intent: string };
  };
  payment_intent: Some<
    Stripe.PaymentIntent,
    'amount' | 'amount_received' | 'currency' | 'metadata' | 'livemode' | 'description' | 'canceled_at',
    'customer' | 'client_secret'
  > & {
    status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
    payment_method: string | null;
    latest_charge: string | null;
    last_payment_error: PaymentError | null;
    next_action: { type: string } | null;
  };
  charge: Some<
    Stripe.Charge,
    'amount' | 'amount_refunded' | 'currency' | 'disputed' | 'metadata' | 'paid' | 'refunded' | 'status',
    'customer' | 'payment_intent'
  >;
  refund: Some<Stripe.Refund, 'amount' | 'currency' | 'metadata' | 'status', 'charge' | 'payment_intent'>;
  dispute: Some<
    Stripe.Dispute,
    'amount' | 'currency' | 'reason' | 'status' | 'metadata' | 'livemode',
    'charge' | 'payment_intent'
  >;
  subscription_schedule: Some<
    Stripe.SubscriptionSchedule,
    'current_phase' | 'end_behavior' | 'livemode' | 'metadata' | 'released_at' | 'status',
    'customer'
  > & { subscription: string | null; released_subscription: string | null; phases: Phase[] };
  'billing_portal.configuration': Some<
    Stripe.BillingPortal.Configuration,
    'active' | 'default_return_url' | 'is_default' | 'livemode' | 'metadata' | 'name' | 'updated'
  > & { business_profile: Record<string, unknown>; features: Record<string, unknown> };
  'billing_portal.session': Some<
    Stripe.BillingPortal.Session,
    'livemode' | 'return_url' | 'url' | 'locale',
    'configuration' | 'customer'
  >;
}
export type Kind = keyof Kinds;
export type Metadata = Stripe.Metadata;

export interface PaymentError {
  type: 'card_error';
  code: string;
  decline_code: string;
  message: string;
  payment_method?: object;
}

interface Item extends Some<Stripe.SubscriptionItem, 'current_period_end' | 'current_period_start'> {
  metadata: Stripe.Metadata;
  quantity: number;
  subscription: string;
  price: Kinds['price'];
}

interface Line {
  id: string;
  object: 'line_item';
  amount: number;
  currency: string;
  description: string;
  invoice: string;
  metadata: Stripe.Metadata;
  parent: {
    type: 'subscription_item_details';
    invoice_item_details: null;
    subscription_item_details: { proration: false; subscription: string; subscription_item: string };
  };
  period: { start: number; end: number };
  pricing: { type: 'price_details'; price_details: { price: string; product: string } };
  quantity: number;
  subtotal: number;
}

export interface Phase {
  start_date: number;
  end_date: number;
  trial_end: number | null;
  proration_behavior: string;
  metadata: Stripe.Metadata;
  items: { price: string; quantity: number; metadata: Stripe.Metadata }[];
}

/** Something that Stripe would have told about: its type, and what it is about as it was then. */
export interface StripeEvent {
  id: string;
  type: string;
  created: number;
  customer: string | undefined;
  object: Record<string, unknown> & { id: string };
}

/** How cards, banks and Stripe itself behave. Set from outside. */
export interface Conduct {
  /** Why all cards are declined. `requires_action`: the bank asks the owner instead of declining. */
  decline: string | undefined;
  /** Why cards of a customer are declined, where that is not what is said of all. */
  declines: Map<string, string>;
  /** Payments take their time: `settle` ends them. */
  processing: boolean;
  /** So many requests are answered with a fault of Stripe's own. */
  broken: number;
  /** Calls to this path (`/v1/invoices/:id/pay`) under a key are answered with such a fault, which is remembered for the key. */
  undecided: string | undefined;
  /** Called when a payment was tried for a request, before it is answered. */
  afterPayment: (() => void) | undefined;
  /** So many days after the first time Stripe tries an open invoice again by itself. */
  retries: number[];
}

export const idOf = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;
export const listOf = <Each>(data: Each[], url: string) => ({
  ...{ object: 'list' as const, data, has_more: false as const, url },
});

const emptyAccount = (): { [K in Kind]: Map<string, Kinds[K]> } => ({
  customer: new Map(),
  payment_method: new Map(),
  setup_intent: new Map(),
  product: new Map(),
  price: new Map(),
  subscription: new Map(),
  invoice: new Map(),
  invoice_payment: new Map(),
  payment_intent: new Map(),
  charge: new Map(),
  refund: new Map(),
  dispute: new Map(),
  subscription_schedule: new Map(),
  'billing_portal.configuration': new Map(),
  'billing_portal.session': new Map(),
});

/** An account at Stripe: what it holds, what time it is for each customer, what was told. In: the clock. */
export function openAccount(clock: () => Date) {
  const kept = emptyAccount();
  const events: StripeEvent[] = [];
  const deleted = new Set<string>();
  const ahead = new Map<string | undefined, number>();
  const conduct: Conduct = {
    ...{ decline: undefined, declines: new Map(), processing: false, broken: 0, afterPayment: undefined },
    undecided: undefined,
    retries: [3, 5, 7],
  };

  const find = <K extends Kind>(kind: K, id: string | null): Kinds[K] | undefined => kept[kind].get(id ?? '');

  return {
    ...{ kept, events, deleted, conduct, find },
    /** How often payments were tried. */
    tried: 0,

    /** The time, in seconds; a customer's own where theirs was moved, as Stripe's test clocks do. */
    now(customer?: string): number {
      const moved = [ahead.get(undefined), ahead.get(customer)].filter((at) => at !== undefined);
      return Math.max(secondsOf(clock()), ...moved);
    },

    /** Moves the time ahead, of all or of a customer. */
    move(at: number, customer?: string): void {
      ahead.set(customer, at);
    },

    keep<K extends Kind>(kind: K, thing: Kinds[K]): Kinds[K] {
      kept[kind].set(thing.id, thing);
      return thing;
    },

    list: <K extends Kind>(kind: K): Kinds[K][] => [...kept[kind].values()],

    /** What a path names. Throws 404. */
    get<K extends Kind>(kind: K, id: string): Kinds[K] {
      const thing = find(kind, id);
      if (!thing) throw missing(kind, id);
      return thing;
    },

    /** What a parameter names. Throws 400. */
    named<K extends Kind>(kind: K, id: string, param: string): Kinds[K] {
      const thing = find(kind, id);
      if (!thing) throw missingParameter(kind, param, id);
      return thing;
    },

    /** Remembers what Stripe would tell, as things are now. */
    tell(type: string, object: { id: string; created: number }, customer?: string): void {
      const created = this.now(customer);
      events.push({ id: idOf('evt'), type, created, customer, object: JSON.parse(JSON.stringify(object)) });
    },
  };
}
export type Account = ReturnType<typeof openAccount>;
