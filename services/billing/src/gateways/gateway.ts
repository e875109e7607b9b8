import type { Money } from '../subscriptions/facts.ts';
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

/** The gateway could not be asked, or did not know what to answer: nothing is known, ask again. */
export class GatewayFault extends Error {}

/** What takes cards and money: the sandbox, or Stripe. All of it may throw `GatewayFault`. */
export interface Gateway {
  /** Begins to set a card up. In: the checkout's id, the buyer; `customer` is the gateway's own name of one who is known. */
  begin(buyer: { checkout: string; email: string; customer: string | undefined }): Promise<Setup>;
  setupOf(setup: string): Promise<SetupOutcome>;
  /** Takes money once for a key, however often it is asked. */
  charge(key: string, payer: Payer, money: Money): Promise<ChargeOutcome>;
  /** What became of a charge, if it was made. */
  findCharge(key: string, payer: Payer): Promise<ChargeOutcome | undefined>;
  /** How the owner of the card confirms a charge that was refused for want of it; nothing where that cannot be. */
  confirmation(key: string, payer: Payer): Promise<Confirmation | undefined>;
  /** Sees to it that a charge which was refused comes to nothing any more. Out: what it came to, which may be money after all. */
  giveUp(key: string, payer: Payer): Promise<ChargeOutcome | undefined>;
  /** Gives money back, once for a key. In: the charge's reference. */
  refund(key: string, reference: string, money: Money): Promise<void>;
  /** Forgets who pays, and the cards with it. */
  forget(customer: string): Promise<void>;
  /** A page of the gateway's own where a customer sees to cards and subscription; nothing where it has none. */
  manage(customer: string, returnUrl: string): Promise<string | undefined>;
}
