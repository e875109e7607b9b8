import { type Charge, type Gateway, GatewayFault } from '../gateways/gateway.ts';
import { type Environment, environmentOf, type Subscriber } from '../subscribers/policy.ts';
import type { Subscription } from './facts.ts';
import type { Holding } from './holding.ts';
import { type ChargeOutcome, nextCharge, nextStep, outcomeFacts, type Step } from './policy.ts';
import type { Stored, Which } from './repository.ts';

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

interface Ports {
  gateways: Gateways;
  holding: Holding;
}

/**
 * A subscription's gateway and a charge there. In: the charge's key and terms. Out: nothing where either the gateway or who
 * pays is not there (any more).
 */
export function payingFor(
  gateways: Gateways,
  subscriber: Subscriber,
  state: Subscription,
  { key, terms }: ChargeOf,
): { gateway: Gateway; charge: Charge } | undefined {
  const environment = environmentOf(state);
  const [gateway, payer] = [gateways[environment], subscriber.payers[environment]];
  if (!gateway || !payer) return undefined;
  const { gatewaySubscription: subscription, expiresAt, startedAt } = state;
  return {
    gateway,
    charge: { key, payer, money: terms.price, subscription, startsAt: expiresAt ?? startedAt },
  };
}

/** Does all that is due for a subscription by its subscriber's clock. Throws `GatewayFault`: then it stays due. */
export type Walk = (which: Which) => Promise<void>;

/**
 * Ends what the gateway keeps of a subscription, so that nothing more is charged for it; does nothing where it keeps none.
 * Out: false where money came instead: then that is written down, nothing is ended, and it is to be decided anew. Throws
 * `GatewayFault` where it cannot be ended now.
 */
export type Release = (which: Which) => Promise<boolean>;

function createRelease({ gateways, holding }: Ports): Release {
  /** Writes down what the last charge came to, unless something was written since it was asked for. */
  const record = (which: Which, asked: Stored, last: ChargeOf, outcome: ChargeOutcome | undefined) =>
    holding(which, async ({ stored: { state, version }, now, append }) => {
      if (version !== asked.version) return;
      if (outcome?.status === 'succeeded') await append(outcomeFacts(state, last, outcome, now));
      else if (state.charge) await append([{ kind: 'charge_dropped', at: now, key: last.key }]);
    });

  return async (which) => {
    const { subscriber, stored } = await holding(which, async (held) => held);
    const { state } = stored;
    const last = nextCharge(which.id, state);
    if (!state.gatewaySubscription || state.endedAt || !last) return true;
    const paying = payingFor(gateways, subscriber, state, last);
    if (!paying) throw new GatewayFault('there is no gateway for this subscription');
    const outcome = await paying.gateway.end(paying.charge);
    if (outcome?.status === 'pending') throw new GatewayFault('a charge is on its way');
    await record(which, stored, last, outcome);
    return outcome?.status !== 'succeeded';
  };
}

/** Renewals, failed ones, ends. Money moves at most once for each key, whatever happens in between. */
export function createWalk({ gateways, holding }: Ports): { walk: Walk; release: Release } {
  const release = createRelease({ gateways, holding });

  /** Writes down what is due and needs nobody outside. Out: what is to be done there, if anything. */
  const prepare = (which: Which): Promise<Wanted | undefined> =>
    holding(which, async ({ subscriber, stored, now, append }) => {
      let { state } = stored;
      let step = nextStep(stored.id, state, now);
      if (step?.kind === 'expire' && !state.gatewaySubscription) {
        await append(step.facts);
        return undefined;
      }
      if (step?.kind === 'begin_charge') {
        ({ state } = await append(step.facts));
        step = nextStep(stored.id, state, now);
      }
      return step && step.kind !== 'begin_charge' ? { step, subscriber, state } : undefined;
    });

  async function outcomeOf(
    step: ChargeStep,
    { subscriber, state }: Wanted,
  ): Promise<ChargeOutcome | undefined> {
    const paying = payingFor(gateways, subscriber, state, step);
    if (!paying) return { status: 'failed', reason: 'no_card' };
    const { gateway, charge } = paying;
    return step.kind === 'find_charge' ? gateway.findCharge(charge) : gateway.charge(charge);
  }

  /** Writes down what a charge came to, unless that is known by now. Out: whether more is due. */
  const settle = (
    which: Which,
    { key, terms }: ChargeStep,
    outcome: ChargeOutcome | undefined,
  ): Promise<boolean> =>
    holding(which, async ({ stored, now, append }) => {
      if (stored.state.charge?.key !== key) return true;
      const facts = outcome
        ? outcomeFacts(stored.state, { key, terms }, outcome, now)
        : [{ kind: 'charge_dropped', at: now, key } as const];
      const { id, state } = facts.length > 0 ? await append(facts) : stored;
      return nextStep(id, state, now) !== undefined;
    });

  /** Ends a subscription at its gateway first. What turns out to be paid gives it another period instead. */
  async function expire(which: Which): Promise<void> {
    if (!(await release(which))) return;
    await holding(which, async ({ stored, now, append }) => {
      const step = nextStep(stored.id, stored.state, now);
      if (step?.kind === 'expire') await append(step.facts);
    });
  }

  async function walk(which: Which): Promise<void> {
    for (;;) {
      const wanted = await prepare(which);
      if (!wanted) return;
      const { step } = wanted;
      if (step.kind === 'expire') {
        await expire(which);
        continue;
      }
      const outcome = await outcomeOf(step, wanted);
      const isMoreDue = await settle(which, step, outcome);
      // Neither yes nor no: it is asked again when the lease has run out.
      if (!isMoreDue || outcome?.status === 'pending') return;
    }
  }

  return { walk, release };
}
