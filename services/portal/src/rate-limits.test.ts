import { type RateLimit, rateLimits } from '@escucho/contracts';
import { createRateLimitConsumer } from '@escucho/service-kit/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startRequestTest } from './testing/request-test.ts';

const { connection, secret, me, other, send, validRequests, expectNoChange } = await startRequestTest();
const useUp = createRateLimitConsumer({ connection, schema: 'portal', secret });
afterEach(() => {
  vi.useRealTimers();
});

const network = '198.51.100.7';
const limitsByEndpoint = validRequests.map(([name, target, request]) => {
  const limits: readonly RateLimit[] = target.rateLimit === 'none' ? [] : rateLimits[target.rateLimit];
  return [name, { target, request, limits }] as const;
});

const allLimits = new Set(limitsByEndpoint.flatMap(([, { limits }]) => limits));
await Promise.all([...allLimits].map((limit) => useUp(limit, limit.by === 'network' ? network : me.id)));

describe('beyond its rate limit', () => {
  it.each(limitsByEndpoint)('[API-03] %s is refused and changes nothing', async (_name, endpoint) => {
    const { target, request, limits } = endpoint;
    expect(limits).not.toEqual([]);
    await expectNoChange(async () => {
      const attempt = () => send(target, { ...request, token: me.token, from: network });
      let response = await attempt();
      // The set-up has saved a position, so this process may allow one step of 5 % more.
      for (let n = 0; n < 12 && response.statusCode === 200; n += 1) response = await attempt();
      expect([response.statusCode, response.json().error.code]).toEqual([429, 'too_many_requests']);
      const { ratelimit, 'ratelimit-policy': policy, 'retry-after': seconds } = response.headers;
      const refusing = limits.find(({ name }) => String(ratelimit).includes(`"${name}";r=0;t=${seconds}`));
      expect(Number(seconds)).toBeLessThanOrEqual(refusing?.windowSeconds ?? 0);
      expect(policy).toContain(`"${refusing?.name}";q=${refusing?.limit};w=${refusing?.windowSeconds}`);
    });
  });

  it.each(limitsByEndpoint)('[API-03] %s is allowed to others', async (_name, { target, request }) => {
    const response = await send(target, { ...request, token: other.token, from: '198.51.100.8' });
    expect(response.statusCode).not.toBe(429);
  });

  it.each(limitsByEndpoint)('[API-03] %s is allowed after the window', async (_name, endpoint) => {
    const { target, request, limits } = endpoint;
    const longest = Math.max(...limits.map(({ windowSeconds }) => windowSeconds));
    vi.setSystemTime(Date.now() + longest * 1000);
    const response = await send(target, { ...request, token: me.token, from: network });
    expect(response.statusCode).not.toBe(429);
  });
});
