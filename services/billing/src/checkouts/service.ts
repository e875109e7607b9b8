import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import { faults } from '../errors.ts';
import { type Gateway, GatewayError, type OrderResult, toIdempotencyKey } from '../gateways/gateway.ts';
import type { Catalogue } from '../offerings/catalogue.ts';
import {
  type Environment,
  getEnvironment,
  type Subscriber,
  toSubscriberTime,
} from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import { addPeriods } from '../subscriptions/period.ts';
import { type ChargeOutcome, toStartEvents } from '../subscriptions/policy.ts';
import { subscriptionRepository } from '../subscriptions/repository.ts';
import { type Purchase, resolveTerms, toRefusal } from './policy.ts';
import { type Checkout, checkoutRepository } from './repository.ts';

const HOUR = 3_600_000;
/** Longer than a charge takes; after it another process may take over. */
const LEASE = 5000;

/** What setting up, the card, and the charge are called when they fail. */
const failures = { setup: 1, card: 2, charge: 3 } as const;

interface Deps {
  db: Database;
  catalogue: Catalogue;
  gateways: Partial<Record<Environment, Gateway>>;
  subscribers: SubscriberService;
  /** Called when what a subscriber has may have notifyChange, once it is written. */
  notifyChange: () => void;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** A payment as the ledger keeps it: what was taken, where the gateway says so. */
const paidOf = ({ reference, paidPeriod }: Extract<ChargeOutcome, { status: 'succeeded' }>) => ({
  reference,
  ...(paidPeriod && { money: paidPeriod.money }),
});

/** Purchases, from the card form to the subscription. Money is taken once for a checkout, whatever happens in between. */
export function createCheckoutService({
  db,
  catalogue,
  gateways,
  subscribers,
  notifyChange,
  report,
  clock,
}: Deps) {
  function gatewayOf(checkout: { isSandbox: boolean }): Gateway {
    const gateway = gateways[getEnvironment(checkout)];
    if (!gateway) throw faults.storeProblem();
    return gateway;
  }

  const statesOf = async (on: Database, { id }: Subscriber) =>
    (await subscriptionRepository.findBySubscriber(on, id)).map(({ state }) => state);

  const fail = (tx: Database, { id }: Checkout, failure: keyof typeof failures) =>
    checkoutRepository.change(tx, id, { status: 'failed', errorCode: failures[failure], leasedUntil: null });

  /** Works on a checkout with it and its subscriber held, the subscriber first, as everybody does. */
  const withLock = <Result>(
    { id, subscriberId }: Checkout,
    work: (held: { tx: Database; checkout: Checkout; subscriber: Subscriber }) => Promise<Result>,
  ): Promise<Result> =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      return work({ tx, subscriber, checkout: await checkoutRepository.lock(tx, id) });
    });

  /**
   * The card is there: takes the checkout for this process, unless it waited too long, or its subscriber has got what it
   * buys, or a trial, meanwhile.
   */
  const claim = (found: Checkout, card: string): Promise<Checkout> =>
    withLock(found, async ({ tx, checkout, subscriber }) => {
      if (checkout.status !== 'started') return checkout;
      const { id, terms, expiresAt } = checkout;
      const now = clock();
      const states = await statesOf(tx, subscriber);
      const isRefused =
        subscriber.appUserId === null ||
        expiresAt <= now ||
        toRefusal(terms, states, toSubscriberTime(subscriber, now)) !== undefined ||
        (await checkoutRepository.hasPaymentInProgress(tx, subscriber.id, id));
      if (isRefused) {
        await fail(tx, checkout, 'setup');
        return { ...checkout, status: 'failed' };
      }
      const payers = {
        ...subscriber.payers,
        [getEnvironment(checkout)]: { customer: checkout.customer, card },
      };
      await subscriberRepository.change(tx, subscriber.id, { payers });
      const ordered = { status: 'in_progress', card, orderedAt: now } as const;
      await checkoutRepository.change(tx, id, { ...ordered, leasedUntil: now });
      return { ...checkout, ...ordered };
    });

  /** Takes a checkout that is being paid for this process alone, if nobody else has it. */
  async function lease(id: string): Promise<Checkout | undefined> {
    return db.transaction().execute(async (tx) => {
      const checkout = await checkoutRepository.lock(tx, id);
      const now = clock();
      if (checkout.status !== 'in_progress' || (checkout.leasedUntil && checkout.leasedUntil > now))
        return undefined;
      await checkoutRepository.change(tx, id, { leasedUntil: new Date(now.getTime() + LEASE) });
      return checkout;
    });
  }

  /** Writes down what the payment came to: the subscription with it, or neither. */
  const settle = (found: Checkout, { outcome, kept }: OrderResult): Promise<void> =>
    withLock(found, async ({ tx, checkout, subscriber }) => {
      if (checkout.status !== 'in_progress' || outcome.status === 'pending') return;
      const isTrial = outcome.status === 'trial';
      if (!isTrial && outcome.status !== 'succeeded') return fail(tx, checkout, 'charge');
      const { id, terms, isSandbox } = checkout;
      const at = toSubscriberTime(subscriber, clock());
      const charge = isTrial ? undefined : { key: id, ...paidOf(outcome) };
      const events = toStartEvents({ terms, isSandbox, isTrial, at, ...(kept && { kept }) }, charge);
      const before = { id: randomUUID(), subscriberId: subscriber.id };
      await subscriptionRepository.append(tx, before, events, subscriber.clockOffset);
      await checkoutRepository.change(tx, id, { status: 'succeeded', leasedUntil: null });
    });

  /** Pays for a checkout whose card is there, and finishes it. In: whether it may have been paid already. */
  async function pay(id: string, isRetry: boolean): Promise<void> {
    const checkout = await lease(id);
    if (!checkout?.card) return;
    const { card, customer, terms, createdAt, orderedAt } = checkout;
    const subscriber = await subscriberRepository.get(db, checkout.subscriberId);
    if (!subscriber) return;
    // By when it was ordered: callStripe for again, it is the same.
    const begins = toSubscriberTime(subscriber, orderedAt ?? createdAt);
    const trialEndsAt = terms.trial ? addPeriods(begins, terms.trial, 1) : undefined;
    const order = {
      key: id,
      request: toIdempotencyKey(id, clock()),
      payer: { customer, card },
      terms,
      trialEndsAt,
    };
    const gateway = gatewayOf(checkout);
    const known = isRetry ? await gateway.findOrder(order) : undefined;
    if (!known) await gateway.setDefaultCard(order.payer);
    await settle(checkout, known ?? (await gateway.subscribe(order)));
    notifyChange();
  }

  /** Takes a checkout as far as it goes now. Out: as it is then. Throws `GatewayError`. */
  async function advance(checkout: Checkout): Promise<void> {
    if (checkout.status === 'started') {
      const setup = await gatewayOf(checkout).findSetup(checkout.setup);
      if (setup.status === 'waiting') return;
      if (setup.status === 'failed') {
        await db.transaction().execute(async (tx) => {
          const held = await checkoutRepository.lock(tx, checkout.id);
          if (held.status === 'started') await fail(tx, held, 'charge');
        });
        return;
      }
      if ((await claim(checkout, setup.card)).status !== 'in_progress') return;
    }
    await pay(checkout.id, checkout.status === 'in_progress');
  }

  return {
    /** Begins a purchase. Out: its session, and what the card form needs. */
    async begin(environment: Environment, purchase: Purchase) {
      const gateway = gatewayOf({ isSandbox: environment === 'sandbox' });
      const { subscriber } = await subscribers.findOrCreate(purchase.appUserId);
      const terms = resolveTerms(catalogue, purchase);
      const refusal = toRefusal(terms, await statesOf(db, subscriber), toSubscriberTime(subscriber, clock()));
      if (refusal) throw refusal;
      const id = `checkout_${randomBytes(18).toString('base64url')}`;
      const { email } = purchase;
      const known = subscriber.payers[environment]?.customer;
      const setup = await gateway.begin({ checkout: id, email, customer: known }).catch((error: unknown) => {
        throw error instanceof GatewayError ? faults.gateway() : error;
      });
      const now = clock();
      const isBegun = await db.transaction().execute(async (tx) => {
        if ((await subscriberRepository.lock(tx, subscriber.id)).appUserId === null) return false;
        await subscriberRepository.change(tx, subscriber.id, { email });
        await checkoutRepository.insert(tx, {
          id,
          subscriberId: subscriber.id,
          terms,
          offering: purchase.offering,
          isSandbox: environment === 'sandbox',
          customer: setup.customer,
          setup: setup.setup,
          createdAt: now,
          expiresAt: new Date(now.getTime() + HOUR),
        });
        return true;
      });
      if (!isBegun) {
        // Forgotten meanwhile: then by the gateway as well.
        await gateway.forget(setup.customer);
        throw faults.badRequest('app_user_id: was forgotten just now.', 409);
      }
      return { id, setup };
    },

    /** How far a purchase is, after taking it as far as it goes. Throws for a session that is not there. */
    async status(id: string): Promise<Checkout> {
      const found = await checkoutRepository.find(db, id);
      if (!found) throw faults.unknownSession();
      if (found.status === 'succeeded' || found.status === 'failed') return found;
      // A gateway that cannot be reached now may be at the next question.
      await advance(found).catch((error: unknown) => {
        if (!(error instanceof GatewayError)) throw error;
      });
      return (await checkoutRepository.find(db, id)) ?? found;
    },

    /** A gateway says that a card's set-up has come to something. What is none of ours is passed over. */
    async setUp(setup: string): Promise<void> {
      const checkout = await checkoutRepository.findBySetup(db, setup);
      if (checkout) await advance(checkout);
    },

    /** Finishes what processes that went away had begun. */
    async resume(): Promise<void> {
      for (const id of await checkoutRepository.findAbandoned(db, clock(), 50)) {
        await pay(id, true).catch((error: unknown) =>
          report({ reason: String(error) }, 'checkout is tried again later'),
        );
      }
    },

    /** A gateway says that a charge has come to something; it may be none of a checkout's. */
    async charged(key: string): Promise<void> {
      const checkout = await checkoutRepository.find(db, key);
      if (checkout?.status === 'in_progress') await pay(key, true);
    },

    /**
     * A gateway tells of a subscription that was ordered and that nobody has: of a purchase that came to something else, it
     * is ended there. In: the order's key. Throws `GatewayError`.
     */
    async cancelOrphan(order: string, subscription: string): Promise<void> {
      const checkout = await checkoutRepository.find(db, order);
      if (checkout?.status !== 'succeeded' && checkout?.status !== 'failed') return;
      // Looked for only now: a purchase and its subscription are written down together.
      if (await subscriptionRepository.findByGatewaySubscription(db, subscription)) return;
      if (await gatewayOf(checkout).drop(subscription)) {
        report({ subscription }, 'a subscription that nobody has was ended at the gateway');
      }
    },
  };
}

export type CheckoutService = ReturnType<typeof createCheckoutService>;
