import { AppError } from '@escucho/contracts';
import type { Database } from '../database.ts';
import { type Confirmation, GatewayError } from '../gateways/gateway.ts';
import { getEnvironment } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import {
  type CancelAtGateway,
  findGatewayCharge,
  type Gateways,
  type ProcessDue,
} from '../subscriptions/charging.ts';
import type { SubscriptionEvent, Terms } from '../subscriptions/events.ts';
import type { SyncFromGateway } from '../subscriptions/heeding.ts';
import type { WithLock } from '../subscriptions/holding.ts';
import {
  getNextCharge,
  getUnpaidCharge,
  needsConfirmation,
  toChargeEvents,
  toRetryEvents,
} from '../subscriptions/policy.ts';
import {
  type StoredSubscription,
  type SubscriptionRef,
  subscriptionRepository,
} from '../subscriptions/repository.ts';
import { type Dispute, toDisputeEvents, toRefundEvents } from './policy.ts';

interface Deps {
  db: Database;
  gateways: Gateways;
  withLock: WithLock;
  processDue: ProcessDue;
  cancelAtGateway: CancelAtGateway;
  syncFromGateway: SyncFromGateway;
  /** Called when what a subscriber has has notifyChange, once it is written. */
  notifyChange: () => void;
}

const PAYMENTS = 400;

const isPaid = (events: readonly SubscriptionEvent[]) => events.some(({ kind }) => kind === 'paid');
const givenBack = (events: readonly SubscriptionEvent[]): number =>
  events.reduce((sum, event) => (event.kind === 'refunded' ? sum + event.money.amount : sum), 0);

/** Single payments: what gateways say of them, giving them back, and paying what could not be renewed. */
export function createPaymentService(ports: Deps) {
  const { db, gateways, withLock, processDue, cancelAtGateway, syncFromGateway, notifyChange } = ports;

  /** A charge for a subscription at its gateway, unless the gateway or who pays is not there. */
  const chargeOf = (ref: SubscriptionRef, charge: { key: string; terms: Terms }) =>
    withLock(ref, async ({ subscriber, stored }) =>
      findGatewayCharge(gateways, subscriber, stored.state, charge),
    );

  /** Writes down what was given back of a payment by its gateway. In: how much, in all. */
  const recordRefund = (ref: SubscriptionRef, key: string, inAll: number): Promise<void> =>
    withLock(ref, async ({ tx, now, append }) => {
      const events = await subscriptionRepository.findEvents(tx, ref.id);
      const payments = events.filter((event) => event.kind === 'paid');
      const paid = payments.find((event) => event.key === key);
      if (!paid) return;
      const refunded = givenBack(
        events.filter((event) => event.kind === 'refunded' && event.key === key && !event.dispute),
      );
      const isLatest = payments.at(-1)?.key === key;
      const given = toRefundEvents({ key, money: paid.money, refunded, isLatest }, inAll, now);
      if (given.length > 0) await append(given);
    });

  /**
   * Writes a dispute down. In: whether the gateway charges nothing any more. Out: what is to be done before: a charge that is
   * on its way is waited for, so that no money is taken unseen; what the gateway keeps is ended, so that none is taken at all.
   */
  const recordDispute = (ref: SubscriptionRef, key: string, dispute: Dispute, isReleased = false) =>
    withLock(ref, async ({ tx, stored: { state }, now, append }) => {
      const events = await subscriptionRepository.findEvents(tx, ref.id);
      const paid = events.find((event) => event.kind === 'paid' && event.key === key);
      const notification = paid?.kind === 'paid' ? toDisputeEvents(state, events, paid, dispute, now) : [];
      const endsIt = notification.some(({ kind }) => kind === 'expired');
      if (endsIt && state.gatewaySubscription && !isReleased) return cancelAtGateway;
      if (state.charge) return processDue;
      if (notification.length > 0) await append(notification);
      return undefined;
    });

  /** A gateway says that a charge has come to something; late or twice, it may change nothing. Throws `GatewayError`. */
  async function charged(key: string): Promise<void> {
    const found = await subscriptionRepository.findCharge(db, key);
    const begun = found?.events.find((event) => event.kind === 'charge_begun');
    if (!found || begun?.kind !== 'charge_begun' || isPaid(found.events)) return;
    await processDue(found);
    const after = await subscriptionRepository.findCharge(db, key);
    if (!after || isPaid(after.events)) return notifyChange();
    // Given up here, and paid after all: whoever paid gets a period for it.
    const paying = await chargeOf(found, begun);
    const outcome = paying && (await paying.gateway.findCharge(paying.charge));
    if (outcome?.status !== 'succeeded') return;
    await withLock(found, async ({ tx, stored: { state }, now, append }) => {
      // Where tries pay one invoice, it may have been written down under another's key.
      const isKnown = await subscriptionRepository.findPayment(tx, outcome.reference);
      if (!isKnown) await append(toChargeEvents(state, begun, outcome, now));
    });
    notifyChange();
  }

  /** Charges the card that is there now. What was refused before can come to nothing any more. */
  async function payAnew(ref: SubscriptionRef, refused: { key: string; terms: Terms }): Promise<void> {
    const paying = await chargeOf(ref, refused);
    const outcome = await paying?.gateway.abandonCharge(paying.charge);
    if (outcome?.status === 'succeeded') return charged(refused.key);
    await withLock(ref, async ({ stored: { id, state }, now, append }) => {
      const events = toRetryEvents(id, state, now);
      if (events.length > 0) await append(events);
    });
    await processDue(ref);
    notifyChange();
  }

  /** What the owner's bank asks, where it asks. */
  async function confirmationOf(ref: SubscriptionRef): Promise<Confirmation | undefined> {
    const stored = await subscriptionRepository.find(db, ref.id);
    const unpaid = stored && needsConfirmation(stored.state) && getUnpaidCharge(stored.id, stored.state);
    const paying = unpaid && (await chargeOf(ref, unpaid));
    return paying ? paying.gateway.confirmation(paying.charge) : undefined;
  }

  return {
    charged,

    /**
     * A gateway says that something happened to a subscription it keeps: asks what was paid, and what was notifyChange there. Out:
     * whether it is ours. Throws `GatewayError`.
     */
    async heard(kept: string): Promise<boolean> {
      const found = await subscriptionRepository.findByGatewaySubscription(db, kept);
      if (!found) return false;
      await processDue(found);
      const last = (await subscriptionRepository.findEvents(db, found.id)).findLast(
        ({ kind }) => kind === 'charge_begun',
      );
      if (last?.kind === 'charge_begun') await charged(last.key);
      await syncFromGateway(found);
      await processDue(found);
      notifyChange();
      return true;
    },

    /** A payment of a subscriber's by its receipt, else the newest. */
    async find(subscriber: string, receipt: string | undefined) {
      const events = await subscriptionRepository.findPayments(db, subscriber, PAYMENTS);
      const payments = events.filter((event) => event.kind === 'paid');
      return payments.find(({ key }) => receipt === undefined || key === receipt);
    },

    /**
     * The owner wants a renewal paid that could not be: looks whether it is by now, else what the bank asks, else charges
     * again. Out: what the owner is to confirm, if anything. Throws `GatewayError`.
     */
    async pay(ref: StoredSubscription): Promise<Confirmation | undefined> {
      const unpaid = getUnpaidCharge(ref.id, ref.state);
      if (!unpaid) return undefined;
      await charged(unpaid.key);
      const callStripe = await confirmationOf(ref);
      if (callStripe) return callStripe;
      const stored = await subscriptionRepository.find(db, ref.id);
      const left = stored && getUnpaidCharge(stored.id, stored.state);
      if (left) await payAnew(ref, left);
      return left && confirmationOf(ref);
    },

    /**
     * The owner brought another card: it is charged from now on, at once where a renewal could not be paid. In: the
     * set-up's name. Out: what the owner is to confirm, if anything. Throws `conflict` for a set-up that is not done or
     * somebody else's, `GatewayError`.
     */
    async replaceCard(ref: StoredSubscription, setup: string): Promise<Confirmation | undefined> {
      const next = getNextCharge(ref.id, ref.state);
      const paying = next && (await chargeOf(ref, next));
      const outcome = await paying?.gateway.findSetup(setup);
      const isDone = outcome?.status === 'succeeded' && outcome.customer === paying?.charge.payer.customer;
      if (!isDone) throw new AppError('conflict');
      const { card, customer } = outcome;
      await paying?.gateway.setDefaultCard({ customer, card });
      await withLock(ref, async ({ tx, subscriber, stored }) => {
        const payers = { ...subscriber.payers, [getEnvironment(stored.state)]: { customer, card } };
        await subscriberRepository.change(tx, subscriber.id, { payers });
      });
      const unpaid = getUnpaidCharge(ref.id, ref.state);
      if (unpaid) await payAnew(ref, unpaid);
      return unpaid && confirmationOf(ref);
    },

    /**
     * A gateway says how much of a payment was given back, in all. Out: whether the payment is ours. Giving all of the
     * newest back ends the subscription.
     */
    async refunded(reference: string, inAll: number): Promise<boolean> {
      const found = await subscriptionRepository.findPayment(db, reference);
      if (!found) return false;
      await recordRefund(found, found.key, inAll);
      await processDue(found);
      notifyChange();
      return true;
    },

    /** A gateway says how a dispute about a payment stands. Out: whether the payment is ours. Throws `GatewayError`. */
    async disputed(reference: string, dispute: Dispute): Promise<boolean> {
      const found = await subscriptionRepository.findPayment(db, reference);
      if (!found) return false;
      const before = await recordDispute(found, found.key, dispute);
      while ((await before?.(found)) === false) notifyChange();
      if (before && (await recordDispute(found, found.key, dispute, true)))
        throw new GatewayError('a charge is on its way');
      notifyChange();
      return true;
    },

    /** Gives back all that is left of a payment. In: the charge's key. Throws `not_found`, `GatewayError`. */
    async refund(subscriber: string, key: string): Promise<void> {
      const found = await subscriptionRepository.findCharge(db, key);
      const paid = found?.events.find((event) => event.kind === 'paid');
      if (!found || found.subscriberId !== subscriber || paid?.kind !== 'paid')
        throw new AppError('not_found');
      const left = paid.money.amount - givenBack(found.events);
      const stored = await subscriptionRepository.find(db, found.id);
      const gateway = stored && gateways[getEnvironment(stored.state)];
      if (!gateway) throw new GatewayError('there is no gateway for this payment');
      const money = { ...paid.money, amount: left };
      // The key says how much is left, so that asking twice gives back once.
      if (left > 0) await gateway.refund(`${key}.refund.${left}`, paid.reference, money);
      const byDisputes = givenBack(
        found.events.filter((event) => event.kind === 'refunded' && event.dispute),
      );
      await recordRefund(found, key, paid.money.amount - byDisputes);
      await processDue(found);
      notifyChange();
    },
  };
}

export type PaymentService = ReturnType<typeof createPaymentService>;
