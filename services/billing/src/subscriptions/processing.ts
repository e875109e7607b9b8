import type { Database } from '../database.ts';
import { type Charge, type Gateway, GatewayError } from '../gateways/gateway.ts';
import {
  type Environment,
  getEnvironment,
  type Subscriber,
  toSubscriberTime,
} from '../subscribers/policy.ts';
import { subscriberRepository } from '../subscribers/repository.ts';
import type { Subscription, SubscriptionEvent, Terms } from './events.ts';
import { toGatewayStateEvents } from './gateway-schedule.ts';
import { type ChargeOutcome, getNextCharge, getNextStep, type Step, toChargeEvents } from './policy.ts';
import {
  type StoredSubscription,
  type SubscriberClock,
  type SubscriptionRef,
  subscriptionRepository,
} from './repository.ts';

/** A subscription and its subscriber, locked for a transaction. */
export interface LockedSubscription {
  tx: Database;
  subscriber: Subscriber;
  stored: StoredSubscription;
  /** By the subscriber's clock. */
  now: Date;
  clock: SubscriberClock;
  append: (events: readonly SubscriptionEvent[]) => Promise<StoredSubscription>;
}

export type WithLock = <Result>(
  ref: SubscriptionRef,
  work: (locked: LockedSubscription) => Promise<Result>,
) => Promise<Result>;

/** Creates the function that locks a subscription for a transaction; the subscriber is always locked first. */
export function createWithLock({ db, clock }: { db: Database; clock: () => Date }): WithLock {
  return ({ id, subscriberId }, work) =>
    db.transaction().execute(async (tx) => {
      const subscriber = await subscriberRepository.lock(tx, subscriberId);
      const stored = await subscriptionRepository.lock(tx, id);
      if (!stored) throw new Error(`Subscription ${id} does not exist`);
      const subscriberClock = { now: clock(), clockOffset: subscriber.clockOffset };
      return work({
        tx,
        subscriber,
        stored,
        now: toSubscriberTime(subscriber, subscriberClock.now),
        clock: subscriberClock,
        append: (events) => subscriptionRepository.append(tx, stored, events, subscriberClock),
      });
    });
}

export type Gateways = Partial<Record<Environment, Gateway>>;

type ChargeRef = Pick<Charge, 'key'> & { terms: Terms };

/** Returns the gateway of a subscription and the charge there; undefined without a gateway or a payer. */
export function findGatewayCharge(
  gateways: Gateways,
  subscriber: Subscriber,
  state: Subscription,
  { key, terms }: ChargeRef,
): { gateway: Gateway; charge: Charge } | undefined {
  const environment = getEnvironment(state);
  const gateway = gateways[environment];
  const payer = subscriber.payers[environment];
  if (!gateway || !payer) return undefined;
  const { gatewaySubscription: subscription, expiresAt, startedAt } = state;
  return {
    gateway,
    charge: { key, payer, money: terms.price, subscription, startsAt: expiresAt ?? startedAt },
  };
}

interface ProcessingDeps {
  gateways: Gateways;
  withLock: WithLock;
}

/** Does everything that is due for a subscription by its subscriber's clock. Throws `GatewayError`; then it stays due. */
export type ProcessDue = (ref: SubscriptionRef) => Promise<void>;

/**
 * Cancels the gateway's own subscription, so that nothing more is charged; does nothing where there is none.
 *
 * @returns false when the gateway had taken a payment: it is recorded, nothing is cancelled, and the caller decides again
 * @throws GatewayError when it cannot be cancelled now
 */
export type CancelAtGateway = (ref: SubscriptionRef) => Promise<boolean>;

function createCancelAtGateway({ gateways, withLock }: ProcessingDeps): CancelAtGateway {
  /** Records the outcome of the last charge, unless an event was appended since. */
  const record = (
    ref: SubscriptionRef,
    { version: expected }: StoredSubscription,
    charge: ChargeRef,
    outcome: ChargeOutcome | undefined,
  ) =>
    withLock(ref, async ({ stored: { state, version }, now, append }) => {
      if (version !== expected) return;
      if (outcome?.status === 'succeeded') await append(toChargeEvents(state, charge, outcome, now));
      else if (state.charge) await append([{ kind: 'charge_dropped', at: now, key: charge.key }]);
    });

  return async (ref) => {
    const { subscriber, stored } = await withLock(ref, async (locked) => locked);
    const { state } = stored;
    const next = getNextCharge(ref.id, state);
    if (!state.gatewaySubscription || state.endedAt || !next) return true;
    const found = findGatewayCharge(gateways, subscriber, state, next);
    if (!found) throw new GatewayError('there is no gateway for this subscription');
    const outcome = await found.gateway.cancelSubscription(found.charge);
    if (outcome?.status === 'pending') throw new GatewayError('a charge is pending');
    await record(ref, stored, next, outcome);
    return outcome?.status !== 'succeeded';
  };
}

type GatewayStep = Exclude<Step, { kind: 'begin_charge' }>;
type ChargeStep = Exclude<GatewayStep, { kind: 'expire' }>;

/** A step that needs the gateway. */
interface PreparedStep {
  step: GatewayStep;
  subscriber: Subscriber;
  state: Subscription;
}

/** Creates renewals, retries and expirations. A charge key moves money at most once, wherever a process dies. */
export function createProcessDue({ gateways, withLock }: ProcessingDeps): {
  processDue: ProcessDue;
  cancelAtGateway: CancelAtGateway;
} {
  const cancelAtGateway = createCancelAtGateway({ gateways, withLock });

  /** Records what is due and needs no gateway. Returns the step that does. */
  const prepare = (ref: SubscriptionRef): Promise<PreparedStep | undefined> =>
    withLock(ref, async ({ subscriber, stored, now, append }) => {
      let { state } = stored;
      let step = getNextStep(stored.id, state, now);
      if (step?.kind === 'expire' && !state.gatewaySubscription) {
        await append(step.events);
        return undefined;
      }
      if (step?.kind === 'begin_charge') {
        ({ state } = await append(step.events));
        step = getNextStep(stored.id, state, now);
      }
      return step && step.kind !== 'begin_charge' ? { step, subscriber, state } : undefined;
    });

  async function performCharge(
    step: ChargeStep,
    { subscriber, state }: PreparedStep,
  ): Promise<ChargeOutcome | undefined> {
    const found = findGatewayCharge(gateways, subscriber, state, step);
    if (!found) return { status: 'failed', reason: 'no_card' };
    const { gateway, charge } = found;
    return step.kind === 'find_charge' ? gateway.findCharge(charge) : gateway.charge(charge);
  }

  /** Records the outcome of a charge, unless it is recorded. Returns whether more is due. */
  const settle = (
    ref: SubscriptionRef,
    { key, terms }: ChargeStep,
    outcome: ChargeOutcome | undefined,
  ): Promise<boolean> =>
    withLock(ref, async ({ stored, now, append }) => {
      if (stored.state.charge?.key !== key) return true;
      const events = outcome
        ? toChargeEvents(stored.state, { key, terms }, outcome, now)
        : [{ kind: 'charge_dropped', at: now, key } as const];
      const { id, state } = events.length > 0 ? await append(events) : stored;
      return getNextStep(id, state, now) !== undefined;
    });

  /** Cancels at the gateway, then ends the subscription. A payment that turns up starts another period instead. */
  async function expire(ref: SubscriptionRef): Promise<void> {
    if (!(await cancelAtGateway(ref))) return;
    await withLock(ref, async ({ stored, now, append }) => {
      const step = getNextStep(stored.id, stored.state, now);
      if (step?.kind === 'expire') await append(step.events);
    });
  }

  async function processDue(ref: SubscriptionRef): Promise<void> {
    for (;;) {
      const prepared = await prepare(ref);
      if (!prepared) return;
      const { step } = prepared;
      if (step.kind === 'expire') {
        await expire(ref);
        continue;
      }
      const outcome = await performCharge(step, prepared);
      const isMoreDue = await settle(ref, step, outcome);
      if (!isMoreDue || outcome?.status === 'pending') return;
    }
  }

  return { processDue, cancelAtGateway };
}

/** Records what was changed at the gateway, if it manages the subscription. Throws `GatewayError`. */
export type SyncFromGateway = (ref: SubscriptionRef) => Promise<void>;

interface SyncDeps extends ProcessingDeps {
  /** Finds what is for sale by the gateway's id of the price. */
  findTermsByPrice: (price: string) => Terms | undefined;
}

export function createSyncFromGateway({ gateways, withLock, findTermsByPrice }: SyncDeps): SyncFromGateway {
  return async (ref) => {
    const state = await withLock(ref, async ({ stored }) => stored.state);
    const id = state.endedAt ? null : state.gatewaySubscription;
    const gatewayState = id && (await gateways[getEnvironment(state)]?.getState(id));
    if (!gatewayState) return;
    await withLock(ref, async ({ stored, now, append }) => {
      if (stored.state.gatewaySubscription !== id) return;
      const events = toGatewayStateEvents(stored.state, gatewayState, findTermsByPrice, now);
      if (events.length > 0) await append(events);
    });
  };
}
