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

/** Where an operator's gateway is, the key it wants, and the secret with which the operator signs links, if it does. */
export interface OperatorSettings {
  gateway: string;
  key: string;
  secret?: string;
}

/** How patient we are with a gateway; times in milliseconds. */
export interface GatewayLimits {
  /** For one answer. */
  timeoutMs: number;
  /** After so many questions in a row without an answer it is left alone … */
  failuresToOpen: number;
  /** … for so long. */
  openMs: number;
}

export const GATEWAY_LIMITS: GatewayLimits = { timeoutMs: 3000, failuresToOpen: 5, openMs: 10_000 };

/** An operator that can be asked. Out: what it says, null where it knows of nobody. Throws `unavailable`. */
export interface OperatorGateway {
  find: (question: SubscriberQuery) => Promise<Subscriber | null>;
}

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
 * An operator's gateway over HTTP (EXT-06), as docs/operations.md describes it: time-out, a second try, and a circuit
 * breaker, so that a gateway in trouble is neither waited for nor pressed.
 */
export function createHttpGateway(
  platform: string,
  { gateway, key }: OperatorSettings,
  { limits, log }: Options,
): OperatorGateway {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: limits.openMs,
    breaker: new ConsecutiveBreaker(limits.failuresToOpen),
  });
  breaker.onBreak(() => log.warn({ platform }, 'the operator’s gateway is left alone for a while'));
  breaker.onReset(() => log.info({ platform }, 'the operator’s gateway answers again'));
  const policy = wrap(
    breaker,
    retry(handleAll, { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 100 }) }),
    timeout(limits.timeoutMs, TimeoutStrategy.Aggressive),
  );

  async function requestSubscriber(
    question: SubscriberQuery,
    signal: AbortSignal,
  ): Promise<Subscriber | null> {
    const answer = await fetch(`${gateway}/subscribers/find`, {
      method: 'POST',
      redirect: 'error',
      // Readers come one by one: a connection kept for the next would only grow stale.
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(question),
      signal,
    });
    if (answer.ok) {
      const { email, firstName, lastName, ...rest } = subscriberSchema.parse(await answer.json());
      return { ...rest, ...toProfile({ email, firstName, lastName }) };
    }
    await answer.body?.cancel();
    if (answer.status === 404) return null;
    throw new Error(`The gateway of ${platform} answered ${answer.status}.`);
  }

  return {
    async find(question) {
      // A signal for each question: the library's own is one for all, and would gather listeners.
      const { signal: always } = new AbortController();
      return policy
        .execute(({ signal }) => requestSubscriber(question, signal), always)
        .catch((cause: unknown) => {
          throw new AppError('unavailable', { cause });
        });
    },
  };
}
