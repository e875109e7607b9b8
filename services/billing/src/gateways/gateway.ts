import type { CardSetup, PaymentConfirmation } from '@escucho/contracts';
import type { Money, Terms } from '../subscriptions/events.ts';
import type { GatewaySchedule, GatewayState } from '../subscriptions/gateway-schedule.ts';
import type { ChargeOutcome } from '../subscriptions/policy.ts';

/** Who pays and with which card, by the gateway's ids. */
export interface Payer {
  customer: string;
  card: string;
}

type SetupResult =
  | { status: 'waiting' }
  | { status: 'failed' }
  | { status: 'succeeded'; card: string; customer: string };

/** A card form to complete. */
export interface Setup extends CardSetup {
  customer: string;
}

/** A charge for one period. Its key identifies it permanently. */
export interface Charge {
  key: string;
  payer: Payer;
  /** The amount; a gateway that manages subscriptions charges its own price. */
  money: Money;
  /** The gateway's id of the subscription that it manages. */
  subscription: string | null;
  /** When the period begins. */
  startsAt: Date;
}

/** How long an order is requested under the same idempotency key. */
const IDEMPOTENCY_WINDOW_MS = 10 * 60_000;

/**
 * Returns the idempotency key of a request for an order or a price. It changes with time, because a gateway repeats an
 * undecided response for as long as the key is the same.
 */
export const toIdempotencyKey = (key: string, now: Date): string =>
  `${key}.${Math.floor(now.getTime() / IDEMPOTENCY_WINDOW_MS)}`;

/** A subscription to create. With `trialEndsAt` nothing is paid until then. */
export interface Order {
  key: string;
  idempotencyKey: string;
  payer: Payer;
  terms: Terms;
  trialEndsAt: Date | undefined;
}

/** A subscription that the gateway manages, and when its first period or trial ends. */
interface GatewaySubscription {
  id: string;
  endsAt: Date;
}

export interface OrderResult {
  outcome: ChargeOutcome | { status: 'trial' };
  gatewaySubscription?: GatewaySubscription;
}

/**
 * `disputed`: nothing was refunded, because a dispute decides who gets the money; `deleted`: nor here, because the gateway
 * has deleted the payment, which was a test.
 */
export type RefundOutcome = 'refunded' | 'disputed' | 'deleted';

/** The gateway could not be reached or could not decide: the outcome is unknown, and the call must be repeated. */
export class GatewayError extends Error {}

/** Handles a rejection: returns undefined for a `GatewayError`, after which something else tries again. */
export function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}

/**
 * A card gateway. One that only charges does so on request (the sandbox); one that manages subscriptions creates each
 * period's charge by itself and takes it on request (Stripe). Every method may throw `GatewayError`.
 */
export interface Gateway {
  /**
   * Creates a card set-up.
   *
   * @param buyer - `email`: where receipts go from now on, if that may have changed; `customer`: the gateway's id of a known
   *   customer, replaced by a new one if it is gone
   */
  createSetup(buyer: {
    checkout: string;
    email?: string | undefined;
    customer: string | undefined;
  }): Promise<Setup>;
  findSetup(setup: string): Promise<SetupResult>;
  /** Makes the card the one that all of the customer's payments use. Returns false where it or the customer is gone. */
  setDefaultCard(payer: Payer): Promise<boolean>;
  /** Creates a subscription and takes its first payment, once for a key, also where several processes try. */
  subscribe(order: Order): Promise<OrderResult>;
  /** Returns the result of an order if a subscription was created for it; an unpaid one is paid now, others are cancelled. */
  findOrder(order: Order): Promise<OrderResult | undefined>;
  /** Takes a payment, once for a key. */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** Returns a payment, or that it is pending; undefined where there is none or it can be attempted again. */
  findCharge(charge: Charge): Promise<ChargeOutcome | undefined>;
  /** Returns what the card's owner needs to confirm a refused charge; undefined where it cannot be confirmed. */
  findConfirmation(charge: Charge): Promise<PaymentConfirmation | undefined>;
  /** Makes sure that a refused charge does not succeed beside the next one. Returns its outcome, which may be a payment. */
  abandonCharge(charge: Charge): Promise<ChargeOutcome | undefined>;
  /** Changes how the gateway's subscription continues. Returns false where it has ended. */
  updateSchedule(subscription: string, schedule: GatewaySchedule): Promise<boolean>;
  /** One that the gateway has deleted has ended. */
  getState(subscription: string): Promise<GatewayState>;
  /** Cancels the gateway's subscription now. Where its charge is paid or pending, returns that and cancels nothing. */
  cancelSubscription(charge: Charge): Promise<ChargeOutcome | undefined>;
  /** Cancels a subscription that no record refers to and refunds what was paid. Returns whether it was active. */
  cancelOrphan(subscription: string): Promise<boolean>;
  /** Refunds what is left of a payment. `reference`: the gateway's id; `money`: what is left by the ledger. */
  refund(reference: string, money: Money): Promise<RefundOutcome>;
  /** Deletes a customer and the cards. */
  deleteCustomer(customer: string): Promise<void>;
  /** Returns the URL of the gateway's customer portal; undefined where it has none. */
  createPortalUrl(customer: string, returnUrl: string): Promise<string | undefined>;
}
