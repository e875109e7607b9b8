import { AppError } from '@escucho/contracts';
import { type Charge, type Gateway, GatewayError } from '../gateways/gateway.ts';
import { type Environment, getEnvironment, type Subscriber } from '../subscribers/policy.ts';
import type { ChargeRef, Subscription, Terms } from './events.ts';
import { toGatewayStateEvents } from './gateway-schedule.ts';
import type { WithLock } from './lock.ts';
import { type ChargeOutcome, getNextCharge, getNextStep, type Step, toChargeEvents } from './policy.ts';
import { changeLockRepository, type SubscriptionRef } from './repository.ts';

export type Gateways = Partial<Record<Environment, Gateway>>;

/** Returns whether a subscription counts: one of the sandbox only where there is a sandbox, real or simulated. */
export const isAccepted = (gateways: Gateways, { isSandbox }: Pick<Subscription, 'isSandbox'>): boolean =>
  !isSandbox || gateways.sandbox !== undefined;

/** Returns the gateway of what was sold. Throws `GatewayError` where its keys are not configured. */
export function requireGateway(gateways: Gateways, item: Pick<Subscription, 'isSandbox'>): Gateway {
  const gateway = gateways[getEnvironment(item)];
  if (gateway) return gateway;
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

type ChargeStep = Exclude<Step, { kind: 'expire' }>;

interface ProcessingDeps {
  gateways: Gateways;
  withLock: WithLock;
  /** Finds what is for sale by the gateway's id of the price. */
  findTermsByPrice: (price: string) => Terms | undefined;
}

/**
 * Creates the operations that let subscriptions and their gateways agree: renewals, retries and expirations, and what was
 * changed at the gateway. A charge key moves money at most once, wherever a process dies.
 */
export function createProcessing({ gateways, withLock, findTermsByPrice }: ProcessingDeps) {
  /**
   * Cancels the gateway's own subscription, so that nothing more is charged; does nothing where there is none.
   *
   * @returns false when the gateway had taken a payment: it is recorded, nothing is cancelled, and the caller decides again
   * @throws GatewayError when it cannot be cancelled now
   */
  async function cancelAtGateway(ref: SubscriptionRef): Promise<boolean> {
    const { subscriber, stored: before } = await withLock(ref, async (locked) => locked);
    const next = getNextCharge(ref.id, before.state);
    if (!before.state.gatewaySubscription || before.state.endedAt || !next) return true;
    const found = findGatewayCharge(gateways, subscriber, before.state, next);
    // One of a sandbox that is gone is not charged by anybody, and a deletion leaves nothing at the gateway.
    if (!found && isAccepted(gateways, before.state) && subscriber.appUserId !== null)
      throw new GatewayError('there is no gateway for this subscription');
    const outcome = await found?.gateway.cancelSubscription(found.charge);
    if (outcome?.status === 'pending') throw new GatewayError('a charge is pending');
    await withLock(ref, async ({ stored: { state, version }, now, append }) => {
      if (version !== before.version) return;
      if (outcome?.status === 'succeeded') append(toChargeEvents(state, next, outcome, now));
      else if (state.charge) append([{ kind: 'charge_dropped', at: now, key: next.key }]);
    });
    return outcome?.status !== 'succeeded';
  }

  /** Returns what is due, and records what needs no gateway. */
  const recordNextStep = (ref: SubscriptionRef) =>
    withLock(ref, async ({ subscriber, stored: { id, state }, now, append }) => {
      const step = getNextStep(id, state, now);
      const isRecorded =
        step?.kind === 'begin_charge' || (step?.kind === 'expire' && !state.gatewaySubscription);
      if (isRecorded) append(step.events);
      return { step, subscriber, state, isRecorded };
    });

  async function performCharge(
    step: ChargeStep,
    subscriber: Subscriber,
    state: Subscription,
  ): Promise<ChargeOutcome | undefined> {
    // Without the keys of its gateway it waits, because the gateway may have taken the payment; a sandbox has not.
    if (isAccepted(gateways, state)) requireGateway(gateways, state);
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

  /**
   * Does everything that is due for a subscription by its subscriber's clock. Throws `GatewayError`; then it stays due.
   *
   * @returns whether events were appended
   */
  async function processDue(ref: SubscriptionRef): Promise<boolean> {
    let hasAppended = false;
    for (;;) {
      const { step, subscriber, state, isRecorded } = await recordNextStep(ref);
      hasAppended ||= isRecorded;
      if (!step || (step.kind === 'expire' && isRecorded)) return hasAppended;
      if (step.kind === 'expire') {
        await expire(ref);
        hasAppended = true;
        continue;
      }
      const outcome = await performCharge(step, subscriber, state);
      const settled = await settle(ref, step, outcome);
      hasAppended ||= settled.hasAppended;
      if (!settled.isMoreDue || outcome?.status === 'pending') return hasAppended;
    }
  }

  /**
   * Records what was changed at the gateway, if it manages the subscription. The gateway is asked without the lock, since it
   * may be slow, and again where the ledger has changed since.
   *
   * @param options - `hasChangeLock`: whether the caller is the request that changes the subscription
   * @throws GatewayError
   * @throws AppError `unavailable` where something would be recorded while another request changes the subscription: the
   *   gateway may have carried out some of that change
   */
  async function syncFromGateway(ref: SubscriptionRef, options = { hasChangeLock: false }): Promise<void> {
    const { state, version } = await withLock(ref, async ({ stored }) => stored);
    const id = state.endedAt ? null : state.gatewaySubscription;
    const gatewayState = id && (await gateways[getEnvironment(state)]?.getState(id));
    if (!gatewayState) return;
    const isCurrent = await withLock(ref, async ({ tx, stored, now, clock, append }) => {
      if (stored.version !== version) return false;
      const events = toGatewayStateEvents(stored.state, gatewayState, findTermsByPrice, now);
      if (events.length === 0) return true;
      if (!options.hasChangeLock && (await changeLockRepository.isLocked(tx, ref.id, clock.now)))
        throw new AppError('unavailable');
      append(events);
      return true;
    });
    if (!isCurrent) await syncFromGateway(ref, options);
  }

  return { processDue, cancelAtGateway, syncFromGateway };
}

export type Processing = ReturnType<typeof createProcessing>;
