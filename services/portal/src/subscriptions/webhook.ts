import { AppError } from '@escucho/contracts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { SubscriptionService } from './service.ts';
import { isSignatureValid } from './signature.ts';

const readerId = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
const told = z.object({ event: z.object({ app_user_id: z.nullish(z.string()) }) });

interface Ports {
  /** What events are signed with. */
  secret: string;
  subscriptions: SubscriptionService;
  clock: () => Date;
}

/** A body as JSON. Throws `invalid_request`. */
function subjectOf(body: string): string | undefined {
  try {
    const { app_user_id: name } = told.parse(JSON.parse(body)).event;
    return readerId.safeParse(name).data;
  } catch (cause) {
    throw new AppError('invalid_request', { cause });
  }
}

/**
 * Where the billing provider says that something happened. An event is believed to be a reason to ask, never what it
 * says: so one that comes twice, late or before another changes nothing that it should not.
 */
export function registerBillingWebhook(app: FastifyInstance, { secret, subscriptions, clock }: Ports): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  );
  app.post('/billing/events', { schema: { hide: true } }, async (request) => {
    const body = typeof request.body === 'string' ? request.body : '';
    const { 'x-escucho-signature': signature, authorization } = request.headers;
    if (!isSignatureValid(secret, body, { signature, authorization }, clock()))
      throw new AppError('unauthorized');
    const subject = subjectOf(body);
    if (subject) await subscriptions.handleEvent(subject);
    return {};
  });
}
