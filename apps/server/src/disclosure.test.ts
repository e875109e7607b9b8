import { describe, expect, it } from 'vitest';
import { prepareProduct } from './testing/product.ts';

const { instance, createApp } = await prepareProduct();
const app = await createApp();

const addresses = ['/', '/config.json', '/api/openapi.json', '/api/auth/me', '/api/nowhere', '/identity'];
addresses.push('/identity/oauth2/userInfo', '/identity/login', '/billing/v1/subscribers/u1', '/nowhere.js');

const { identitySecret, mediaSecret, readerTokenSecret, identityAdminKey, billing } = instance;
const keys = [identitySecret, mediaSecret, readerTokenSecret, identityAdminKey];
const secrets = [...keys, billing.secretKey, billing.webhookSecret];

describe('responses', () => {
  it.each(addresses)('of %s name no server software, and contain no secret', async (url) => {
    const { headers, body } = await app.inject(url);
    for (const name of ['server', 'x-powered-by', 'via']) expect(headers).not.toHaveProperty(name);
    const text = `${JSON.stringify(headers)} ${body}`;
    expect(text).not.toMatch(/fastify|express|node\.?js\/\d|postgres/i);
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  });

  it.each([
    ['GET', '/api/auth/me'],
    ['POST', '/api/playlist'],
    ['GET', '/config.json'],
    ['DELETE', '/identity/sessions/x'],
  ] as const)('to %s %s do not depend on the header Origin', async (method, url) => {
    const send = (origin: string) => app.inject({ method, url, headers: { origin } });
    const [own, foreign, opaque] = [
      await send('http://localhost:3000'),
      await send('https://evil.test'),
      await send('null'),
    ];
    const toBody = ({ body }: typeof own) => body.replace(/"requestId":"[^"]*"/, '');
    for (const response of [foreign, opaque]) {
      expect([response.statusCode, toBody(response)]).toEqual([own.statusCode, toBody(own)]);
      expect(response.headers['access-control-allow-origin']).toBe(
        own.headers['access-control-allow-origin'],
      );
    }
  });

  it('of the API allow no other origin to read them', async () => {
    const { headers } = await app.inject({ url: '/api/auth/me', headers: { origin: 'https://evil.test' } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
