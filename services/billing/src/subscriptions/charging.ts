import type { Gateway } from '../gateways/gateway.ts';
import { type Environment, environmentOf, type Subscriber } from '../subscribers/policy.ts';
import type { Subscription } from './facts.ts';
import type { Holding } from './holding.ts';
import { type ChargeOutcome, nextStep, outcomeFacts, type Step } from './policy.ts';
import type { Which } from './repository.ts';

type ChargeStep = Extract<Step, { kind: 'charge' | 'find_charge' }>;

/** A charge that is to be made, and of whom. */
interface Wanted {
  step: ChargeStep;
  subscriber: Subscriber;
  state: Subscription;
  /** It was begun before, so it may have been made. */
  isRetry: boolean;
}

interface Ports {
  gateways: Partial<Record<Environment, Gateway>>;
  holding: Holding;
}

/** Does all that is due for a subscription by its subscriber's clock. Throws `GatewayFault`: then it stays due. */
export type Walk = (which: Which) => Promise<void>;

/** Renewals, failed ones, ends. Money moves at most once for each key, whatever happens in between. */
export function createWalk({ gateways, holding }: Ports): Walk {
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

  return async (which) => {
    for (;;) {
      const wanted = await prepare(which);
      if (!wanted) return;
      const outcome = await outcomeOf(wanted);
      const isMoreDue = await settle(which, wanted.step, outcome);
      // Neither yes nor no: it is asked again when the lease has run out.
      if (!isMoreDue || outcome?.status === 'pending') return;
    }
  };
}
