import { randomBytes } from 'node:crypto';
import { rateLimits } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { CheckoutService } from '../../checkouts/service.ts';
import { billingErrors } from '../../errors.ts';
import type { PaymentService } from '../../payments/service.ts';
import { parse, text } from '../../protocol/envelope.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { SubscriptionService } from '../../subscriptions/service.ts';
import { parsePaymentSecret, toReference } from './gateway.ts';
import type { SandboxRepository } from './repository.ts';

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
    if (!payer) throw billingErrors.badRequest('app_user_id: has no card of the sandbox.', 404);
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
    if (!paid) throw billingErrors.badRequest('receipt: there is no such payment.', 404);
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
