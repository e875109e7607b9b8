import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import { billingErrors } from '../errors.ts';
import { GatewayError, ignoreGatewayError, type OrderResult, toIdempotencyKey } from '../gateways/gateway.ts';
import { jobQueue, resumeCheckout } from '../jobs.ts';
import type { Catalogue } from '../offerings/catalogue.ts';
import {
  type Environment,
  getEnvironment,
  isSubscribed,
  type Subscriber,
  toSubscriberTime,
} from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { changeRepository, toChange } from '../subscriptions/change-repository.ts';
import { addPeriods } from '../subscriptions/period.ts';
import { toStartEvents } from '../subscriptions/policy.ts';
import { type Gateways, isAccepted, requireGateway } from '../subscriptions/processing.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { findRefusal, type Purchase, resolveTerms } from './policy.ts';
import { type Checkout, checkoutRepository } from './repository.ts';

const CARD_FORM_MS = 3_600_000;
/**
 * After it another process may take over, although the first one may still wait for the gateway: both then pay the same
 * subscription there.
 */
const PAYMENT_LOCK_MS = 5000;

/** The protocol's error codes of a failed checkout. */
const errorCodes = { setup: 1, charge: 3 } as const;

interface CheckoutDeps {
  db: Database;
  catalogue: Catalogue;
  gateways: Gateways;
  subscribers: SubscriberService;
  report: (details: object, message: string) => void;
  /** Whether webhook events are sent. */
  hasWebhook: boolean;
  clock: () => Date;
}

/** Creates the service for purchases, from the card form to the subscription. A checkout is paid at most once. */
export function createCheckoutService(deps: CheckoutDeps) {
  const { db, catalogue, gateways, subscribers, report, hasWebhook, clock } = deps;

  const fail = (tx: Database, { id }: Checkout, failure: keyof typeof errorCodes) =>
    checkoutRepository.update(tx, id, {
      status: 'failed',
      errorCode: errorCodes[failure],
      lockedUntil: null,
    });

  /** Resets a clock that was advanced in a sandbox that is gone: real money is not paid by it. */
  async function resetClock(tx: Database, subscriber: Subscriber): Promise<Subscriber> {
    if (gateways.sandbox || subscriber.clockOffset === 0) return subscriber;
    const clockOffset = 0;
    await subscriberRepository.update(tx, subscriber.id, { clockOffset });
    for (const each of await subscriptionRepository.findBySubscriber(tx, subscriber.id))
      await changeRepository.reschedule(tx, each, { now: clock(), clockOffset });
    return { ...subscriber, clockOffset };
  }

  /** Locks a checkout for a transaction; the subscriber is always locked first. */
  const withLock = <Result>(
    { id, subscriberId }: Checkout,
    work: (locked: { tx: Database; checkout: Checkout; subscriber: Subscriber }) => Promise<Result>,
  ): Promise<Result> =>
    db.transaction().execute(async (tx) => {
      const subscriber = await resetClock(tx, await subscriberRepository.lock(tx, subscriberId));
      return work({ tx, subscriber, checkout: await checkoutRepository.lock(tx, id) });
    });

  /**
   * Begins the payment once the card is there. Fails the checkout when it has expired, or the subscriber has bought the
   * product or used the trial in between.
   */
  const startPayment = (found: Checkout, card: string): Promise<Checkout> =>
    withLock(found, async ({ tx, checkout, subscriber }) => {
      if (checkout.status !== 'started') return checkout;
      const { id, terms, expiresAt } = checkout;
      const now = clock();
      const states = await subscribers.findStates(subscriber, tx);
      const isRefused =
        subscriber.appUserId === null ||
        expiresAt <= now ||
        findRefusal(terms, states, toSubscriberTime(subscriber, now)) !== undefined ||
        (await checkoutRepository.hasPaymentInProgress(tx, subscriber.id, id));
      if (isRefused) {
        await fail(tx, checkout, 'setup');
        return { ...checkout, status: 'failed' };
      }
      const payers = {
        ...subscriber.payers,
        [getEnvironment(checkout)]: { customer: checkout.customer, card },
      };
      await subscriberRepository.update(tx, subscriber.id, { payers });
      const changes = { status: 'in_progress', card, orderedAt: now } as const;
      await checkoutRepository.update(tx, id, { ...changes, lockedUntil: now });
      await jobQueue.enqueue(tx, resumeCheckout, { checkoutId: id }, { delayMs: PAYMENT_LOCK_MS });
      return { ...checkout, ...changes };
    });

  /** Locks the payment of a checkout for this process, unless another one has it. */
  async function lockPayment(id: string): Promise<Checkout | undefined> {
    return db.transaction().execute(async (tx) => {
      const checkout = await checkoutRepository.lock(tx, id);
      const now = clock();
      if (checkout.status !== 'in_progress' || (checkout.lockedUntil && checkout.lockedUntil > now))
        return undefined;
      await checkoutRepository.update(tx, id, { lockedUntil: new Date(now.getTime() + PAYMENT_LOCK_MS) });
      return checkout;
    });
  }

  /** Records the outcome of the payment: the subscription and the checkout, or neither. */
  const settle = (found: Checkout, { outcome, gatewaySubscription }: OrderResult): Promise<void> =>
    withLock(found, async ({ tx, checkout, subscriber }) => {
      if (checkout.status !== 'in_progress' || outcome.status === 'pending') return;
      const isTrial = outcome.status === 'trial';
      if (!isTrial && outcome.status !== 'succeeded') return fail(tx, checkout, 'charge');
      const { id, terms, isSandbox } = checkout;
      const now = clock();
      const at = toSubscriberTime(subscriber, now);
      const charge = isTrial
        ? undefined
        : { key: id, reference: outcome.reference, money: outcome.paidPeriod?.money };
      const events = toStartEvents({ terms, isSandbox, isTrial, at, gatewaySubscription }, charge);
      const ref = { id: randomUUID(), subscriberId: subscriber.id };
      const { clockOffset } = subscriber;
      const change = toChange(ref, events, { now, clockOffset });
      await changeRepository.saveAll(tx, [change], hasWebhook);
      await checkoutRepository.update(tx, id, { status: 'succeeded', lockedUntil: null });
    });

  /** Takes the payment of a checkout. `isRetry`: it may have been taken already. */
  async function pay(id: string, isRetry: boolean): Promise<void> {
    const checkout = await lockPayment(id);
    if (!checkout?.card) return;
    // The sandbox is gone, and with it the payment, which would keep the subscriber from buying and from being deleted.
    if (!isAccepted(gateways, checkout)) {
      await fail(db, checkout, 'charge');
      return;
    }
    const { card, customer, terms, createdAt, orderedAt } = checkout;
    const subscriber = await subscriberRepository.findById(db, checkout.subscriberId);
    if (!subscriber) return;
    // Counted from the first attempt, so that a repeated order is the same.
    const startsAt = toSubscriberTime(subscriber, orderedAt ?? createdAt);
    const order = {
      key: id,
      idempotencyKey: toIdempotencyKey(id, clock()),
      payer: { customer, card },
      terms,
      trialEndsAt: terms.trial ? addPeriods(startsAt, terms.trial, 1) : undefined,
    };
    const gateway = requireGateway(gateways, checkout);
    const known = isRetry ? await gateway.findOrder(order) : undefined;
    if (!known) await gateway.setDefaultCard(order.payer);
    await settle(checkout, known ?? (await gateway.subscribe(order)));
  }

  /** Takes a checkout as far as it goes now. Throws `GatewayError`. */
  async function advance(checkout: Checkout): Promise<void> {
    if (checkout.status === 'started') {
      const setup = await requireGateway(gateways, checkout).findSetup(checkout.setup);
      if (setup.status === 'waiting') return;
      if (setup.status === 'failed') {
        await withLock(checkout, async ({ tx, checkout: locked }) => {
          if (locked.status === 'started') await fail(tx, locked, 'charge');
        });
        return;
      }
      if ((await startPayment(checkout, setup.card)).status !== 'in_progress') return;
    }
    await pay(checkout.id, checkout.status === 'in_progress');
  }

  return {
    /** Starts a purchase of a subscriber. Returns its session id and what the card form needs. */
    async start(environment: Environment, subscriber: Subscriber, purchase: Purchase) {
      const gateway = gateways[environment];
      if (!gateway) throw billingErrors.storeProblem();
      const terms = resolveTerms(catalogue, purchase);
      const states = await subscribers.findStates(subscriber);
      const refusal = findRefusal(terms, states, toSubscriberTime(subscriber, clock()));
      if (refusal) throw refusal;
      const id = `checkout_${randomBytes(18).toString('base64url')}`;
      const { email } = purchase;
      const customer = subscriber.payers[environment]?.customer;
      const setup = await gateway.createSetup({ checkout: id, email, customer }).catch((error: unknown) => {
        throw error instanceof GatewayError ? billingErrors.gatewayRefused() : error;
      });
      const now = clock();
      const isStarted = await db.transaction().execute(async (tx) => {
        if ((await subscriberRepository.lock(tx, subscriber.id)).appUserId === null) return false;
        await subscriberRepository.update(tx, subscriber.id, { email });
        await checkoutRepository.insert(tx, {
          id,
          subscriberId: subscriber.id,
          terms,
          offering: purchase.offering,
          isSandbox: environment === 'sandbox',
          customer: setup.customer,
          setup: setup.setup,
          createdAt: now,
          expiresAt: new Date(now.getTime() + CARD_FORM_MS),
        });
        return true;
      });
      if (!isStarted) {
        // The subscriber was deleted in between, so the customer must be deleted at the gateway too.
        await gateway.deleteCustomer(setup.customer);
        throw billingErrors.badRequest('app_user_id: was deleted just now.', 409);
      }
      return { id, setup };
    },

    /**
     * Returns a checkout after taking it as far as it goes.
     *
     * @throws BillingError 7226 for an unknown session; 7772 where it was refused because the subscriber has bought in another
     * window (BUY-07)
     */
    async getStatus(id: string): Promise<Checkout> {
      let checkout = await checkoutRepository.find(db, id);
      if (!checkout) throw billingErrors.unknownSession();
      if (checkout.status === 'started' || checkout.status === 'in_progress') {
        // The next poll may reach the gateway.
        await advance(checkout).catch(ignoreGatewayError);
        checkout = (await checkoutRepository.find(db, id)) ?? checkout;
      }
      if (checkout.errorCode === errorCodes.setup) {
        const subscriber = await subscriberRepository.findById(db, checkout.subscriberId);
        const states = subscriber ? await subscribers.findStates(subscriber) : [];
        if (subscriber && isSubscribed(states, toSubscriberTime(subscriber, clock())))
          throw billingErrors.alreadySubscribed();
      }
      return checkout;
    },

    /** Handles a gateway's event about a card set-up. Ignores one of another system. */
    async handleSetup(setup: string): Promise<void> {
      const checkout = await checkoutRepository.findBySetup(db, setup);
      if (checkout) await advance(checkout);
    },

    /** Completes a payment whose process died. Throws while it is undecided, so that the job is tried again. */
    async resume(id: string): Promise<void> {
      const checkout = await checkoutRepository.find(db, id);
      if (checkout?.status !== 'in_progress') return;
      await pay(id, true);
      if ((await checkoutRepository.find(db, id))?.status === 'in_progress') {
        throw new Error('the payment of the checkout is not decided yet');
      }
    },

    /** Handles a gateway's event about a charge, which may belong to something else. */
    async handleCharge(key: string): Promise<void> {
      const checkout = await checkoutRepository.find(db, key);
      if (checkout?.status === 'in_progress') await pay(key, true);
    },

    /** Returns whether there is a checkout for a gateway's order. */
    hasOrder: async (key: string) => (await checkoutRepository.find(db, key)) !== undefined,

    /**
     * Cancels and refunds a gateway subscription that no record refers to, once its checkout is settled.
     *
     * @param orderKey - the key it was ordered by
     * @returns whether it was such a subscription
     * @throws GatewayError
     */
    async cancelOrphan(orderKey: string, gatewaySubscription: string): Promise<boolean> {
      const checkout = await checkoutRepository.find(db, orderKey);
      if (checkout?.status !== 'succeeded' && checkout?.status !== 'failed') return false;
      // After the status: a checkout and its subscription are recorded in one transaction.
      if (await subscriptionRepository.findByGatewaySubscription(db, gatewaySubscription)) return false;
      if (await requireGateway(gateways, checkout).cancelOrphan(gatewaySubscription)) {
        report({ gatewaySubscription }, 'cancelled an orphaned subscription at the gateway and refunded it');
      }
      return true;
    },
  };
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;
