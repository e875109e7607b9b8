import { AppError } from '@escucho/contracts';
import type { Database } from '../database.ts';
import { clockMoved } from '../deliveries/policy.ts';
import { deliveryRepository } from '../deliveries/repository.ts';
import { type Gateway, GatewayFault } from '../gateways/gateway.ts';
import { type Environment, environmentOf, type Subscriber, timeOf } from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { Fact, Subscription } from './facts.ts';
import { type ChargeOutcome, dueAt, nextStep, outcomeFacts, refundFacts, type Step } from './policy.ts';
import { type Stored, subscriptionRepository, type Which } from './repository.ts';

const MINUTE = 60_000;
const AT_ONCE = 8;

interface Ports {
  db: Database;
  gateways: Partial<Record<Environment, Gateway>>;
  /** Called when what a subscriber has has changed, once it is written. */
  changed: () => void;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

type ChargeStep = Extract<Step, { kind: 'charge' | 'find_charge' }>;

const isPaid = (facts: readonly Fact[]) => facts.some(({ kind }) => kind === 'paid');
const givenBack = (facts: readonly Fact[]): number =>
  facts.reduce((sum, fact) => (fact.kind === 'refunded' ? sum + fact.money.amount : sum), 0);

/** A charge that is to be made, and of whom. */
interface Wanted {
  step: ChargeStep;
  subscriber: Subscriber;
  state: Subscription;
  /** It was begun before, so it may have been made. */
  isRetry: boolean;
}

/** Makes time pass for subscriptions: renewals, failed ones, ends. Money moves at most once for each key, whatever happens in between. */
export function subscriptionService({ db, gateways, changed, report, clock }: Ports) {
  /** Works on one subscription with it and its subscriber held, the subscriber first. */
  function holding<Result>(
    { id, subscriberId }: Which,
    work: (held: {
      tx: Database;
      subscriber: Subscriber;
      stored: Stored;
      now: Date;
      append: (facts: readonly Fact[]) => Promise<Stored>;
    }) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.lock(tx, id);
      if (!stored) throw new Error(`Subscription ${id} is not there`);
      const append = (facts: readonly Fact[]) =>
        subscriptionRepository.append(tx, stored, facts, subscriber.ahead);
      return work({ tx, subscriber, stored, now: timeOf(subscriber, clock()), append });
    });
  }

  /** Writes down what is due and needs nobody outside. Out: the charge that is to be made, if one is. */
  const prepare = (which: Which): Promise<Wanted | undefined> =>
    holding(which, async ({ subscriber, stored, now, append }) => {
      let { state } = stored;
      const isRetry = state.charge !== null;
      let step = nextStep(stored.id, state, now);
      if (step?.kind === 'expire') {
        await append(step.facts);
        return undefined;
      }
      if (step?.kind === 'begin_charge') {
        ({ state } = await append(step.facts));
        step = nextStep(stored.id, state, now);
      }
      return step?.kind === 'charge' || step?.kind === 'find_charge'
        ? { step, subscriber, state, isRetry }
        : undefined;
    });

  async function outcomeOf({ step, subscriber, state, isRetry }: Wanted): Promise<ChargeOutcome | undefined> {
    const environment = environmentOf(state);
    const payer = subscriber.payers[environment];
    const gateway = gateways[environment];
    if (!payer || !gateway) return { status: 'failed', reason: 'no_card' };
    const known = isRetry ? await gateway.findCharge(step.key, payer) : undefined;
    return known || step.kind === 'find_charge' ? known : gateway.charge(step.key, payer, step.terms.price);
  }

  /** Writes down what a charge came to, unless that is known by now. */
  const settle = (
    which: Which,
    { key, terms }: ChargeStep,
    outcome: ChargeOutcome | undefined,
  ): Promise<void> =>
    holding(which, async ({ stored, now, append }) => {
      if (stored.state.charge?.key !== key) return;
      const facts = outcome
        ? outcomeFacts(stored.state, { key, terms }, outcome, now)
        : [{ kind: 'charge_dropped', at: now, key } as const];
      if (facts.length > 0) await append(facts);
    });

  /** Does all that is due for a subscription by its subscriber's clock. Throws `GatewayFault`: then it stays due. */
  async function walk(which: Which): Promise<void> {
    for (;;) {
      const wanted = await prepare(which);
      if (!wanted) return;
      const outcome = await outcomeOf(wanted);
      await settle(which, wanted.step, outcome);
      // Neither yes nor no: it is asked again when the lease has run out.
      if (outcome?.status === 'pending') return;
    }
  }

  /** Moves a subscriber's clock to where the next thing is due, at most to the target. In and out: seconds ahead. */
  const moveToNextStop = (subscriberId: string, target: number) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.findOf(tx, subscriberId);
      const now = timeOf(subscriber, clock()).getTime();
      const waits = stored
        .map(({ state }) => Math.ceil(((dueAt(state)?.getTime() ?? now) - now) / 1000))
        .filter((wait) => wait > 0);
      const ahead = Math.min(target, ...waits.map((wait) => subscriber.ahead + wait));
      await subscriberRepository.change(tx, subscriberId, { ahead });
      await deliveryRepository.insert(tx, subscriberId, [clockMoved(clock())]);
      for (const each of stored) await subscriptionRepository.reschedule(tx, each, ahead);
      return { stored, ahead };
    });

  /** Writes down what was given back of a payment. In: how much, in all. */
  const recordRefund = (which: Which, key: string, inAll: number): Promise<void> =>
    holding(which, async ({ tx, now, append }) => {
      const facts = await subscriptionRepository.findFacts(tx, which.id);
      const payments = facts.filter((fact) => fact.kind === 'paid');
      const paid = payments.find((fact) => fact.key === key);
      if (!paid) return;
      const refunded = givenBack(facts.filter((fact) => fact.kind === 'refunded' && fact.key === key));
      const isLatest = payments.at(-1)?.key === key;
      const given = refundFacts({ key, money: paid.money, refunded, isLatest }, inAll, now);
      if (given.length > 0) await append(given);
    });

  /** The subscription that its owner manages: bought, and not over. */
  async function managed(subscriber: string): Promise<Stored | undefined> {
    const stored = await subscriptionRepository.findOf(db, subscriber);
    return stored.find(({ state }) => state.terms && !state.endedAt);
  }

  return {
    managed,

    /**
     * Changes the subscription that its owner manages. In: what is decided of where it stands; nothing to refuse.
     * Throws `not_found` where there is none, `conflict` where it is refused.
     */
    async change(
      subscriber: string,
      decide: (state: Subscription, now: Date) => Fact[] | undefined,
    ): Promise<void> {
      const found = await managed(subscriber);
      if (!found) throw new AppError('not_found');
      await holding(found, async ({ stored, now, append }) => {
        const facts = decide(stored.state, now);
        if (!facts) throw new AppError('conflict');
        if (facts.length > 0) await append(facts);
      });
      changed();
    },

    /** A gateway says that a charge has come to something; late or twice, it may change nothing. Throws `GatewayFault`. */
    async charged(key: string): Promise<void> {
      const found = await subscriptionRepository.findCharge(db, key);
      const begun = found?.facts.find((fact) => fact.kind === 'charge_begun');
      if (!found || begun?.kind !== 'charge_begun' || isPaid(found.facts)) return;
      await walk(found);
      const after = await subscriptionRepository.findCharge(db, key);
      if (!after || isPaid(after.facts)) return changed();
      // Given up here, and paid after all: whoever paid gets a period for it.
      const { subscriber, state } = await holding(found, async (held) => ({ ...held, ...held.stored }));
      const environment = environmentOf(state);
      const payer = subscriber.payers[environment];
      const outcome = payer && (await gateways[environment]?.findCharge(key, payer));
      if (outcome?.status !== 'succeeded') return;
      await holding(found, async ({ tx, stored: { state }, now, append }) => {
        const known = await subscriptionRepository.findCharge(tx, key);
        if (known && !isPaid(known.facts)) await append(outcomeFacts(state, begun, outcome, now));
      });
      changed();
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

    /** Gives back all that is left of a payment. In: the charge's key. Throws `not_found`, `GatewayFault`. */
    async refund(subscriber: string, key: string): Promise<void> {
      const found = await subscriptionRepository.findCharge(db, key);
      const paid = found?.facts.find((fact) => fact.kind === 'paid');
      if (!found || found.subscriberId !== subscriber || paid?.kind !== 'paid')
        throw new AppError('not_found');
      const left = paid.money.amount - givenBack(found.facts);
      const [stored] = (await subscriptionRepository.findOf(db, subscriber)).filter(
        ({ id }) => id === found.id,
      );
      const gateway = stored && gateways[environmentOf(stored.state)];
      if (!gateway) throw new GatewayFault('there is no gateway for this payment');
      const money = { ...paid.money, amount: left };
      // The key says how much is left, so that asking twice gives back once.
      if (left > 0) await gateway.refund(`${key}.refund.${left}`, paid.reference, money);
      await recordRefund(found, key, paid.money.amount);
      await walk(found);
      changed();
    },

    /**
     * Ends all that a subscriber has, at once. What is being paid is waited for, so that no money is taken unseen.
     * Throws `GatewayFault`: then nothing has ended for good, and it is to be asked again.
     */
    async endAll(subscriber: string): Promise<void> {
      for (const each of await subscriptionRepository.findOf(db, subscriber)) {
        if (each.state.charge) await walk(each);
        await holding(each, async ({ stored: { state }, now, append }) => {
          if (state.endedAt) return;
          if (state.charge) throw new GatewayFault('a charge is on its way');
          const stop: Fact[] = state.unsubscribedAt ? [] : [{ kind: 'cancelled', at: now, by: 'deletion' }];
          await append([...stop, { kind: 'expired', at: now, reason: 'deleted' }]);
        });
      }
    },

    /**
     * Does all that is due, each subscription held by a lease against other processes. What fails is reported, and tried
     * again after a minute.
     */
    async rounds(): Promise<void> {
      const failed = (error: unknown) =>
        report(
          { reason: error instanceof Error ? error.message : String(error) },
          'subscription is tried again later',
        );
      for (;;) {
        const now = clock();
        const until = new Date(now.getTime() + MINUTE);
        const leased = await subscriptionRepository.lease(db, now, until, AT_ONCE);
        if (leased.length === 0) return;
        await Promise.all(leased.map((which) => walk(which).catch(failed)));
        changed();
      }
    },

    /**
     * Moves a subscriber's clock ahead, standing still wherever something is due on the way. In: seconds. Throws
     * `GatewayFault`: then the clock stands where that happened.
     */
    async advance(subscriberId: string, seconds: number): Promise<void> {
      const { ahead: from } = await db
        .transaction()
        .execute((tx) => subscriberRepository.lock(tx, subscriberId));
      const target = from + seconds;
      for (let ahead = from; ahead < target; ) {
        const stop = await moveToNextStop(subscriberId, target);
        for (const each of stop.stored) await walk(each);
        ahead = stop.ahead;
      }
      changed();
    },
  };
}

export type SubscriptionService = ReturnType<typeof subscriptionService>;
