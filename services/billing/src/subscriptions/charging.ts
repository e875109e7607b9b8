import { type Charge, type Gateway, GatewayError } from '../gateways/gateway.ts';
import { type Environment, getEnvironment, type Subscriber } from '../subscribers/policy.ts';
import type { Subscription } from './events.ts';
import type { WithLock } from './holding.ts';
import { type ChargeOutcome, getNextCharge, getNextStep, type Step, toChargeEvents } from './policy.ts';
import type { StoredSubscription, SubscriptionRef } from './repository.ts';

type OutsideStep = Exclude<Step, { kind: 'begin_charge' }>;
type ChargeStep = Exclude<OutsideStep, { kind: 'expire' }>;
type ChargeOf = Pick<ChargeStep, 'key' | 'terms'>;

/** What is to be done with the gateway, and for whom. */
interface Wanted {
  step: OutsideStep;
  subscriber: Subscriber;
  state: Subscription;
}

/** The gateways that are there, by where cards are charged. */
export type Gateways = Partial<Record<Environment, Gateway>>;

interface Deps {
  gateways: Gateways;
  withLock: WithLock;
}

/**
 * A subscription's gateway and a charge there. In: the charge's key and terms. Out: nothing where either the gateway or who
 * pays is not there (any more).
 */
export function findGatewayCharge(
  gateways: Gateways,
  subscriber: Subscriber,
  state: Subscription,
  { key, terms }: ChargeOf,
): { gateway: Gateway; charge: Charge } | undefined {
  const environment = getEnvironment(state);
  const [gateway, payer] = [gateways[environment], subscriber.payers[environment]];
  if (!gateway || !payer) return undefined;
  const { gatewaySubscription: subscription, expiresAt, startedAt } = state;
  return {
    gateway,
    charge: { key, payer, money: terms.price, subscription, startsAt: expiresAt ?? startedAt },
  };
}

/** Does all that is due for a subscription by its subscriber's clock. Throws `GatewayError`: then it stays due. */
export type ProcessDue = (ref: SubscriptionRef) => Promise<void>;

/**
 * Ends what the gateway keeps of a subscription, so that nothing more is charged for it; does nothing where it keeps none.
 * Out: false where money came instead: then that is written down, nothing is ended, and it is to be decided anew. Throws
 * `GatewayError` where it cannot be ended now.
 */
export type CancelAtGateway = (ref: SubscriptionRef) => Promise<boolean>;

function createCancelAtGateway({ gateways, withLock }: Deps): CancelAtGateway {
  /** Writes down what the last charge came to, unless something was written since it was callStripe for. */
  const record = (
    ref: SubscriptionRef,
    callStripe: StoredSubscription,
    last: ChargeOf,
    outcome: ChargeOutcome | undefined,
  ) =>
    withLock(ref, async ({ stored: { state, version }, now, append }) => {
      if (version !== callStripe.version) return;
      if (outcome?.status === 'succeeded') await append(toChargeEvents(state, last, outcome, now));
      else if (state.charge) await append([{ kind: 'charge_dropped', at: now, key: last.key }]);
    });

  return async (ref) => {
    const { subscriber, stored } = await withLock(ref, async (held) => held);
    const { state } = stored;
    const last = getNextCharge(ref.id, state);
    if (!state.gatewaySubscription || state.endedAt || !last) return true;
    const paying = findGatewayCharge(gateways, subscriber, state, last);
    if (!paying) throw new GatewayError('there is no gateway for this subscription');
    const outcome = await paying.gateway.end(paying.charge);
    if (outcome?.status === 'pending') throw new GatewayError('a charge is on its way');
    await record(ref, stored, last, outcome);
    return outcome?.status !== 'succeeded';
  };
}

/** Renewals, failed ones, ends. Money moves at most once for each key, whatever happens in between. */
export function createProcessDue({ gateways, withLock }: Deps): {
  processDue: ProcessDue;
  cancelAtGateway: CancelAtGateway;
} {
  const cancelAtGateway = createCancelAtGateway({ gateways, withLock });

  /** Writes down what is due and needs nobody outside. Out: what is to be done there, if anything. */
  const prepare = (ref: SubscriptionRef): Promise<Wanted | undefined> =>
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

  async function outcomeOf(
    step: ChargeStep,
    { subscriber, state }: Wanted,
  ): Promise<ChargeOutcome | undefined> {
    const paying = findGatewayCharge(gateways, subscriber, state, step);
    if (!paying) return { status: 'failed', reason: 'no_card' };
    const { gateway, charge } = paying;
    return step.kind === 'find_charge' ? gateway.findCharge(charge) : gateway.charge(charge);
  }

  /** Writes down what a charge came to, unless that is known by now. Out: whether more is due. */
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

  /** Ends a subscription at its gateway first. What turns out to be paid gives it another period instead. */
  async function expire(ref: SubscriptionRef): Promise<void> {
    if (!(await cancelAtGateway(ref))) return;
    await withLock(ref, async ({ stored, now, append }) => {
      const step = getNextStep(stored.id, stored.state, now);
      if (step?.kind === 'expire') await append(step.events);
    });
  }

  async function processDue(ref: SubscriptionRef): Promise<void> {
    for (;;) {
      const wanted = await prepare(ref);
      if (!wanted) return;
      const { step } = wanted;
      if (step.kind === 'expire') {
        await expire(ref);
        continue;
      }
      const outcome = await outcomeOf(step, wanted);
      const isMoreDue = await settle(ref, step, outcome);
      // Neither yes nor no: it is callStripe again when the lease has run out.
      if (!isMoreDue || outcome?.status === 'pending') return;
    }
  }

  return { processDue, cancelAtGateway };
}
