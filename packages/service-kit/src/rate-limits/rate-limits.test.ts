import type { RateLimit } from '@escucho/contracts';
import { openPool } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import type { FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp, registerRateLimits } from '../index.ts';
import { toNetwork } from './routes.ts';

const connection = await createTestDatabase();
const limit = (name: string, by: RateLimit['by'], count: number): RateLimit => ({
  name,
  by,
  limit: count,
  windowSeconds: 60,
});
const low = limit('low', 'network', 3);
const high = limit('high', 'user', 400);
const total = limit('total', 'everybody', 5);

/** Starts a process of a service with limited routes. */
async function startProcess({ limitsLoopback = false } = {}) {
  const app = createApp({ limitsLoopback });
  await app.register(async (service) => {
    registerRateLimits(service, { connection, schema: 'portal', secret: 'a secret of the tests' });
    const authenticate = {
      onRequest: async (request: FastifyRequest) => {
        request.user = { id: request.headers['x-user'] };
      },
    };
    service.post('/low', { config: { rateLimits: [low] } }, async () => ({}));
    service.post('/total', { config: { rateLimits: [low, total] } }, async () => ({}));
    service.post('/high', { ...authenticate, config: { rateLimits: [high] } }, async () => ({}));
  });
  await app.ready();
  afterAll(() => app.close());

  async function post(url: string, { from = '127.0.0.1', user = 'u1', times = 1, language = 'en' } = {}) {
    const headers = { 'x-user': user, 'accept-language': language };
    const send = () => app.inject({ method: 'POST', url, remoteAddress: from, headers });
    let response = await send();
    for (let sent = 1; sent < times; sent += 1) response = await send();
    return response;
  }
  return { app, post };
}

const { post } = await startProcess();
const other = await startProcess();
const exposed = await startProcess({ limitsLoopback: true });

let day = 0;
beforeEach(() => {
  // A window of its own for each test.
  day += 1;
  vi.setSystemTime(Date.UTC(2030, 0, day));
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a rate limit', () => {
  it('is announced in the headers RateLimit and RateLimit-Policy', async () => {
    const { headers } = await post('/low', { from: '203.0.113.1' });
    expect(headers.ratelimit).toBe('"low";r=2;t=60');
    expect(headers['ratelimit-policy']).toBe('"low";q=3;w=60');
  });

  it.each([
    ['en', 'Too many tries. Please wait a moment.'],
    ['es', 'Demasiados intentos. Espera un momento.'],
  ])('refuses with 429 too_many_requests and Retry-After, in %s', async (language, message) => {
    await post('/low', { from: '203.0.113.1', times: 3 });
    vi.setSystemTime(Date.now() + 15_000);
    const response = await post('/low', { from: '203.0.113.1', language });
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('45');
    expect(response.headers.ratelimit).toBe('"low";r=0;t=45');
    expect(response.json().error).toMatchObject({ code: 'too_many_requests', message });
  });

  it('allows attempts again after the window; refused ones do not prolong it', async () => {
    await post('/low', { from: '203.0.113.1', times: 3 });
    vi.setSystemTime(Date.now() + 59_000);
    expect((await post('/low', { from: '203.0.113.1', times: 10 })).statusCode).toBe(429);
    vi.setSystemTime(Date.now() + 1000);
    expect((await post('/low', { from: '203.0.113.1', times: 3 })).statusCode).toBe(200);
  });

  it.each([
    ['/low', 3],
    ['/high', 400],
  ])('of %s allows attempts again when the clock that was ahead is set right', async (url, times) => {
    const from = '203.0.113.1';
    vi.setSystemTime(Date.UTC(2035, 0, day));
    expect((await post(url, { from, times: times + 1 })).statusCode).toBe(429);
    vi.setSystemTime(Date.UTC(2030, 0, day));
    for (const send of [post, other.post]) expect((await send(url, { from })).statusCode).toBe(200);
    expect((await post(url, { from, times })).statusCode).toBe(429);
  });

  it('counts the attempts of all processes together', async () => {
    await post('/low', { from: '203.0.113.1', times: 2 });
    expect((await other.post('/low', { from: '203.0.113.1' })).statusCode).toBe(200);
    expect((await other.post('/low', { from: '203.0.113.1' })).statusCode).toBe(429);
    expect((await post('/low', { from: '203.0.113.1' })).statusCode).toBe(429);
  });

  it('counts simultaneous attempts one by one', async () => {
    const processes = [post, other.post];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => processes[index % 2]?.('/low', { from: '203.0.113.1' })),
    );
    expect(responses.filter((response) => response?.statusCode === 200)).toHaveLength(3);
  });

  it('of 200 and more allows each process one step of 5 % too many', async () => {
    let allowed = 0;
    for (const send of [post, other.post]) {
      while ((await send('/high')).statusCode === 200) allowed += 1;
    }
    expect(allowed).toBeGreaterThanOrEqual(400);
    expect(allowed).toBeLessThanOrEqual(420);
    expect((await post('/high', { user: 'u2' })).statusCode).toBe(200);
  });

  it('of everybody does not count what the limit of the network refused', async () => {
    expect((await post('/total', { from: '203.0.113.1', times: 100 })).statusCode).toBe(429);
    expect((await post('/total', { from: '203.0.113.2', times: 2 })).statusCode).toBe(200);
    expect((await post('/total', { from: '203.0.113.3' })).statusCode).toBe(429);
  });
});

describe('a network', () => {
  it.each([
    ['an IPv4 address', '203.0.113.1', '203.0.113.1', 429],
    ['an IPv4 address inside IPv6', '203.0.113.1', '::ffff:203.0.113.1', 429],
    ['the /64 of an IPv6 address', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['not another /64', '2001:db8:1:2::1', '2001:db8:1:3::1', 200],
    ['not the next IPv4 address', '203.0.113.1', '203.0.113.2', 200],
  ])('is %s', async (_name, first, second, status) => {
    await post('/low', { from: first, times: 3 });
    expect((await post('/low', { from: second })).statusCode).toBe(status);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is not limited', async (from) => {
    expect((await post('/low', { from, times: 5 })).statusCode).toBe(200);
  });

  it('that is this machine counts where others reach the server', async () => {
    expect((await exposed.post('/low', { times: 4 })).statusCode).toBe(429);
  });
});

describe('a route', () => {
  it.each(['POST', 'PUT', 'DELETE'])('%s without a rate limit is refused at start', (method) => {
    const route = () => createApp().route({ method, url: '/items', handler: async () => ({}) });
    expect(route).toThrow(`${method} /items declares no rate limit`);
  });

  it('with a limit is refused in a service without a rate limiter', () => {
    const route = () => createApp().get('/items', { config: { rateLimits: [low] } }, async () => ({}));
    expect(route).toThrow('GET /items is registered before its service’s rate limiter');
  });
});

it('the database holds neither addresses nor ids', async () => {
  await post('/low', { from: '203.0.113.1' });
  const pool = openPool({ connection, schema: 'portal', name: 'tests', maxConnections: 1 });
  const { rows } = await pool.query('select key from rate_limit');
  await pool.end();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ key }) => /^(low|high|total):[\w-]{43}$/.test(key))).toBe(true);
});

describe('a forwarded request', () => {
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  async function countWarnings(trustProxy: string | false) {
    const log: string[] = [];
    const app = createApp({
      logger: { level: 'warn', stream: { write: (line) => log.push(line) } },
      trustProxy,
    });
    app.get('/', async (request) => ({ ip: request.ip }));
    const { ip } = (await app.inject({ url: '/', headers })).json();
    await app.inject({ url: '/', headers });
    return { ip, warnings: log.filter((line) => line.includes('TRUST_PROXY')).length };
  }

  it.each([
    ['is warned of once where no proxy is trusted', false, { ip: '127.0.0.1', warnings: 1 }],
    ['has the address of the user behind a trusted proxy', 'loopback', { ip: '203.0.113.1', warnings: 0 }],
  ] as const)('%s', async (_name, trustProxy, expected) => {
    expect(await countWarnings(trustProxy)).toEqual(expected);
  });
});

it.each([
  ['127.0.0.1', 'loopback'],
  ['127.8.8.8', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::5', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['::2:3:4:5', '0:0:0:0'],
  ['203.0.113.9:50000', '203.0.113.9'],
  ['[2001:db8:1:2::5]:50000', '2001:db8:1:2'],
  ['[2001:db8:1:2::5]', '2001:db8:1:2'],
  ['127.0.0.1:50000', 'loopback'],
  ['2001:0db8:0001::5', '2001:db8:1:0'],
  ['unknown', 'unknown'],
])('callers at %s are counted as %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});
