import { AppError } from '@escucho/contracts';
import {
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import { toProfile } from '../accounts/tokens.ts';
import type { Subscriber, SubscriberQuery } from './policy.ts';

export interface OperatorSettings {
  /** Base URL of the operator's gateway. */
  gateway: string;
  /** API key of the gateway. */
  key: string;
  /** Verifies the operator's signed links; without one signed links are refused. */
  secret?: string;
}

export interface GatewayLimits {
  timeoutMs: number;
  /** Consecutive failures after which the circuit opens. */
  failuresToOpen: number;
  /** How long the circuit stays open. */
  openMs: number;
}

export const GATEWAY_LIMITS: GatewayLimits = { timeoutMs: 3000, failuresToOpen: 5, openMs: 10_000 };

const subscriberSchema = z.object({
  id: z.string().check(z.regex(/^[\w.-]{1,64}$/)),
  msisdn: z.string().check(z.regex(/^\+?\d{6,15}$/)),
  status: z.enum(['active', 'expired']),
  email: z.nullish(z.string()),
  firstName: z.nullish(z.string()),
  lastName: z.nullish(z.string()),
});

interface Options {
  limits: GatewayLimits;
  log: FastifyBaseLogger;
}

/**
 * Creates a client of an operator's gateway (EXT-06), which docs/operations.md describes, with a timeout, one retry and a
 * circuit breaker.
 */
export function createHttpGateway(
  platform: string,
  { gateway, key }: OperatorSettings,
  { limits, log }: Options,
) {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: limits.openMs,
    breaker: new ConsecutiveBreaker(limits.failuresToOpen),
  });
  breaker.onBreak(() => log.warn({ platform }, 'the circuit of the operator’s gateway is open'));
  breaker.onReset(() => log.info({ platform }, 'the circuit of the operator’s gateway is closed'));
  const policy = wrap(
    breaker,
    retry(handleAll, { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 100 }) }),
    timeout(limits.timeoutMs, TimeoutStrategy.Aggressive),
  );

  async function requestSubscriber(query: SubscriberQuery, signal: AbortSignal): Promise<Subscriber | null> {
    const response = await fetch(`${gateway}/subscribers/find`, {
      method: 'POST',
      redirect: 'error',
      // Sign-ins are rare: an idle connection would become stale.
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(query),
      signal,
    });
    if (response.ok) {
      const { email, firstName, lastName, ...rest } = subscriberSchema.parse(await response.json());
      return { ...rest, ...toProfile({ email, firstName, lastName }) };
    }
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw new Error(`The gateway of ${platform} responded with ${response.status}.`);
  }

  return {
    /** Returns null for an unknown subscriber. @throws AppError `unavailable` */
    async find(query: SubscriberQuery): Promise<Subscriber | null> {
      // The library's default signal is shared by all calls and would accumulate listeners.
      const { signal: always } = new AbortController();
      return policy
        .execute(({ signal }) => requestSubscriber(query, signal), always)
        .catch((cause: unknown) => {
          throw new AppError('unavailable', { cause });
        });
    },
  };
}
