import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { type OrderResult, toIdempotencyKey } from '../gateways/gateway.ts';
import { jobQueue, resumeCheckout } from '../jobs.ts';
import { getEnvironment, type Subscriber, toSubscriberTime } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { changeRepository, toChange } from '../subscriptions/change-repository.ts';
import { addPeriods } from '../subscriptions/period.ts';
import { toStartEvents } from '../subscriptions/policy.ts';
import { isAccepted, requireGateway } from '../subscriptions/processing.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { errorCodes, findRefusal } from './policy.ts';
import { type Checkout, checkoutRepository } from './repository.ts';

/**
 * After it another process may take over, although the first one may still wait for the gateway: both then pay the same
 * subscription there.
 */
const PAYMENT_LOCK_MS = 5000;

export interface CheckoutDeps extends BillingDeps {
  subscribers: SubscriberService;
}

/** Creates the operations that take a checkout from its card form to the subscription. It is paid at most once. */
export function createCheckoutProcessing(deps: CheckoutDeps) {
  const { db, gateways, subscribers, hasWebhook, clock } = deps;

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
    if (known) return settle(checkout, known);
    const hasCard = await gateway.setDefaultCard(order.payer);
    const noCard = { outcome: { status: 'failed', reason: 'no_card' } } as const;
    await settle(checkout, hasCard ? await gateway.subscribe(order) : noCard);
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

  return { advance, pay };
}
