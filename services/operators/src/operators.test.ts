import { type Platform, platforms } from '@escucho/contracts';
import { createApp } from '@escucho/service-kit';
import { afterAll, describe, expect, it } from 'vitest';
import { operators } from './operators.ts';
import { getSubscribers, kinds } from './subscribers.ts';

const key = 'the key of the simulated gateways';
let seconds = Date.parse('2026-11-20T10:00:00Z') / 1000;
const app = createApp();
await app.register(operators, {
  prefix: '/operators',
  entryUrl: '/auth-external',
  key,
  secret: 'a secret of the tests',
  clock: () => new Date(seconds * 1000),
  slowResponseMs: 20,
});
afterAll(() => app.close());

const getPage = (url: string, language = 'en') =>
  app.inject({ url, headers: { 'accept-language': language } });

const unescapeHtml = (html: string) =>
  html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** Returns the queries of the links on an operator's page, in the order of the kinds. */
async function getLinkQueries(platform: Platform): Promise<URLSearchParams[]> {
  const { body } = await getPage(`/operators/${platform}`);
  const links = [...unescapeHtml(body).matchAll(/href="\/auth-external\?([^"]+)"/g)];
  return links.map(([, query]) => new URLSearchParams(query));
}

async function findSubscriber(platform: string, body: object, bearer = key) {
  const response = await app.inject({
    method: 'POST',
    url: `/operators/${platform}/gateway/subscribers/find`,
    headers: { authorization: `Bearer ${bearer}` },
    payload: body,
  });
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json() };
}

describe('pages', () => {
  it('[EXT-06] the index links to every operator', async () => {
    const { body } = await getPage('/operators');
    for (const platform of platforms) expect(body).toContain(`href="/operators/${platform}"`);
  });

  it.each([
    ['bitel', ['msisdn', 'proof']],
    ['entel', ['msfw']],
    ['cnt', ['cntToken', 'msisdn']],
    ['antel', ['source', 'msisdn', 'proof']],
  ] as const)(
    '[EXT-01] the links of the subscribers of %s have the parameters %j',
    async (platform, names) => {
      const queries = await getLinkQueries(platform);
      expect(queries).toHaveLength(kinds.length);
      for (const query of queries) expect([...query.keys()]).toEqual(names);
      if (platform === 'antel') expect(queries.map((query) => query.get('source'))).toContain('antel');
    },
  );

  it('[EXT-06] every request creates new links', async () => {
    const [before, after] = [await getLinkQueries('bitel'), await getLinkQueries('bitel')];
    expect(before[0]?.get('proof')).not.toBe(after[0]?.get('proof'));
  });

  it.each([
    ['en', 'Test subscribers', 'Has a running subscription: comes in.'],
    ['es', 'Suscriptores de prueba', 'Tiene una suscripción vigente: entra.'],
  ])('[EXT-06] are in the language of Accept-Language: %s', async (language, ...texts) => {
    const { body } = await getPage('/operators/entel', language);
    expect(body).toContain(`<html lang="${language}">`);
    for (const text of texts) expect(body).toContain(text);
  });

  it('have a strict content security policy and are not cached', async () => {
    const { headers } = await getPage('/operators/cnt');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([['/operators/claro'], ['/operators/constructor'], ['/operators/bitel/gateway']])(
    '%s responds with 404',
    async (url) => expect((await getPage(url)).statusCode).toBe(404),
  );
});

describe('gateways', () => {
  it.each([
    ['active', 200, 'active'],
    ['expired', 200, 'expired'],
    ['unknown', 404, undefined],
    ['slow', 200, 'active'],
    ['failing', 503, undefined],
  ] as const)(
    '[EXT-06] the request for a subscriber of kind %s gets %i',
    async (kind, status, subscription) => {
      for (const platform of platforms) {
        const { msisdn, firstName, lastName } = getSubscribers(platform)[kinds.indexOf(kind)] ?? {};
        const response = await findSubscriber(platform, { msisdn });
        expect([platform, response.status]).toEqual([platform, status]);
        if (!subscription) continue;
        expect(response.body).toMatchObject({ msisdn, status: subscription, firstName, lastName });
        expect(response.body.email).toMatch(/^[a-z.]+@example\.com$/);
        expect(await findSubscriber(platform, { id: response.body.id })).toEqual(response);
      }
    },
  );

  it.each([['entel'], ['cnt']] as const)(
    '[EXT-06] resolve a token of %s for five minutes',
    async (platform) => {
      const [query] = await getLinkQueries(platform);
      const token = query?.get('msfw') ?? query?.get('cntToken') ?? '';
      const { body } = await findSubscriber(platform, { token });
      expect(body).toMatchObject({ msisdn: getSubscribers(platform)[0]?.msisdn, status: 'active' });
      const other = platform === 'cnt' ? 'entel' : 'cnt';
      expect((await findSubscriber(other, { token })).status).toBe(404);
      expect(
        (await findSubscriber(platform, { token, msisdn: getSubscribers(platform)[1]?.msisdn })).status,
      ).toBe(404);
      expect((await findSubscriber(platform, { token: `${token.slice(0, -1)}x` })).status).toBe(404);
      seconds += 300;
      expect((await findSubscriber(platform, { token })).status).toBe(404);
    },
  );

  it.each([
    ['with a wrong key', { msisdn: '51930000001' }, 'another key', 401],
    ['without a subscriber', {}, key, 400],
    ['with a malformed token', { token: 'x.y' }, key, 404],
  ])('[EXT-06] refuse a request %s', async (_name, body, bearer, status) => {
    expect((await findSubscriber('bitel', body, bearer)).status).toBe(status);
  });
});
