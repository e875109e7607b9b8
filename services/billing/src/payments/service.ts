import { recordAuditEvent } from '@escucho/audit';
import type { PaymentConfirmation } from '@escucho/contracts';
import type { BillingDeps } from '../deps.ts';
import { billingErrors } from '../errors.ts';
import { GatewayError } from '../gateways/gateway.ts';
import { getEnvironment } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { ChargeRef, SubscriptionEvent } from '../subscriptions/events.ts';
import type { WithLock } from '../subscriptions/lock.ts';
import {
  getNextCharge,
  getUnpaidCharge,
  needsConfirmation,
  toChargeEvents,
  toRetryEvents,
} from '../subscriptions/policy.ts';
import {
  findGatewayCharge,
  isAccepted,
  type Processing,
  requireGateway,
} from '../subscriptions/processing.ts';
import {
  type StoredSubscription,
  type SubscriptionRef,
  subscriptionRepository,
} from '../subscriptions/repository.ts';
import { type Dispute, findOpenDisputes, sumRefunds, toDisputeEvents, toRefundEvents } from './policy.ts';

interface PaymentDeps extends BillingDeps, Processing {
  withLock: WithLock;
}

const MAX_PAYMENTS = 400;

const isPaid = (events: readonly SubscriptionEvent[]) => events.some(({ kind }) => kind === 'paid');

/** Creates the service for payments: gateway events about them, refunds, disputes and unpaid renewals. */
export function createPaymentService(deps: PaymentDeps) {
  const { db, gateways, withLock, processDue, cancelAtGateway, syncFromGateway } = deps;

  const findCharge = (ref: SubscriptionRef, charge: ChargeRef) =>
    withLock(ref, async ({ subscriber, stored }) =>
      findGatewayCharge(gateways, subscriber, stored.state, charge),
    );

  /** Records a refund. `totalRefunded`: of the payment, without disputes. */
  const recordRefund = (ref: SubscriptionRef, key: string, totalRefunded: number): Promise<void> =>
    withLock(ref, async ({ tx, now, append }) => {
      const events = await subscriptionRepository.findEvents(tx, ref.id);
      const payments = events.filter((event) => event.kind === 'paid');
      const paid = payments.find((event) => event.key === key);
      if (!paid) return;
      const refunded = sumRefunds(
        events.filter((event) => event.kind === 'refunded' && event.key === key && !event.dispute),
      );
      const isLatest = payments.at(-1)?.key === key;
      append(toRefundEvents({ key, money: paid.money, refunded, isLatest }, totalRefunded, now));
    });

  async function completeCharge(ref: SubscriptionRef): Promise<true> {
    await processDue(ref);
    return true;
  }

  /**
   * Records a dispute. Returns what must be done before, until it returns true, so that no charge goes unrecorded: a
   * pending one is completed, the gateway's own subscription is cancelled.
   */
  const recordDispute = (ref: SubscriptionRef, key: string, dispute: Dispute, isCancelled = false) =>
    withLock(ref, async ({ tx, subscriber, stored, now, append }) => {
      // For a deleted subscriber there is no period that a won dispute could reopen.
      const state = subscriber.appUserId === null ? { ...stored.state, expiresAt: null } : stored.state;
      const events = await subscriptionRepository.findEvents(tx, ref.id);
      const paid = events.find((event) => event.kind === 'paid' && event.key === key);
      const disputeEvents = paid?.kind === 'paid' ? toDisputeEvents(state, events, paid, dispute, now) : [];
      const expires = disputeEvents.some(({ kind }) => kind === 'expired');
      if (expires && state.gatewaySubscription && !isCancelled) return cancelAtGateway;
      if (state.charge) return completeCharge;
      append(disputeEvents);
      return undefined;
    });

  /** Records a charge that the gateway took, unless the payment is recorded, under whichever key. Throws `GatewayError`. */
  async function recordPaid(ref: SubscriptionRef, charge: ChargeRef): Promise<void> {
    const found = await findCharge(ref, charge);
    const outcome = await found?.gateway.findCharge(found.charge);
    if (outcome?.status !== 'succeeded') return;
    await withLock(ref, async ({ tx, stored: { state }, now, append }) => {
      // Several attempts may pay one invoice.
      const isKnown = await subscriptionRepository.findPayment(tx, outcome.reference);
      if (!isKnown) append(toChargeEvents(state, charge, outcome, now));
    });
  }

  /** Handles a gateway's event about a charge; late or repeated events change nothing. Throws `GatewayError`. */
  async function handleCharge(key: string): Promise<void> {
    const found = await subscriptionRepository.findCharge(db, key);
    const chargeStart = found?.events.find((event) => event.kind === 'charge_begun');
    if (!found || chargeStart?.kind !== 'charge_begun' || isPaid(found.events)) return;
    await processDue(found);
    const after = await subscriptionRepository.findCharge(db, key);
    // The charge may have been abandoned here and paid after all: the payment buys a period.
    if (after && !isPaid(after.events)) await recordPaid(found, chargeStart);
  }

  /** Charges the current card, after making sure that the refused charge does not succeed as well. */
  async function retryPayment(ref: SubscriptionRef, refused: ChargeRef): Promise<void> {
    const charge = await findCharge(ref, refused);
    const outcome = await charge?.gateway.abandonCharge(charge.charge);
    if (outcome?.status === 'succeeded') return handleCharge(refused.key);
    await withLock(ref, async ({ stored: { id, state }, now, append }) =>
      append(toRetryEvents(id, state, now)),
    );
    await processDue(ref);
  }

  async function findConfirmation(ref: SubscriptionRef): Promise<PaymentConfirmation | undefined> {
    const stored = await subscriptionRepository.find(db, ref.id);
    const unpaid = stored && needsConfirmation(stored.state) && getUnpaidCharge(stored.id, stored.state);
    const charge = unpaid && (await findCharge(ref, unpaid));
    return charge ? charge.gateway.findConfirmation(charge.charge) : undefined;
  }

  /** Reads what was paid and changed at the gateway. Throws `GatewayError`, and `unavailable` while its owner changes it. */
  async function readGateway(ref: SubscriptionRef): Promise<void> {
    await processDue(ref);
    await syncFromGateway(ref);
    // A charge that was abandoned here, or one for a period that the gateway began before the present one ended.
    const stored = await subscriptionRepository.find(db, ref.id);
    const next = stored && getNextCharge(stored.id, stored.state);
    if (next) await recordPaid(ref, next);
    await processDue(ref);
  }

  return {
    handleCharge,

    /**
     * Handles a gateway's event about its subscription.
     *
     * @returns whether a record refers to the subscription
     * @throws GatewayError
     * @throws AppError `unavailable` while its owner changes it
     */
    async handleSubscriptionChange(gatewaySubscription: string): Promise<boolean> {
      const found = await subscriptionRepository.findByGatewaySubscription(db, gatewaySubscription);
      if (!found) return false;
      await readGateway(found);
      return true;
    },

    /** Reads the state of a subscription whose change was not completed. Throws as `handleSubscriptionChange`. */
    async syncSubscription(id: string): Promise<void> {
      const found = await subscriptionRepository.find(db, id);
      if (found && isAccepted(gateways, found.state)) await readGateway(found);
    },

    /** Returns a subscriber's payment by its receipt; the newest without one. */
    async findPayment(subscriberId: string, receipt: string | undefined) {
      const events = await subscriptionRepository.findPayments(db, subscriberId, {
        acceptsSandbox: gateways.sandbox !== undefined,
        limit: MAX_PAYMENTS,
      });
      const payments = events.filter((event) => event.kind === 'paid');
      return payments.find(({ key }) => receipt === undefined || key === receipt);
    },

    /**
     * Pays an unpaid renewal on the owner's request, unless it is paid or waits for a confirmation.
     *
     * @returns what the owner must confirm, if anything
     * @throws GatewayError
     */
    async pay(stored: StoredSubscription): Promise<PaymentConfirmation | undefined> {
      const unpaid = getUnpaidCharge(stored.id, stored.state);
      if (!unpaid) return undefined;
      await handleCharge(unpaid.key);
      const confirmation = await findConfirmation(stored);
      if (confirmation) return confirmation;
      const current = await subscriptionRepository.find(db, stored.id);
      const stillUnpaid = current && getUnpaidCharge(current.id, current.state);
      if (stillUnpaid) await retryPayment(stored, stillUnpaid);
      return stillUnpaid && findConfirmation(stored);
    },

    /**
     * Replaces the card; an unpaid renewal is charged to it at once.
     *
     * @returns what the owner must confirm, if anything
     * @throws BillingError - the set-up is not completed or belongs to another customer
     * @throws GatewayError
     */
    async replaceCard(stored: StoredSubscription, setup: string): Promise<PaymentConfirmation | undefined> {
      const next = getNextCharge(stored.id, stored.state);
      const found = next && (await findCharge(stored, next));
      const result = await found?.gateway.findSetup(setup);
      const isValid = result?.status === 'succeeded' && result.customer === found?.charge.payer.customer;
      if (!isValid) throw billingErrors.cardSetupInvalid();
      const { card, customer } = result;
      if (!(await found?.gateway.setDefaultCard({ customer, card }))) throw billingErrors.cardSetupInvalid();
      await withLock(stored, async ({ tx, subscriber, stored }) => {
        const environment = getEnvironment(stored.state);
        // The client repeats the request where its response was lost.
        if (subscriber.payers[environment]?.card === card) return;
        const payers = { ...subscriber.payers, [environment]: { customer, card } };
        await subscriberRepository.update(tx, subscriber.id, { payers });
        await recordAuditEvent(tx, { type: 'card_replaced', userId: subscriber.appUserId ?? undefined });
      });
      const unpaid = getUnpaidCharge(stored.id, stored.state);
      if (unpaid) await retryPayment(stored, unpaid);
      return unpaid && findConfirmation(stored);
    },

    /** Handles a gateway's event about refunds. Returns whether a record refers to the payment. */
    async handleRefund(reference: string, totalRefunded: number): Promise<boolean> {
      const found = await subscriptionRepository.findPayment(db, reference);
      if (!found) return false;
      await recordRefund(found, found.key, totalRefunded);
      await processDue(found);
      return true;
    },

    /** Handles a gateway's event about a dispute. Returns whether a record refers to the payment. Throws `GatewayError`. */
    async handleDispute(reference: string, dispute: Dispute): Promise<boolean> {
      const found = await subscriptionRepository.findPayment(db, reference);
      if (!found) return false;
      const prepare = await recordDispute(found, found.key, dispute);
      if (!prepare) return true;
      let isPrepared = false;
      while (!isPrepared) isPrepared = await prepare(found);
      if (await recordDispute(found, found.key, dispute, true)) throw new GatewayError('a charge is pending');
      return true;
    },

    /**
     * Refunds what is left of a payment.
     *
     * @param key - of the charge
     * @throws BillingError - there is no such payment, or a dispute about it is open, which decides who gets the money
     * @throws GatewayError
     */
    async refund(subscriberId: string, key: string): Promise<void> {
      const found = await subscriptionRepository.findCharge(db, key);
      const paid = found?.events.find((event) => event.kind === 'paid');
      if (!found || found.subscriberId !== subscriberId || paid?.kind !== 'paid')
        throw billingErrors.paymentNotFound();
      const left = paid.money.amount - sumRefunds(found.events);
      if (left > 0 && findOpenDisputes(found.events).length > 0) throw billingErrors.disputeOpen();
      const stored = await subscriptionRepository.find(db, found.id);
      if (!stored) throw billingErrors.paymentNotFound();
      const gateway = requireGateway(gateways, stored.state);
      const money = { ...paid.money, amount: left };
      const outcome = left > 0 && (await gateway.refund(paid.reference, money));
      if (outcome === 'disputed') throw billingErrors.disputeOpen();
      if (outcome === 'deleted') throw billingErrors.paymentNotFound();
      const byDisputes = sumRefunds(
        found.events.filter((event) => event.kind === 'refunded' && event.dispute),
      );
      await recordRefund(found, key, paid.money.amount - byDisputes);
      await processDue(found);
    },
  };
}

export type PaymentService = ReturnType<typeof createPaymentService>;
