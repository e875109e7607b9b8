import { rateLimits } from '@escucho/contracts';
import { createRateLimitConsumer } from '@escucho/service-kit/testing';
import { describe, expect, it } from 'vitest';
import { keys, startProvider } from '../testing/provider.ts';

const { app, connection } = await startProvider();
const useUp = createRateLimitConsumer({ connection, schema: 'billing', secret: keys.secret });

const remoteAddress = '198.51.100.7';
for (const name of ['billing', 'purchase', 'customerPortal', 'simulator'] as const) {
  await useUp(rateLimits[name][0], remoteAddress);
}

describe('the rate limit of a network', () => {
  const send = (method: 'GET' | 'POST', url: string, from: string, key = keys.sandbox) =>
    app.inject({
      method,
      url: `/billing${url}`,
      remoteAddress: from,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { payload: '{}' }),
    });

  it.each([
    ['GET', '/v1/subscribers/u1'],
    ['GET', '/v1/subscribers/u1/offerings'],
    ['GET', '/rcbilling/v1/subscribers/u1/products'],
    ['GET', '/rcbilling/v1/branding'],
    ['GET', '/rcbilling/v1/checkout/unknown'],
    ['POST', '/rcbilling/v1/subscribe'],
    ['GET', '/manage'],
    ['POST', '/sandbox/confirm'],
    ['POST', '/sandbox/card'],
    ['POST', '/sandbox/authenticate'],
    ['POST', '/sandbox/dispute'],
    ['POST', '/sandbox/advance'],
  ] as const)('[RCB-01] %s %s is refused with 429 for this network only', async (method, url) => {
    const refused = await send(method, url, remoteAddress);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 7638]);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.headers['access-control-expose-headers']).toContain('retry-after');
    expect((await send(method, url, '198.51.100.8')).statusCode).not.toBe(429);
  });

  it('[RCB-01] does not count the requests of a server', async () => {
    expect((await send('GET', '/v1/subscribers/u1', remoteAddress, keys.secret)).statusCode).toBeLessThan(
      300,
    );
  });
});
