import { createHmac } from 'node:crypto';
import { AppError } from '@escucho/contracts';
import { isEqualInConstantTime, registerTextParser } from '@escucho/service-kit';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { SubscriptionService } from './service.ts';

/** Limits the time in which an intercepted event can be replayed. */
const MAX_AGE_SECONDS = 300;

const userIdSchema = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
const bodySchema = z.object({ event: z.object({ app_user_id: z.nullish(z.string()) }) });

/** Proofs of the sender: the embedded billing provider signs its events, RevenueCat sends the secret. */
interface EventHeaders {
  /** `t=<Unix time in seconds>,v1=<HMAC-SHA256 of "t.body" in hex>` */
  signature: unknown;
  authorization: unknown;
}

interface WebhookDeps {
  /** What events are signed with. */
  secret: string;
  subscriptions: Pick<SubscriptionService, 'handleEvent'>;
  clock: () => Date;
}

function isAuthentic(
  secret: string,
  body: string,
  { signature, authorization }: EventHeaders,
  now: Date,
): boolean {
  if (typeof signature === 'string') {
    const [, seconds = '', mac = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    const age = Math.abs(now.getTime() / 1000 - Number(seconds));
    const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
    return mac !== '' && age <= MAX_AGE_SECONDS && isEqualInConstantTime(Buffer.from(mac, 'hex'), expected);
  }
  if (typeof authorization !== 'string') return false;
  return isEqualInConstantTime(authorization, `Bearer ${secret}`);
}

/** @throws AppError `invalid_request` */
function parseUserId(body: string): string | undefined {
  try {
    return userIdSchema.safeParse(bodySchema.parse(JSON.parse(body)).event.app_user_id).data;
  } catch (cause) {
    throw new AppError('invalid_request', { cause });
  }
}

/**
 * Registers the webhook of the billing provider. An event only triggers reading the user's purchases; its content is not
 * used. Events that arrive twice, late or out of order therefore do no harm.
 */
export function registerBillingWebhook(
  app: FastifyInstance,
  { secret, subscriptions, clock }: WebhookDeps,
): void {
  registerTextParser(app);
  // Not limited: the events of all users come from one server, which proves itself by a signature.
  app.post('/billing/events', { schema: { hide: true }, config: { rateLimits: [] } }, async (request) => {
    const body = typeof request.body === 'string' ? request.body : '';
    const { 'x-escucho-signature': signature, authorization } = request.headers;
    if (!isAuthentic(secret, body, { signature, authorization }, clock())) throw new AppError('unauthorized');
    const userId = parseUserId(body);
    if (userId) await subscriptions.handleEvent(userId);
    return {};
  });
}
