import { createHmac } from 'node:crypto';
import type { Database } from '../database.ts';
import { mostAttempts, retryDelay } from './policy.ts';
import { type QueuedEvent, webhookRepository } from './repository.ts';

const LEASE = 30_000;
const AT_ONCE = 8;
const PATIENCE = 10_000;

/** Who is told, and how: the address, and the secret that what is said is signed with. */
export interface WebhookEndpoint {
  url: string;
  secret: string;
  /** How it is reached; by the network unless said. */
  send?: (address: string, init: RequestInit) => Promise<Response>;
}

interface Deps {
  db: Database;
  listener: WebhookEndpoint | undefined;
  report: (detail: object, message: string) => void;
  clock: () => Date;
}

/** In the protocol's shape. */
const bodyOf = ({ id, appUserId, webhookEvent }: QueuedEvent) =>
  JSON.stringify({
    api_version: '1.0',
    webhookEvent: {
      id: `event_${id}`,
      type: webhookEvent.type,
      app_user_id: appUserId,
      event_timestamp_ms: Date.parse(webhookEvent.at),
      product_id: webhookEvent.product,
      environment: webhookEvent.isSandbox ? 'SANDBOX' : 'PRODUCTION',
      store: 'RC_BILLING',
    },
  });

/** The signature's header: when it was made, in seconds since 1970, and the HMAC-SHA256 of that and the body. */
export function signPayload(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/**
 * Tells what happened, each subscriber's in its order, until it is heard. Any number of processes may do so at once;
 * something may be told twice where one dies in between.
 */
export function createWebhookService({ db, listener, report, clock }: Deps) {
  async function tell(
    delivery: QueuedEvent,
    { url, secret, send = fetch }: WebhookEndpoint,
  ): Promise<boolean> {
    const { id, appUserId, attempts } = delivery;
    if (appUserId === null || attempts >= mostAttempts) {
      if (appUserId !== null) report({ event: id, attempts }, 'webhookEvent given up: nobody heard it');
      await webhookRepository.remove(db, id);
      return true;
    }
    const body = bodyOf(delivery);
    const headers = {
      'content-type': 'application/json',
      'x-escucho-signature': signPayload(secret, body, Math.floor(clock().getTime() / 1000)),
    };
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await send(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
    if (answer && answer.status >= 200 && answer.status < 300) {
      await webhookRepository.remove(db, id);
      return true;
    }
    const failures = attempts + 1;
    report({ event: id, attempts: failures, status: answer?.status }, 'webhookEvent not heard yet');
    await webhookRepository.postpone(db, id, failures, new Date(clock().getTime() + retryDelay(failures)));
    return false;
  }

  return {
    /** Tells all that is due. */
    async round(): Promise<void> {
      for (;;) {
        const now = clock();
        const until = new Date(now.getTime() + LEASE);
        const taken = await webhookRepository.lease(db, now, until, AT_ONCE);
        if (taken.length === 0) return;
        await Promise.all(
          taken.map((delivery) =>
            listener ? tell(delivery, listener) : webhookRepository.remove(db, delivery.id),
          ),
        );
      }
    },
  };
}
