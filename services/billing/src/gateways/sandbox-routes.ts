import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { CheckoutService } from '../checkouts/service.ts';
import { faults } from '../faults.ts';
import { parsed, text } from '../protocol/input.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { SandboxRepository } from './sandbox-repository.ts';

const YEARS_10 = 315_360_000;

const outcome = z.enum(['succeeded', 'failed']);
const confirmation = z.object({
  client_secret: text(200),
  outcome,
  /** What charges of this card come to, at once and later; as `outcome` unless said. */
  charges: z.optional(outcome),
});
const advance = z.object({
  app_user_id: z.string(),
  seconds: z.int().check(z.minimum(1), z.maximum(YEARS_10)),
});
const card = z.object({ app_user_id: z.string(), charges: outcome });

interface Services {
  cards: SandboxRepository;
  checkouts: CheckoutService;
  subscribers: SubscriberService;
  subscriptions: SubscriptionService;
}

/** The hands of whoever tries the product (RCB-02): a card form's outcome, a card's charges, a subscriber's clock. */
export function registerSandbox(
  app: FastifyInstance,
  { cards, checkouts, subscribers, subscriptions }: Services,
): void {
  app.post('/sandbox/confirm', async (request) => {
    const { client_secret: secret, outcome, charges } = parsed(confirmation, request.body);
    const id = `sandbox_card_${randomBytes(9).toString('base64url')}`;
    await cards.setCard(id, charges ?? outcome);
    const setup = await cards.confirm(secret, outcome, id);
    if (!setup) throw faults.sessionUnknown();
    await checkouts.setUp(setup);
    return { outcome: (await cards.findSetup(setup))?.outcome };
  });

  app.post('/sandbox/card', async (request) => {
    const { app_user_id: appUserId, charges } = parsed(card, request.body);
    const { subscriber } = await subscribers.ensure(appUserId);
    const payer = subscriber.payers.sandbox;
    if (!payer) throw faults.badRequest('app_user_id: has no card of the sandbox.', 404);
    await cards.setCard(payer.card, charges);
    return { charges };
  });

  app.post('/sandbox/advance', async (request) => {
    const { app_user_id: appUserId, seconds } = parsed(advance, request.body);
    const { subscriber } = await subscribers.ensure(appUserId);
    await subscriptions.advance(subscriber.id, seconds);
    const { body } = await subscribers.info(appUserId);
    return body;
  });
}
