import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Platform } from '@escucho/contracts';
import { listenOnLoopback } from '@escucho/database/testing';
import type { TestClock } from './clock.ts';

export const gatewayKey = 'a key of the gateway of the tests';
export const linkSecret = 'a secret that operators of the tests sign with';

/** A subscriber as the gateway describes it; `id` is the operator's. */
interface FakeSubscriber {
  id: string;
  msisdn: string;
  status: string;
  email?: string;
  firstName?: string;
  lastName?: string;
}

type GatewayBehavior = 'normal' | 'error' | 'invalid' | 'timeout';

/**
 * Starts a fake gateway of an operator on a port of its own. Returns its settings, its subscribers by number, token or id,
 * its behavior, which tests change, and the requests it received.
 */
export async function startFakeGateway() {
  const subscribers = new Map<string, FakeSubscriber>();
  const requests: Record<string, string>[] = [];
  const state: {
    behavior: GatewayBehavior;
    /** Delays the responses. */
    responseDelay: Promise<void> | undefined;
  } = { behavior: 'normal', responseDelay: undefined };

  async function respond(response: ServerResponse, query: Record<string, string>): Promise<void> {
    // The state at the time of the request, however long the response takes.
    const found = subscribers.get(query.token ?? query.msisdn ?? query.id ?? '');
    await state.responseDelay;
    if (state.behavior === 'timeout') return;
    if (state.behavior === 'error') response.writeHead(502).end('Bad gateway');
    else if (state.behavior === 'invalid') response.writeHead(200).end('{"id":1}');
    else if (found) response.writeHead(200).end(JSON.stringify(found));
    else response.writeHead(404).end();
  }

  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${gatewayKey}`) return response.writeHead(401).end();
    if (`${request.method} ${request.url}` !== 'POST /gateway/subscribers/find')
      return response.writeHead(405).end();
    const query = Object(await json(request));
    requests.push(query);
    return respond(response, query);
  });
  const port = await listenOnLoopback(server);
  const settings = {
    gateway: `http://127.0.0.1:${port}/gateway`,
    key: gatewayKey,
    secret: linkSecret,
  };
  const gateways = { bitel: settings, entel: settings, cnt: settings, antel: settings };
  return { gateways, subscribers, requests, state };
}

/** Creates an operator's proof; the last parameter makes it invalid. */
export function createProof(
  clock: TestClock,
  { platform, msisdn }: { platform: Platform; msisdn: string },
  {
    secret = linkSecret,
    age = 0,
    nonce = randomBytes(18).toString('base64url'),
  }: { secret?: string; age?: number; nonce?: string } = {},
): string {
  const stamp = `${Math.floor(clock.seconds()) - age}.${nonce}`;
  const text = ['escucho-link-1', platform, msisdn, stamp].join('\n');
  return `${stamp}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
