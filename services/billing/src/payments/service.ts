import { AppError } from '@escucho/contracts';
import type { Database } from '../database.ts';
import { type Confirmation, GatewayFault } from '../gateways/gateway.ts';
import { environmentOf } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import { type Gateways, payingFor, type Release, type Walk } from '../subscriptions/charging.ts';
import type { Fact, Terms } from '../subscriptions/facts.ts';
import type { Heed } from '../subscriptions/heeding.ts';
import type { Holding } from '../subscriptions/holding.ts';
import {
  needsConfirmation,
  nextCharge,
  outcomeFacts,
  paidNow,
  unpaidCharge,
} from '../subscriptions/policy.ts';
import { type Stored, subscriptionRepository, type Which } from '../subscriptions/repository.ts';
import { type Dispute, disputeFacts, refundFacts } from './policy.ts';

interface Ports {
  db: Database;
  gateways: Gateways;
  holding: Holding;
  walk: Walk;
  release: Release;
  heed: Heed;
  /** Called when what a subscriber has has changed, once it is written. */
  changed: () => void;
}

const PAYMENTS = 400;

const isPaid = (facts: readonly Fact[]) => facts.some(({ kind }) => kind === 'paid');
const givenBack = (facts: readonly Fact[]): number =>
  facts.reduce((sum, fact) => (fact.kind === 'refunded' ? sum + fact.money.amount : sum), 0);

/** Single payments: what gateways say of them, giving them back, and paying what could not be renewed. */
export function paymentService(ports: Ports) {
  const { db, gateways, holding, walk, release, heed, changed } = ports;

  /** A charge for a subscription at its gateway, unless the gateway or who pays is not there. */
  const chargeOf = (which: Which, charge: { key: string; terms: Terms }) =>
    holding(which, async ({ subscriber, stored }) => payingFor(gateways, subscriber, stored.state, charge));

  /** Writes down what was given back of a payment by its gateway. In: how much, in all. */
  const recordRefund = (which: Which, key: string, inAll: number): Promise<void> =>
    holding(which, async ({ tx, now, append }) => {
      const facts = await subscriptionRepository.findFacts(tx, which.id);
      const payments = facts.filter((fact) => fact.kind === 'paid');
      const paid = payments.find((fact) => fact.key === key);
      if (!paid) return;
      const refunded = givenBack(
        facts.filter((fact) => fact.kind === 'refunded' && fact.key === key && !fact.dispute),
      );
      const isLatest = payments.at(-1)?.key === key;
      const given = refundFacts({ key, money: paid.money, refunded, isLatest }, inAll, now);
      if (given.length > 0) await append(given);
    });

  /**
   * Writes a dispute down. In: whether the gateway charges nothing any more. Out: what is to be done before: a charge that is
   * on its way is waited for, so that no money is taken unseen; what the gateway keeps is ended, so that none is taken at all.
   */
  const recordDispute = (which: Which, key: string, dispute: Dispute, isReleased = false) =>
    holding(which, async ({ tx, stored: { state }, now, append }) => {
      const facts = await subscriptionRepository.findFacts(tx, which.id);
      const paid = facts.find((fact) => fact.kind === 'paid' && fact.key === key);
      const news = paid?.kind === 'paid' ? disputeFacts(state, facts, paid, dispute, now) : [];
      const endsIt = news.some(({ kind }) => kind === 'expired');
      if (endsIt && state.gatewaySubscription && !isReleased) return release;
      if (state.charge) return walk;
      if (news.length > 0) await append(news);
      return undefined;
    });

  /** A gateway says that a charge has come to something; late or twice, it may change nothing. Throws `GatewayFault`. */
  async function charged(key: string): Promise<void> {
    const found = await subscriptionRepository.findCharge(db, key);
    const begun = found?.facts.find((fact) => fact.kind === 'charge_begun');
    if (!found || begun?.kind !== 'charge_begun' || isPaid(found.facts)) return;
    await walk(found);
    const after = await subscriptionRepository.findCharge(db, key);
    if (!after || isPaid(after.facts)) return changed();
    // Given up here, and paid after all: whoever paid gets a period for it.
    const paying = await chargeOf(found, begun);
    const outcome = paying && (await paying.gateway.findCharge(paying.charge));
    if (outcome?.status !== 'succeeded') return;
    await holding(found, async ({ tx, stored: { state }, now, append }) => {
      // Where tries pay one invoice, it may have been written down under another's key.
      const isKnown = await subscriptionRepository.findPayment(tx, outcome.reference);
      if (!isKnown) await append(outcomeFacts(state, begun, outcome, now));
    });
    changed();
  }

  /** Charges the card that is there now. What was refused before can come to nothing any more. */
  async function payAnew(which: Which, refused: { key: string; terms: Terms }): Promise<void> {
    const paying = await chargeOf(which, refused);
    const outcome = await paying?.gateway.giveUp(paying.charge);
    if (outcome?.status === 'succeeded') return charged(refused.key);
    await holding(which, async ({ stored: { id, state }, now, append }) => {
      const facts = paidNow(id, state, now);
      if (facts.length > 0) await append(facts);
    });
    await walk(which);
    changed();
  }

  /** What the owner's bank asks, where it asks. */
  async function confirmationOf(which: Which): Promise<Confirmation | undefined> {
    const stored = await subscriptionRepository.find(db, which.id);
    const unpaid = stored && needsConfirmation(stored.state) && unpaidCharge(stored.id, stored.state);
    const paying = unpaid && (await chargeOf(which, unpaid));
    return paying ? paying.gateway.confirmation(paying.charge) : undefined;
  }

  return {
    charged,

    /**
     * A gateway says that something happened to a subscription it keeps: asks what was paid, and what was changed there. Out:
     * whether it is ours. Throws `GatewayFault`.
     */
    async heard(kept: string): Promise<boolean> {
      const found = await subscriptionRepository.findKept(db, kept);
      if (!found) return false;
      await walk(found);
      const last = (await subscriptionRepository.findFacts(db, found.id)).findLast(
        ({ kind }) => kind === 'charge_begun',
      );
      if (last?.kind === 'charge_begun') await charged(last.key);
      await heed(found);
      await walk(found);
      changed();
      return true;
    },

    /** A payment of a subscriber's by its receipt, else the newest. */
    async find(subscriber: string, receipt: string | undefined) {
      const facts = await subscriptionRepository.findPayments(db, subscriber, PAYMENTS);
      const payments = facts.filter((fact) => fact.kind === 'paid');
      return payments.find(({ key }) => receipt === undefined || key === receipt);
    },

    /**
     * The owner wants a renewal paid that could not be: looks whether it is by now, else what the bank asks, else charges
     * again. Out: what the owner is to confirm, if anything. Throws `GatewayFault`.
     */
    async pay(which: Stored): Promise<Confirmation | undefined> {
      const unpaid = unpaidCharge(which.id, which.state);
      if (!unpaid) return undefined;
      await charged(unpaid.key);
      const asked = await confirmationOf(which);
      if (asked) return asked;
      const stored = await subscriptionRepository.find(db, which.id);
      const left = stored && unpaidCharge(stored.id, stored.state);
      if (left) await payAnew(which, left);
      return left && confirmationOf(which);
    },

    /**
     * The owner brought another card: it is charged from now on, at once where a renewal could not be paid. In: the
     * set-up's name. Out: what the owner is to confirm, if anything. Throws `conflict` for a set-up that is not done or
     * somebody else's, `GatewayFault`.
     */
    async takeCard(which: Stored, setup: string): Promise<Confirmation | undefined> {
      const next = nextCharge(which.id, which.state);
      const paying = next && (await chargeOf(which, next));
      const outcome = await paying?.gateway.setupOf(setup);
      const isDone = outcome?.status === 'succeeded' && outcome.customer === paying?.charge.payer.customer;
      if (!isDone) throw new AppError('conflict');
      const { card, customer } = outcome;
      await paying?.gateway.useCard({ customer, card });
      await holding(which, async ({ tx, subscriber, stored }) => {
        const payers = { ...subscriber.payers, [environmentOf(stored.state)]: { customer, card } };
        await subscriberRepository.change(tx, subscriber.id, { payers });
      });
      const unpaid = unpaidCharge(which.id, which.state);
      if (unpaid) await payAnew(which, unpaid);
      return unpaid && confirmationOf(which);
    },

    /**
     * A gateway says how much of a payment was given back, in all. Out: whether the payment is ours. Giving all of the
     * newest back ends the subscription.
     */
    async refunded(reference: string, inAll: number): Promise<boolean> {
      const found = await subscriptionRepository.findPayment(db, reference);
      if (!found) return false;
      await recordRefund(found, found.key, inAll);
      await walk(found);
      changed();
      return true;
    },

    /** A gateway says how a dispute about a payment stands. Out: whether the payment is ours. Throws `GatewayFault`. */
    async disputed(reference: string, dispute: Dispute): Promise<boolean> {
      const found = await subscriptionRepository.findPayment(db, reference);
      if (!found) return false;
      const before = await recordDispute(found, found.key, dispute);
      while ((await before?.(found)) === false) changed();
      if (before && (await recordDispute(found, found.key, dispute, true)))
        throw new GatewayFault('a charge is on its way');
      changed();
      return true;
    },

    /** Gives back all that is left of a payment. In: the charge's key. Throws `not_found`, `GatewayFault`. */
    async refund(subscriber: string, key: string): Promise<void> {
      const found = await subscriptionRepository.findCharge(db, key);
      const paid = found?.facts.find((fact) => fact.kind === 'paid');
      if (!found || found.subscriberId !== subscriber || paid?.kind !== 'paid')
        throw new AppError('not_found');
      const left = paid.money.amount - givenBack(found.facts);
      const stored = await subscriptionRepository.find(db, found.id);
      const gateway = stored && gateways[environmentOf(stored.state)];
      if (!gateway) throw new GatewayFault('there is no gateway for this payment');
      const money = { ...paid.money, amount: left };
      // The key says how much is left, so that asking twice gives back once.
      if (left > 0) await gateway.refund(`${key}.refund.${left}`, paid.reference, money);
      const byDisputes = givenBack(found.facts.filter((fact) => fact.kind === 'refunded' && fact.dispute));
      await recordRefund(found, key, paid.money.amount - byDisputes);
      await walk(found);
      changed();
    },
  };
}

export type PaymentService = ReturnType<typeof paymentService>;
