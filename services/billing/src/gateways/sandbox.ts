import { randomBytes } from 'node:crypto';
import type { CardOutcome } from '../database.ts';
import type { ChargeOutcome } from '../subscriptions/policy.ts';
import type { Gateway } from './gateway.ts';
import type { SandboxRepository } from './sandbox-repository.ts';

const word = () => randomBytes(18).toString('base64url');

const chargeOutcome = (key: string, outcome: CardOutcome | undefined): ChargeOutcome =>
  outcome === 'succeeded'
    ? { status: 'succeeded', reference: `sandbox_${key}` }
    : { status: 'failed', reason: 'card_declined' };

/**
 * A gateway without money: cards are confirmed by `POST /sandbox/confirm`, and do what they are told to. It keeps what
 * it did apart from what billing knows, as a gateway outside would, so that a process may die in between.
 */
export function sandboxGateway(cards: SandboxRepository): Gateway {
  return {
    async begin({ checkout, customer }) {
      const clientSecret = `sandbox_secret_${word()}`;
      await cards.createSetup(`sandbox_setup_${checkout}`, clientSecret);
      return {
        setup: `sandbox_setup_${checkout}`,
        customer: customer ?? `sandbox_customer_${word()}`,
        clientSecret,
        publishableKey: 'sandbox_publishable',
        accountId: 'sandbox_account',
      };
    },

    async setupOf(setup) {
      const found = await cards.findSetup(setup);
      if (found?.outcome === 'succeeded' && found.card) return { status: 'succeeded', card: found.card };
      return { status: found?.outcome === 'failed' ? 'failed' : 'waiting' };
    },

    charge: async (key, { card }, money) => chargeOutcome(key, await cards.charge(key, card, money)),

    async findCharge(key) {
      const outcome = await cards.findCharge(key);
      return outcome && chargeOutcome(key, outcome);
    },

    refund: (key, _reference, money) => cards.refund(key.replace(/\.refund.*$/, ''), money),

    // Its customers are made up on the spot.
    async forget() {},
  };
}
