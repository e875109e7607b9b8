import { createHmac } from 'node:crypto';
import type { Database } from '../database.ts';
import { type QueuedEvent, webhookRepository } from './repository.ts';

const TIMEOUT_MS = 10_000;

/** Where webhook events are sent, and the secret that signs them. */
export interface WebhookEndpoint {
  url: string;
  secret: string;
  /** Sends the request; `fetch` by default. */
  send?: (url: string, init: RequestInit) => Promise<Response>;
}

interface WebhookDeps {
  db: Database;
  endpoint: WebhookEndpoint | undefined;
  clock: () => Date;
}

/** The body in the protocol's shape. */
const toBody = ({ id, appUserId, event }: QueuedEvent) =>
  JSON.stringify({
    api_version: '1.0',
    event: {
      id: `event_${id}`,
      type: event.type,
      app_user_id: appUserId,
      event_timestamp_ms: Date.parse(event.at),
      product_id: event.product,
      environment: event.isSandbox ? 'SANDBOX' : 'PRODUCTION',
      store: 'RC_BILLING',
    },
  });

/** Returns the signature header: the time in Unix seconds, and the HMAC-SHA256 of it and the body. */
function signPayload(secret: string, body: string, timestamp: number): string {
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${mac}`;
}

/** Creates the service that delivers webhook events, each subscriber's in order and at least once. */
export function createWebhookService({ db, endpoint, clock }: WebhookDeps) {
  async function deliver(queued: QueuedEvent, { url, secret, send = fetch }: WebhookEndpoint): Promise<void> {
    const body = toBody(queued);
    const headers = {
      'content-type': 'application/json',
      'x-escucho-signature': signPayload(secret, body, Math.floor(clock().getTime() / 1000)),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A redirect that is followed becomes a GET without the event.
    const init = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const response = await send(url, init);
    // An unread body holds its connection.
    await response.body?.cancel();
    if (!response.ok) throw new Error(`webhook event ${queued.id} was answered with ${response.status}`);
  }

  return {
    /** Sends the unsent events of a subscriber. Throws at the first that fails, so that the job is tried again. */
    async send(subscriberId: string): Promise<void> {
      for (;;) {
        const queued = await webhookRepository.findOldest(db, subscriberId);
        if (!queued) return;
        if (endpoint && queued.appUserId !== null) await deliver(queued, endpoint);
        await webhookRepository.remove(db, queued.id);
      }
    },
  };
}
