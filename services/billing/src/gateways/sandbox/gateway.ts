import { randomBytes } from 'node:crypto';
import { rateLimits } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { CheckoutService } from '../../checkouts/service.ts';
import type { CardOutcome } from '../../database.ts';
import { billingErrors } from '../../errors.ts';
import type { PaymentService } from '../../payments/service.ts';
import { parse, text } from '../../protocol/envelope.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { Money } from '../../subscriptions/events.ts';
import { AUTHENTICATION_REQUIRED, type ChargeOutcome } from '../../subscriptions/policy.ts';
import type { SubscriptionService } from '../../subscriptions/service.ts';
import { type Gateway, GatewayError } from '../gateway.ts';
import type { SandboxRepository } from './repository.ts';

const createToken = () => randomBytes(18).toString('base64url');

const publishableKey = 'sandbox_publishable';
const accountId = 'sandbox_account';

/** Returns the gateway's id of a charge. */
const toReference = (key: string) => `sandbox_${key}`;
/** Returns the key of a charge by the gateway's id. */
const parseReference = (reference: string) => reference.replace(/^sandbox_/, '');

const secretPrefix = 'sandbox_payment_secret_';
/** Returns the charge key in the client secret of a confirmation; undefined for another secret. */
const parsePaymentSecret = (secret: string): string | undefined =>
  secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : undefined;

const doNothing = async () => undefined;
const refuse = async (): Promise<never> => {
  throw new GatewayError('the sandbox manages no subscriptions');
};

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
      const { outcome, card, customer } = (await cards.findSetup(setup)) ?? {};
      if (outcome === 'succeeded' && card) return { status: 'succeeded', card, customer: customer ?? '' };
      return { status: outcome === 'failed' ? 'failed' : 'waiting' };
    },

    async subscribe({ key, payer: { card }, terms, trialEndsAt }) {
      return { outcome: trialEndsAt ? { status: 'trial' } : await charge(key, card, terms.price) };
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

    async refund(reference, money) {
      await cards.refund(parseReference(reference), money);
      return 'refunded';
    },

    // `subscribe` is idempotent by the key.
    findOrder: doNothing,
    setDefaultCard: async () => true,
    deleteCustomer: doNothing,
    createPortalUrl: doNothing,
    cancelSubscription: doNothing,
    updateSchedule: refuse,
    getState: refuse,
    cancelOrphan: refuse,
  };
}

const MAX_ADVANCE_SECONDS = 315_360_000;

const outcome = z.enum(['succeeded', 'failed']);
const charges = z.enum(['succeeded', 'failed', 'authentication_required']);
const confirmation = z.object({
  client_secret: text(200),
  outcome,
  /** The outcome of the card's charges; `outcome` by default. */
  charges: z.optional(charges),
});
const advance = z.object({
  app_user_id: z.string(),
  seconds: z.int().check(z.minimum(1), z.maximum(MAX_ADVANCE_SECONDS)),
});
const card = z.object({ app_user_id: z.string(), charges });
const authentication = z.object({ client_secret: text(200), outcome });
const dispute = z.object({
  app_user_id: z.string(),
  /** The disputed payment; the newest by default. */
  receipt: z.optional(text(200)),
  status: z.enum(['open', 'won', 'lost']),
});

interface SandboxDeps {
  cards: SandboxRepository;
  checkouts: CheckoutService;
  payments: PaymentService;
  subscribers: SubscriberService;
  subscriptions: SubscriptionService;
}

/** Registers the controls of the sandbox (RCB-02): card forms, cards, the bank's authentication, disputes and clocks. */
export function registerSandbox(
  app: FastifyInstance,
  { cards, checkouts, payments, subscribers, subscriptions }: SandboxDeps,
): void {
  const limited = { config: { rateLimits: rateLimits.simulator } };
  app.post('/sandbox/confirm', limited, async (request) => {
    const { client_secret: secret, outcome, charges } = parse(confirmation, request.body);
    const id = `sandbox_card_${randomBytes(9).toString('base64url')}`;
    await cards.setCard(id, charges ?? outcome);
    const setup = await cards.confirm(secret, outcome, id);
    if (!setup) throw billingErrors.unknownSession();
    await checkouts.handleSetup(setup);
    return { outcome: (await cards.findSetup(setup))?.outcome };
  });

  app.post('/sandbox/card', limited, async (request) => {
    const { app_user_id: appUserId, charges } = parse(card, request.body);
    const subscriber = await subscribers.getExisting(appUserId);
    const payer = subscriber.payers.sandbox;
    if (!payer) throw billingErrors.cardNotFound();
    await cards.setCard(payer.card, charges);
    return { charges };
  });

  app.post('/sandbox/authenticate', limited, async (request) => {
    const { client_secret: secret, outcome } = parse(authentication, request.body);
    const key = parsePaymentSecret(secret);
    if (!key || !(await cards.findCharge(key))) throw billingErrors.unknownSession();
    // After a failed authentication the charge still waits for another attempt.
    if (outcome === 'succeeded') await cards.settle(key, outcome);
    await payments.handleCharge(key);
    return { outcome: await cards.findCharge(key) };
  });

  app.post('/sandbox/dispute', limited, async (request) => {
    const { app_user_id: appUserId, receipt, status } = parse(dispute, request.body);
    const subscriber = await subscribers.getExisting(appUserId);
    const paid = await payments.findPayment(subscriber.id, receipt);
    if (!paid) throw billingErrors.paymentNotFound();
    const { key, money } = paid;
    await payments.handleDispute(toReference(key), { id: `dispute_${key}`, status, amount: money.amount });
    const { body } = await subscribers.getInfo(appUserId, { isServer: false });
    return body;
  });

  app.post('/sandbox/advance', limited, async (request) => {
    const { app_user_id: appUserId, seconds } = parse(advance, request.body);
    const { subscriber } = await subscribers.findOrCreate(appUserId);
    await subscriptions.advanceClock(subscriber.id, seconds);
    const { body } = await subscribers.getInfo(appUserId, { isServer: false });
    return body;
  });
}
