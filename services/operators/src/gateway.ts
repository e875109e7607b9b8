import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Platform } from '@escucho/contracts';
import { isEqualInConstantTime } from '@escucho/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { resolveToken } from './links.ts';
import { getSubscribers, type Subscriber } from './subscribers.ts';

/** Configuration of the simulated gateways. */
export interface GatewayOptions {
  /** The secret that signs links and tokens. */
  secret: string;
  /** The bearer key that gateway requests must have. */
  key: string;
  clock: () => Date;
  /** The response time for a slow subscriber. */
  slowResponseMs: number;
}

const requestSchema = z.union([
  z.object({ id: z.string() }),
  z.object({ token: z.string(), msisdn: z.optional(z.string()) }),
  z.object({ msisdn: z.string() }),
]);

const getSubscriberId = ({ platform, kind }: Subscriber) => `${platform}-${kind}`;

/** Finds the subscriber of a request, also one that the operator pretends not to know. */
function findSubscriber(
  body: unknown,
  platform: Platform,
  { secret, clock }: GatewayOptions,
): Subscriber | undefined {
  const { data } = requestSchema.safeParse(body);
  const subscribers = getSubscribers(platform);
  if (data === undefined) throw new AppError('invalid_request');
  if ('id' in data) return subscribers.find((subscriber) => getSubscriberId(subscriber) === data.id);
  if (!('token' in data)) return subscribers.find(({ msisdn }) => msisdn === data.msisdn);
  const msisdn = resolveToken(data.token, { secret, platform, now: clock() });
  if (data.msisdn !== undefined && data.msisdn !== msisdn) return undefined;
  return subscribers.find((subscriber) => subscriber.msisdn === msisdn);
}

/** Handles a request to an operator's gateway for a subscriber's status (EXT-06). */
export async function handleGatewayRequest(
  platform: Platform,
  options: GatewayOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { authorization = '' } = request.headers;
  if (!isEqualInConstantTime(authorization, `Bearer ${options.key}`)) throw new AppError('unauthorized');
  const subscriber = findSubscriber(request.body, platform, options);
  if (!subscriber || subscriber.kind === 'unknown') throw new AppError('not_found');
  // Sent rather than thrown: an intended failure must not be logged as an error.
  if (subscriber.kind === 'failing') return reply.status(503).send();
  if (subscriber.kind === 'slow') {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    await sleep(options.slowResponseMs, undefined, { signal: disconnected.signal }).catch(() => undefined);
  }
  const { kind, msisdn, firstName, lastName } = subscriber;
  const email = `${firstName}.${lastName}@example.com`.normalize('NFD').replace(/[^\w.@]/g, '');
  return reply.send({
    id: getSubscriberId(subscriber),
    msisdn,
    status: kind === 'expired' ? 'expired' : 'active',
    email: email.toLowerCase(),
    firstName,
    lastName,
  });
}
