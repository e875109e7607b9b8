import type Stripe from 'stripe';

/** Some fields of an object as Stripe serializes it; references are ids until they are expanded. */
type Serialized<StripeObject, Fields extends keyof StripeObject, References extends string = never> = Pick<
  StripeObject,
  Fields | Extract<'id' | 'object' | 'created', keyof StripeObject>
> &
  Record<References, string>;

/** The objects of an account by Stripe's names for their types: the fields that the service and its tests use. */
export interface StripeObjects {
  customer: Serialized<Stripe.Customer, 'email'> & {
    invoice_settings: { default_payment_method: string | null };
  };
  payment_method: Serialized<Stripe.PaymentMethod, 'type'> & { customer: string | null };
  setup_intent: Serialized<Stripe.SetupIntent, 'client_secret' | 'status'> & {
    customer: string | null;
    payment_method: string | null;
  };
  product: Serialized<Stripe.Product, 'name' | 'metadata'>;
  price: Serialized<Stripe.Price, 'active' | 'currency' | 'lookup_key' | 'unit_amount', 'product'> & {
    recurring: Interval | null;
  };
  subscription: Serialized<
    Stripe.Subscription,
    | 'billing_cycle_anchor'
    | 'cancel_at'
    | 'cancel_at_period_end'
    | 'ended_at'
    | 'metadata'
    | 'start_date'
    | 'status'
    | 'trial_end',
    'customer' | 'latest_invoice'
  > & { items: { data: [Item] }; pause_collection: PauseCollection | null; schedule: string | null };
  invoice: Serialized<
    Stripe.Invoice,
    | 'amount_due'
    | 'amount_paid'
    | 'attempt_count'
    | 'auto_advance'
    | 'automatically_finalizes_at'
    | 'billing_reason'
    | 'currency'
    | 'next_payment_attempt',
    'customer'
  > & {
    status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
    lines: { data: [Line] };
    parent: { subscription_details: { metadata: Stripe.Metadata; subscription: string } };
    status_transitions: { finalized_at: number | null };
  };
  invoice_payment: Serialized<Stripe.InvoicePayment, never, 'invoice'> & {
    status: 'open' | 'paid' | 'canceled';
    payment: { type: 'payment_intent'; payment_intent: string };
  };
  payment_intent: Serialized<Stripe.PaymentIntent, 'amount', 'customer' | 'client_secret'> & {
    status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
    payment_method: string | null;
    latest_charge: string | null;
    last_payment_error: (CardError & { payment_method: object }) | null;
  };
  charge: Serialized<Stripe.Charge, 'amount' | 'amount_refunded', 'customer' | 'payment_intent'>;
  refund: Serialized<Stripe.Refund, 'amount', 'payment_intent'>;
  dispute: Serialized<Stripe.Dispute, 'amount' | 'status', 'payment_intent'>;
  subscription_schedule: Serialized<
    Stripe.SubscriptionSchedule,
    'current_phase' | 'end_behavior' | 'status',
    'customer'
  > & { subscription: string | null; phases: Phase[] };
  'billing_portal.configuration': Serialized<Stripe.BillingPortal.Configuration, 'active' | 'metadata'> & {
    features: object;
  };
  'billing_portal.session': Serialized<
    Stripe.BillingPortal.Session,
    'return_url' | 'url',
    'configuration' | 'customer'
  >;
}
export type ObjectType = keyof StripeObjects;

export interface Interval {
  interval: 'day' | 'week' | 'month' | 'year';
  interval_count: number;
}

/** The error of a payment that a card's bank refused. */
export interface CardError {
  type: 'card_error';
  code: string;
  decline_code?: string;
  message: string;
}

/** What happens to the invoices that are created while payment collection is paused. */
export interface PauseCollection {
  behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void';
}

interface Item {
  price: StripeObjects['price'];
  current_period_start: number;
  current_period_end: number;
}

interface Line {
  parent: { subscription_item_details: { proration: false } };
  period: Period;
  pricing: { price_details: { price: string } };
}

/** A time from `start` to `end`, in seconds. */
export interface Period {
  start: number;
  end: number;
}

export interface Phase {
  start_date: number;
  end_date: number;
  trial_end: number | null;
  items: { price: string }[];
}

/** A recorded event with a snapshot of its object. */
export interface StripeEvent {
  type: string;
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
}
