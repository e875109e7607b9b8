import { randomBytes } from 'node:crypto';
import type { CardOutcome } from '../../database.ts';
import type { Money } from '../../subscriptions/events.ts';
import { AUTHENTICATION_REQUIRED, type ChargeOutcome } from '../../subscriptions/policy.ts';
import { type Gateway, GatewayError } from '../gateway.ts';
import type { SandboxRepository } from './repository.ts';

const word = () => randomBytes(18).toString('base64url');

const publishableKey = 'sandbox_publishable';
const accountId = 'sandbox_account';

/** The gateway's name for a charge. */
export const toReference = (key: string) => `sandbox_${key}`;

const secretPrefix = 'sandbox_payment_secret_';
/** SubscriptionRef charge a page speaks of, by the secret it was given; nothing where it is none. */
export const parsePaymentSecret = (secret: string): string | undefined =>
  secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : undefined;

const keepsNone = () => new GatewayError('the sandbox keeps no subscriptions');

function chargeOutcome(key: string, outcome: CardOutcome | undefined): ChargeOutcome {
  if (outcome === 'succeeded') return { status: 'succeeded', reference: toReference(key) };
  return {
    status: 'failed',
    reason: outcome === AUTHENTICATION_REQUIRED ? AUTHENTICATION_REQUIRED : 'card_declined',
  };
}

/**
 * A gateway without money: cards are confirmed by `POST /sandbox/confirm`, and do what they are told to. It keeps what
 * it did apart from what billing knows, as a gateway outside would, so that a process may die in between.
 */
export function createSandboxGateway(cards: SandboxRepository): Gateway {
  async function take(key: string, card: string, money: Money): Promise<ChargeOutcome> {
    const outcome = await cards.charge(key, card, money);
    // Its owner was callStripe as the card was set up, this moment.
    if (outcome === AUTHENTICATION_REQUIRED && (await cards.findSetup(`sandbox_setup_${key}`))) {
      await cards.settle(key, 'succeeded');
      return chargeOutcome(key, 'succeeded');
    }
    return chargeOutcome(key, outcome);
  }

  return {
    async begin({ checkout, customer }) {
      const clientSecret = `sandbox_secret_${word()}`;
      const setup = `sandbox_setup_${checkout}`;
      const buyer = customer ?? `sandbox_customer_${word()}`;
      await cards.createSetup(setup, clientSecret, buyer);
      return { setup, customer: buyer, clientSecret, publishableKey, accountId };
    },

    async findSetup(setup) {
      const found = await cards.findSetup(setup);
      const { outcome, card, customer } = found ?? {};
      if (outcome === 'succeeded' && card) return { status: 'succeeded', card, customer: customer ?? '' };
      return { status: outcome === 'failed' ? 'failed' : 'waiting' };
    },

    async setDefaultCard() {},

    async subscribe({ key, payer: { card }, terms, trialEndsAt }) {
      return { outcome: trialEndsAt ? { status: 'trial' } : await take(key, card, terms.price) };
    },

    // It is charged by a key, and the same key is answered the same.
    async findOrder() {
      return undefined;
    },

    charge: ({ key, payer: { card }, money }) => take(key, card, money),

    async findCharge({ key }) {
      const outcome = await cards.findCharge(key);
      return outcome && chargeOutcome(key, outcome);
    },

    async confirmation({ key, payer: { card } }) {
      if ((await cards.findCharge(key)) !== AUTHENTICATION_REQUIRED) return undefined;
      return { clientSecret: `${secretPrefix}${key}`, card, publishableKey, accountId };
    },

    async abandonCharge(charge) {
      await cards.settle(charge.key, 'failed');
      return this.findCharge(charge);
    },

    async updateSchedule() {
      throw keepsNone();
    },

    async standing() {
      throw keepsNone();
    },

    async end() {
      return undefined;
    },

    async drop() {
      throw keepsNone();
    },

    refund: (key, _reference, money) => cards.refund(key.replace(/\.refund.*$/, ''), money),

    // Its customers are made up on the spot.
    async forget() {},

    async manage() {
      return undefined;
    },
  };
}
