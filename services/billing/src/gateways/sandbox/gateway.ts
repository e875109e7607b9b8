import { randomBytes } from 'node:crypto';
import type { CardOutcome } from '../../database.ts';
import type { Money } from '../../subscriptions/events.ts';
import { AUTHENTICATION_REQUIRED, type ChargeOutcome } from '../../subscriptions/policy.ts';
import { type Gateway, GatewayError } from '../gateway.ts';
import type { SandboxRepository } from './repository.ts';

const createToken = () => randomBytes(18).toString('base64url');

const publishableKey = 'sandbox_publishable';
const accountId = 'sandbox_account';

/** Returns the gateway's id of a charge. */
export const toReference = (key: string) => `sandbox_${key}`;

const secretPrefix = 'sandbox_payment_secret_';
/** Returns the charge key in the client secret of a confirmation; undefined for another secret. */
export const parsePaymentSecret = (secret: string): string | undefined =>
  secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : undefined;

const unsupported = () => new GatewayError('the sandbox manages no subscriptions');

function toChargeOutcome(key: string, outcome: CardOutcome | undefined): ChargeOutcome {
  if (outcome === 'succeeded') return { status: 'succeeded', reference: toReference(key) };
  return {
    status: 'failed',
    reason: outcome === AUTHENTICATION_REQUIRED ? AUTHENTICATION_REQUIRED : 'card_declined',
  };
}

/**
 * Creates a gateway without money. `POST /sandbox/confirm` completes its card forms and sets the outcome of charges. It
 * commits on its own, as a gateway outside would, so that a process may die between the payment and its record.
 */
export function createSandboxGateway(cards: SandboxRepository): Gateway {
  async function charge(key: string, card: string, money: Money): Promise<ChargeOutcome> {
    const outcome = await cards.charge(key, card, money);
    // The owner authenticated when the card was set up, just now.
    if (outcome === AUTHENTICATION_REQUIRED && (await cards.findSetup(`sandbox_setup_${key}`))) {
      await cards.settle(key, 'succeeded');
      return toChargeOutcome(key, 'succeeded');
    }
    return toChargeOutcome(key, outcome);
  }

  return {
    async createSetup({ checkout, customer }) {
      const clientSecret = `sandbox_secret_${createToken()}`;
      const setup = `sandbox_setup_${checkout}`;
      const buyer = customer ?? `sandbox_customer_${createToken()}`;
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
      return { outcome: trialEndsAt ? { status: 'trial' } : await charge(key, card, terms.price) };
    },

    // `subscribe` is idempotent by the key.
    async findOrder() {
      return undefined;
    },

    charge: ({ key, payer: { card }, money }) => charge(key, card, money),

    async findCharge({ key }) {
      const outcome = await cards.findCharge(key);
      return outcome && toChargeOutcome(key, outcome);
    },

    async findConfirmation({ key, payer: { card } }) {
      if ((await cards.findCharge(key)) !== AUTHENTICATION_REQUIRED) return undefined;
      return { clientSecret: `${secretPrefix}${key}`, card, publishableKey, accountId };
    },

    async abandonCharge(charge) {
      await cards.settle(charge.key, 'failed');
      return this.findCharge(charge);
    },

    async updateSchedule() {
      throw unsupported();
    },

    async getState() {
      throw unsupported();
    },

    async cancelSubscription() {
      return undefined;
    },

    async cancelOrphan() {
      throw unsupported();
    },

    refund: (key, _reference, money) => cards.refund(key.replace(/\.refund.*$/, ''), money),

    async deleteCustomer() {},

    async createPortalUrl() {
      return undefined;
    },
  };
}
