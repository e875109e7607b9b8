import type Stripe from 'stripe';

/** Some fields of an object as Stripe serializes it; references are ids until they are expanded. */
type Serialized<StripeObject, Fields extends keyof StripeObject, References extends string = never> = Pick<
  StripeObject,
  Fields | Extract<'id' | 'object' | 'created', keyof StripeObject>
> &
  Record<References, string>;

/** The objects of an account by Stripe's names for their types, as the library types them. */
export interface StripeObjects {
  customer: Serialized<
    Stripe.Customer,
    'email' | 'name' | 'metadata' | 'livemode' | 'preferred_locales' | 'delinquent'
  > & { invoice_settings: { default_payment_method: string | null } };
  payment_method: Serialized<Stripe.PaymentMethod, 'type' | 'livemode' | 'metadata'> & {
    customer: string | null;
    card: { brand: string; last4: string; exp_month: number; exp_year: number };
  };
  setup_intent: Serialized<
    Stripe.SetupIntent,
    'client_secret' | 'status' | 'usage' | 'metadata' | 'livemode' | 'last_setup_error'
  > & { customer: string | null; payment_method: string | null };
  product: Serialized<Stripe.Product, 'name' | 'description' | 'active' | 'metadata' | 'livemode' | 'type'>;
  price: Serialized<
    Stripe.Price,
    'active' | 'currency' | 'lookup_key' | 'unit_amount' | 'nickname' | 'metadata' | 'livemode' | 'type'
  > & { product: string; recurring: { interval: string; interval_count: number } | null };
  subscription: Serialized<
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
  invoice: Serialized<
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
  invoice_payment: Serialized<
    Stripe.InvoicePayment,
    'amount_paid' | 'amount_requested' | 'currency' | 'is_default' | 'livemode' | 'status_transitions',
    'invoice'
  > & {
    status: 'open' | 'paid' | 'canceled';
    payment: { type: 'payment_intent'; payment_intent: string };
  };
  payment_intent: Serialized<
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
  charge: Serialized<
    Stripe.Charge,
    'amount' | 'amount_refunded' | 'currency' | 'disputed' | 'metadata' | 'paid' | 'refunded' | 'status',
    'customer' | 'payment_intent'
  >;
  refund: Serialized<
    Stripe.Refund,
    'amount' | 'currency' | 'metadata' | 'status',
    'charge' | 'payment_intent'
  >;
  dispute: Serialized<
    Stripe.Dispute,
    'amount' | 'currency' | 'reason' | 'status' | 'metadata' | 'livemode',
    'charge' | 'payment_intent'
  >;
  subscription_schedule: Serialized<
    Stripe.SubscriptionSchedule,
    'current_phase' | 'end_behavior' | 'livemode' | 'metadata' | 'released_at' | 'status',
    'customer'
  > & { subscription: string | null; released_subscription: string | null; phases: Phase[] };
  'billing_portal.configuration': Serialized<
    Stripe.BillingPortal.Configuration,
    'active' | 'default_return_url' | 'is_default' | 'livemode' | 'metadata' | 'name' | 'updated'
  > & { business_profile: Record<string, unknown>; features: Record<string, unknown> };
  'billing_portal.session': Serialized<
    Stripe.BillingPortal.Session,
    'livemode' | 'return_url' | 'url' | 'locale',
    'configuration' | 'customer'
  >;
}
export type ObjectType = keyof StripeObjects;
export type Metadata = Stripe.Metadata;

export interface PaymentError {
  type: 'card_error';
  code: string;
  decline_code: string;
  message: string;
  payment_method?: object;
}

interface Item extends Serialized<Stripe.SubscriptionItem, 'current_period_end' | 'current_period_start'> {
  metadata: Stripe.Metadata;
  quantity: number;
  subscription: string;
  price: StripeObjects['price'];
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

/** A recorded event with a snapshot of its object. */
export interface StripeEvent {
  id: string;
  type: string;
  created: number;
  customer: string | undefined;
  object: Record<string, unknown> & { id: string };
}

/** How cards, banks and Stripe itself behave. Tests change it. */
export interface Behavior {
  /** The decline code of every payment. `requires_action`: the bank asks the owner instead. */
  decline: string | undefined;
  /** Decline codes by customer; they take precedence. */
  declines: Map<string, string>;
  /** Payments stay `processing` until `completePayment`. */
  processing: boolean;
  /** How many of the next requests fail with 500. */
  serverErrors: number;
  /** A route (`/v1/invoices/:id/pay`) that answers 500 and stores that under the idempotency key. */
  failingPath: string | undefined;
  /** Called after a request attempted a payment, before its response. */
  afterPayment: (() => void) | undefined;
  /** Awaited after a request (`METHOD path`) was carried out, before its response. */
  beforeResponse: ((request: string) => Promise<void> | void) | undefined;
  /** After how many days Stripe retries an open invoice by itself. */
  retryDays: number[];
}
