import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { CheckoutService } from '../../checkouts/service.ts';
import { faults } from '../../errors.ts';
import type { PaymentService } from '../../payments/service.ts';
import { parsed, text } from '../../protocol/input.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { SubscriptionService } from '../../subscriptions/service.ts';
import { parsePaymentSecret, toReference } from './gateway.ts';
import type { SandboxRepository } from './repository.ts';

const YEARS_10 = 315_360_000;

const outcome = z.enum(['succeeded', 'failed']);
const charges = z.enum(['succeeded', 'failed', 'authentication_required']);
const confirmation = z.object({
  client_secret: text(200),
  outcome,
  /** What charges of this card come to, at once and later; as `outcome` unless said. */
  charges: z.optional(charges),
});
const advance = z.object({
  app_user_id: z.string(),
  seconds: z.int().check(z.minimum(1), z.maximum(YEARS_10)),
});
const card = z.object({ app_user_id: z.string(), charges });
const authentication = z.object({ client_secret: text(200), outcome });
const dispute = z.object({
  app_user_id: z.string(),
  /** The receipt of the payment that is disputed; the newest unless said. */
  receipt: z.optional(text(200)),
  status: z.enum(['open', 'won', 'lost']),
});

interface Services {
  cards: SandboxRepository;
  checkouts: CheckoutService;
  payments: PaymentService;
  subscribers: SubscriberService;
  subscriptions: SubscriptionService;
}

/**
 * The hands of whoever tries the product (RCB-02): a card form's outcome, a card's charges, what its owner tells the bank,
 * a subscriber's clock.
 */
export function registerSandbox(
  app: FastifyInstance,
  { cards, checkouts, payments, subscribers, subscriptions }: Services,
): void {
  app.post('/sandbox/confirm', async (request) => {
    const { client_secret: secret, outcome, charges } = parsed(confirmation, request.body);
    const id = `sandbox_card_${randomBytes(9).toString('base64url')}`;
    await cards.setCard(id, charges ?? outcome);
    const setup = await cards.confirm(secret, outcome, id);
    if (!setup) throw faults.unknownSession();
    await checkouts.setUp(setup);
    return { outcome: (await cards.findSetup(setup))?.outcome };
  });

  app.post('/sandbox/card', async (request) => {
    const { app_user_id: appUserId, charges } = parsed(card, request.body);
    const { subscriber } = await subscribers.findOrCreate(appUserId);
    const payer = subscriber.payers.sandbox;
    if (!payer) throw faults.badRequest('app_user_id: has no card of the sandbox.', 404);
    await cards.setCard(payer.card, charges);
    return { charges };
  });

  app.post('/sandbox/authenticate', async (request) => {
    const { client_secret: secret, outcome } = parsed(authentication, request.body);
    const key = parsePaymentSecret(secret);
    if (!key || !(await cards.findCharge(key))) throw faults.unknownSession();
    // A bank that says no leaves the charge waiting for another try.
    if (outcome === 'succeeded') await cards.settle(key, outcome);
    await payments.charged(key);
    return { outcome: await cards.findCharge(key) };
  });

  app.post('/sandbox/dispute', async (request) => {
    const { app_user_id: appUserId, receipt, status } = parsed(dispute, request.body);
    const { subscriber } = await subscribers.findOrCreate(appUserId);
    const paid = await payments.find(subscriber.id, receipt);
    if (!paid) throw faults.badRequest('receipt: there is no such payment.', 404);
    const { key, money } = paid;
    await payments.disputed(toReference(key), { id: `dispute_${key}`, status, amount: money.amount });
    const { body } = await subscribers.info(appUserId);
    return body;
  });

  app.post('/sandbox/advance', async (request) => {
    const { app_user_id: appUserId, seconds } = parsed(advance, request.body);
    const { subscriber } = await subscribers.findOrCreate(appUserId);
    await subscriptions.advance(subscriber.id, seconds);
    const { body } = await subscribers.info(appUserId);
    return body;
  });
}
