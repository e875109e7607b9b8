import { timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError, type Platform } from '@escucho/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { numberIn } from './links.ts';
import type { Settings } from './operators.ts';
import { type Subscriber, subscribersOf } from './subscribers.ts';

const question = z.union([
  z.object({ id: z.string() }),
  z.object({ token: z.string(), msisdn: z.optional(z.string()) }),
  z.object({ msisdn: z.string() }),
]);

const idOf = ({ platform, kind }: Subscriber) => `${platform}-${kind}`;

/** Whether the asker has the key that the operator gave out. */
function isKnown(request: FastifyRequest, key: string): boolean {
  const [sent, wanted] = [Buffer.from(request.headers.authorization ?? ''), Buffer.from(`Bearer ${key}`)];
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}

/** The subscriber somebody asks about, whether or not the operator will know of them. */
function askedAbout(asked: unknown, platform: Platform, { secret, clock }: Settings): Subscriber | undefined {
  const { data } = question.safeParse(asked);
  const all = subscribersOf(platform);
  if (data === undefined) throw new AppError('invalid_request');
  if ('id' in data) return all.find((one) => idOf(one) === data.id);
  if (!('token' in data)) return all.find(({ msisdn }) => msisdn === data.msisdn);
  const msisdn = numberIn(data.token, { secret, platform, now: clock() });
  if (data.msisdn !== undefined && data.msisdn !== msisdn) return undefined;
  return all.find((one) => one.msisdn === msisdn);
}

/** The gateway that an operator offers to Escucho: what it says of a subscriber (EXT-06). */
export async function answerGateway(
  platform: Platform,
  settings: Settings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isKnown(request, settings.key)) throw new AppError('unauthorized');
  const found = askedAbout(request.body, platform, settings);
  if (!found || found.kind === 'unknown') throw new AppError('not_found');
  // What goes wrong here goes wrong on purpose: the log is not told.
  if (found.kind === 'failing') return reply.status(503).send();
  if (found.kind === 'slow') {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    await wait(settings.slowness, undefined, { signal: left.signal }).catch(() => undefined);
  }
  const { kind, msisdn, firstName, lastName } = found;
  const email = `${firstName}.${lastName}@example.com`.normalize('NFD').replace(/[^\w.@]/g, '');
  return reply.send({
    id: idOf(found),
    msisdn,
    status: kind === 'expired' ? 'expired' : 'active',
    ...{ email: email.toLowerCase(), firstName, lastName },
  });
}
