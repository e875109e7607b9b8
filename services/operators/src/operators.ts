import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Platform, platforms } from '@escucho/contracts';
import { isEqualInConstantTime, negotiateLanguage, sendPage } from '@escucho/service-kit';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { renderIndexPage, renderOperatorPage } from './pages.ts';
import { createLinkQuery, getSubscribers, resolveToken, type Subscriber } from './subscribers.ts';

interface OperatorsOptions {
  /** The URL of links into Escucho, without a query. */
  entryUrl: string;
  /** The secret that signs links and tokens. */
  secret: string;
  /** The bearer key that requests to the gateways must have. */
  key: string;
  clock?: () => Date;
  /** The response time for a slow subscriber. */
  slowResponseMs?: number;
}

const DEFAULT_SLOW_RESPONSE_MS = 15_000;

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
  secret: string,
  now: Date,
): Subscriber | undefined {
  const { data } = requestSchema.safeParse(body);
  const subscribers = getSubscribers(platform);
  if (data === undefined) throw new AppError('invalid_request');
  if ('id' in data) return subscribers.find((subscriber) => getSubscriberId(subscriber) === data.id);
  if (!('token' in data)) return subscribers.find(({ msisdn }) => msisdn === data.msisdn);
  const msisdn = resolveToken(data.token, { secret, platform, now });
  if (data.msisdn !== undefined && data.msisdn !== msisdn) return undefined;
  return subscribers.find((subscriber) => subscriber.msisdn === msisdn);
}

/** Responds as an operator's gateway does about a subscriber (EXT-06). */
async function sendSubscriber(
  subscriber: Subscriber,
  reply: FastifyReply,
  slowResponseMs: number,
): Promise<FastifyReply> {
  const { kind, msisdn, firstName, lastName } = subscriber;
  // Sent rather than thrown: an intended failure must not be logged as an error.
  if (kind === 'failing') return reply.status(503).send();
  if (kind === 'slow') {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    await sleep(slowResponseMs, undefined, { signal: disconnected.signal }).catch(() => undefined);
  }
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

function getPlatform(request: FastifyRequest): Platform {
  const { platform: name } = Object(request.params);
  const platform = platforms.find((each) => each === name);
  if (!platform) throw new AppError('not_found');
  return platform;
}

const getLanguage = (request: FastifyRequest) => negotiateLanguage(request.headers['accept-language']);

/**
 * The operator simulator (EXT-06): for each operator a page with test subscribers and their links into Escucho, and the
 * gateway that Escucho calls. Anybody can sign in through it, so it is for development only.
 */
export const operators: FastifyPluginAsync<OperatorsOptions> = async (app, options) => {
  const { secret, key, entryUrl, clock = () => new Date() } = options;
  const { slowResponseMs = DEFAULT_SLOW_RESPONSE_MS } = options;
  const basePath = app.prefix;

  app.get('/', (request, reply) => sendPage(reply, renderIndexPage(getLanguage(request), basePath)));

  app.get('/:platform', (request, reply) => {
    const page = renderOperatorPage(getLanguage(request), {
      platform: getPlatform(request),
      basePath,
      createLink: (subscriber) => `${entryUrl}?${createLinkQuery(subscriber, secret, clock())}`,
    });
    return sendPage(reply, page);
  });

  // Not limited: the caller has the gateway's key.
  app.post('/:platform/gateway/subscribers/find', { config: { rateLimits: [] } }, (request, reply) => {
    const platform = getPlatform(request);
    const { authorization = '' } = request.headers;
    if (!isEqualInConstantTime(authorization, `Bearer ${key}`)) throw new AppError('unauthorized');
    const subscriber = findSubscriber(request.body, platform, secret, clock());
    if (!subscriber || subscriber.kind === 'unknown') throw new AppError('not_found');
    return sendSubscriber(subscriber, reply, slowResponseMs);
  });
};
