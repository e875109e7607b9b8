import { AppError } from '@escucho/contracts';
import { type Charge, type Gateway, GatewayError } from '../gateways/gateway.ts';
import { type Environment, getEnvironment, type Subscriber } from '../subscribers/policy.ts';
import type { ChargeRef, Subscription, Terms } from './events.ts';
import { toGatewayStateEvents } from './gateway-schedule.ts';
import type { WithLock } from './lock.ts';
import { type ChargeOutcome, getNextCharge, getNextStep, type Step, toChargeEvents } from './policy.ts';
import { changeLockRepository, type StoredSubscription, type SubscriptionRef } from './repository.ts';

export type Gateways = Partial<Record<Environment, Gateway>>;

/** Returns whether a subscription counts: one of the sandbox only where there is a sandbox, real or simulated. */
export const isAccepted = (gateways: Gateways, { isSandbox }: Pick<Subscription, 'isSandbox'>): boolean =>
  !isSandbox || gateways.sandbox !== undefined;

/** Throws `GatewayError` where the keys of a gateway are not configured. What belongs to a sandbox that is gone needs none. */
export function requireGateway(gateways: Gateways, item: Pick<Subscription, 'isSandbox'>): void {
  if (isAccepted(gateways, item) && !gateways[getEnvironment(item)])
    throw new GatewayError(`the ${getEnvironment(item)} gateway is missing: its keys are not configured`);
}

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

/**
 * Does everything that is due for a subscription by its subscriber's clock. Throws `GatewayError`; then it stays due.
 *
 * @returns whether events were appended
 */
export type ProcessDue = (ref: SubscriptionRef) => Promise<boolean>;

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
      if (outcome?.status === 'succeeded') append(toChargeEvents(state, charge, outcome, now));
      else if (state.charge) append([{ kind: 'charge_dropped', at: now, key: charge.key }]);
    });

  return async (ref) => {
    const { subscriber, stored } = await withLock(ref, async (locked) => locked);
    const { state } = stored;
    const next = getNextCharge(ref.id, state);
    if (!state.gatewaySubscription || state.endedAt || !next) return true;
    const found = findGatewayCharge(gateways, subscriber, state, next);
    // One of a sandbox that is gone is not charged by anybody, and a deletion leaves nothing at the gateway.
    if (!found && isAccepted(gateways, state) && subscriber.appUserId !== null)
      throw new GatewayError('there is no gateway for this subscription');
    const outcome = await found?.gateway.cancelSubscription(found.charge);
    if (outcome?.status === 'pending') throw new GatewayError('a charge is pending');
    await record(ref, stored, next, outcome);
    return outcome?.status !== 'succeeded';
  };
}

type GatewayStep = Exclude<Step, { kind: 'begin_charge' }>;
type ChargeStep = Exclude<GatewayStep, { kind: 'expire' }>;

interface PreparedStep {
  /** The step that needs the gateway; undefined where nothing more is due. */
  step: GatewayStep | undefined;
  subscriber: Subscriber;
  state: Subscription;
  hasAppended: boolean;
}

/** Creates renewals, retries and expirations. A charge key moves money at most once, wherever a process dies. */
export function createProcessDue({ gateways, withLock }: ProcessingDeps): {
  processDue: ProcessDue;
  cancelAtGateway: CancelAtGateway;
} {
  const cancelAtGateway = createCancelAtGateway({ gateways, withLock });

  /** Records what is due and needs no gateway. */
  const prepare = (ref: SubscriptionRef): Promise<PreparedStep> =>
    withLock(ref, async ({ subscriber, stored, now, append }) => {
      const { id, state } = stored;
      const step = getNextStep(id, state, now);
      if (step?.kind === 'begin_charge') {
        const begun = append(step.events).state;
        const next = getNextStep(id, begun, now);
        if (next?.kind === 'begin_charge') throw new Error('A charge was begun twice');
        return { step: next, subscriber, state: begun, hasAppended: true };
      }
      if (step?.kind !== 'expire' || state.gatewaySubscription)
        return { step, subscriber, state, hasAppended: false };
      append(step.events);
      return { step: undefined, subscriber, state, hasAppended: true };
    });

  async function performCharge(
    step: ChargeStep,
    { subscriber, state }: PreparedStep,
  ): Promise<ChargeOutcome | undefined> {
    // Without the keys of its gateway it waits: the gateway may have taken the payment.
    requireGateway(gateways, state);
    const found = findGatewayCharge(gateways, subscriber, state, step);
    if (!found) return { status: 'failed', reason: 'no_card' };
    const { gateway, charge } = found;
    return step.kind === 'find_charge' ? gateway.findCharge(charge) : gateway.charge(charge);
  }

  /** Records the outcome of a charge, unless it is recorded. */
  const settle = (
    ref: SubscriptionRef,
    { key, terms }: ChargeStep,
    outcome: ChargeOutcome | undefined,
  ): Promise<{ isMoreDue: boolean; hasAppended: boolean }> =>
    withLock(ref, async ({ stored, now, append }) => {
      if (stored.state.charge?.key !== key) return { isMoreDue: true, hasAppended: false };
      const events = outcome
        ? toChargeEvents(stored.state, { key, terms }, outcome, now)
        : [{ kind: 'charge_dropped', at: now, key } as const];
      const { id, state } = append(events);
      return { isMoreDue: getNextStep(id, state, now) !== undefined, hasAppended: events.length > 0 };
    });

  /** Cancels at the gateway, then ends the subscription. A payment that turns up starts another period instead. */
  async function expire(ref: SubscriptionRef): Promise<void> {
    if (!(await cancelAtGateway(ref))) return;
    await withLock(ref, async ({ stored, now, append }) => {
      const step = getNextStep(stored.id, stored.state, now);
      if (step?.kind === 'expire') append(step.events);
    });
  }

  async function processDue(ref: SubscriptionRef): Promise<boolean> {
    let hasAppended = false;
    for (;;) {
      const prepared = await prepare(ref);
      const { step } = prepared;
      hasAppended ||= prepared.hasAppended;
      if (!step) return hasAppended;
      if (step.kind === 'expire') {
        await expire(ref);
        hasAppended = true;
        continue;
      }
      const outcome = await performCharge(step, prepared);
      const settled = await settle(ref, step, outcome);
      hasAppended ||= settled.hasAppended;
      if (!settled.isMoreDue || outcome?.status === 'pending') return hasAppended;
    }
  }

  return { processDue, cancelAtGateway };
}

/**
 * Records what was changed at the gateway, if it manages the subscription.
 *
 * @param options - `hasChangeLock`: whether the caller is the request that changes the subscription
 * @throws GatewayError
 * @throws AppError `unavailable` where something would be recorded while another request changes the subscription: the
 *   gateway may have carried out some of that change
 */
export type SyncFromGateway = (ref: SubscriptionRef, options?: { hasChangeLock: boolean }) => Promise<void>;

interface SyncDeps extends ProcessingDeps {
  /** Finds what is for sale by the gateway's id of the price. */
  findTermsByPrice: (price: string) => Terms | undefined;
}

/**
 * Creates the function that appends what a payment gateway knows of a subscription and the ledger does not. The gateway is
 * asked without the lock, since it may be slow, and again where the ledger has changed since.
 */
export function createSyncFromGateway({ gateways, withLock, findTermsByPrice }: SyncDeps): SyncFromGateway {
  return async function syncFromGateway(ref, options) {
    const { state, version } = await withLock(ref, async ({ stored }) => stored);
    const id = state.endedAt ? null : state.gatewaySubscription;
    const gatewayState = id && (await gateways[getEnvironment(state)]?.getState(id));
    if (!gatewayState) return;
    const isCurrent = await withLock(ref, async ({ tx, stored, now, clock, append }) => {
      if (stored.version !== version) return false;
      const events = toGatewayStateEvents(stored.state, gatewayState, findTermsByPrice, now);
      if (events.length === 0) return true;
      if (!options?.hasChangeLock && (await changeLockRepository.isLocked(tx, ref.id, clock.now)))
        throw new AppError('unavailable');
      append(events);
      return true;
    });
    if (!isCurrent) await syncFromGateway(ref, options);
  };
}
