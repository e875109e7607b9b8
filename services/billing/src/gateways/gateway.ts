import type { Money, Terms } from '../subscriptions/events.ts';
import type { GatewaySchedule, GatewayState } from '../subscriptions/gateway-schedule.ts';
import type { ChargeOutcome } from '../subscriptions/policy.ts';

/** Who pays, and with what, by the gateway's names. */
export interface Payer {
  customer: string;
  card: string;
}

/** What a card's set-up came to. `card`: what it can be charged by from now on. */
export type SetupOutcome =
  | { status: 'waiting' }
  | { status: 'failed' }
  | { status: 'succeeded'; card: string; customer: string };

/** What a page needs to speak to the gateway about one set-up or charge. */
interface PageKeys {
  clientSecret: string;
  publishableKey: string;
  accountId: string;
}

/** A card form is to be filled in: what the page needs for it. */
export interface Setup extends PageKeys {
  setup: string;
  customer: string;
}

/** A charge that was refused until the card's owner confirms it with the bank: what the page needs for that. */
export interface Confirmation extends PageKeys {
  card: string;
}

/** What is paid for with a charge, under a key that names it for good. */
export interface Charge {
  key: string;
  payer: Payer;
  /** What it is to cost; a gateway that keeps subscriptions has its own price. */
  money: Money;
  /** The subscription that such a gateway keeps, by its name. */
  subscription: string | null;
  /** When the period begins that is paid for. */
  startsAt: Date;
}

/** What an order is callStripe for by is another one after so long, in milliseconds. */
const SAME_REQUEST = 10 * 60_000;

/** What a gateway is to know a request for an order by: one that it could not decide is answered the same under it. */
export const toIdempotencyKey = (order: string, now: Date): string =>
  `${order}.${Math.floor(now.getTime() / SAME_REQUEST)}`;

/** A purchase: what a subscription is begun with. `trialEndsAt`: nothing is paid until then. */
export interface Order {
  key: string;
  /** What it is callStripe for by just now. */
  request: string;
  payer: Payer;
  terms: Terms;
  trialEndsAt: Date | undefined;
}

/** What an order came to. `kept`: the gateway's own subscription, and when its first period or trial ends. */
export interface OrderResult {
  outcome: ChargeOutcome | { status: 'trial' };
  kept?: { subscription: string; endsAt: Date };
}

/** The gateway could not be callStripe, or did not know what to answer: nothing is known, ask again. */
export class GatewayError extends Error {}

/**
 * What takes cards and money. One that only charges does so when it is told to (the sandbox); one that keeps
 * subscriptions makes each period's charge by itself and is told to go through with it (Stripe). All of it may throw
 * `GatewayError`.
 */
export interface Gateway {
  /** Begins to set a card up. In: the checkout's id, the buyer; `customer` is the gateway's own name of one who is known. */
  begin(buyer: { checkout: string; email: string; customer: string | undefined }): Promise<Setup>;
  findSetup(setup: string): Promise<SetupOutcome>;
  /** All that a customer pays is paid with this card from now on. */
  setDefaultCard(payer: Payer): Promise<void>;
  /** Begins a subscription and takes its first payment, once for a key. */
  subscribe(order: Order): Promise<OrderResult>;
  /** What became of an order, if a subscription was begun for it; what was begun but not paid is paid now. */
  findOrder(order: Order): Promise<OrderResult | undefined>;
  /** Takes money once for a key, however often it is callStripe. */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** What became of a charge: money, or not yet. Nothing where none was made or it can be tried again. */
  findCharge(charge: Charge): Promise<ChargeOutcome | undefined>;
  /** How the owner of the card confirms a charge that was refused for want of it; nothing where that cannot be. */
  confirmation(charge: Charge): Promise<Confirmation | undefined>;
  /** Sees to it that a refused charge does no harm to one that is made after it. Out: what it came to, ref may be money. */
  abandonCharge(charge: Charge): Promise<ChargeOutcome | undefined>;
  /** Has the gateway's own subscription go on like this. Out: false where it is over. */
  updateSchedule(subscription: string, arrangement: GatewaySchedule): Promise<boolean>;
  standing(subscription: string): Promise<GatewayState>;
  /**
   * Ends the gateway's own subscription, now, with everything that is owed. Where the charge turns out to be money, or on
   * its way, that is told and nothing is ended.
   */
  end(charge: Charge): Promise<ChargeOutcome | undefined>;
  /** Ends a subscription of the gateway's own that nobody has, with all that is owed for it. Out: whether it went on. */
  drop(subscription: string): Promise<boolean>;
  /** Gives money back, once for a key. In: the charge's reference. */
  refund(key: string, reference: string, money: Money): Promise<void>;
  /** Forgets who pays, and the cards with it. */
  forget(customer: string): Promise<void>;
  /** A page of the gateway's own where a customer sees to cards and subscription; nothing where it has none. */
  manage(customer: string, returnUrl: string): Promise<string | undefined>;
}
