import { type Platform, platforms } from '@escucho/contracts';
import { createApp } from '@escucho/service-kit';
import { afterAll, describe, expect, it } from 'vitest';
import { operators } from './operators.ts';
import { kinds, subscribersOf } from './subscribers.ts';

const key = 'the key of the simulated gateways';
let seconds = Date.parse('2026-11-20T10:00:00Z') / 1000;
const app = createApp();
await app.register(operators, {
  ...{ prefix: '/operators', entry: '/auth-external', key, secret: 'a secret of the tests' },
  ...{ clock: () => new Date(seconds * 1000), slowness: 20 },
});
afterAll(() => app.close());

const page = async (url: string, language = 'en') =>
  app.inject({ url, headers: { 'accept-language': language } });

/** The queries of an operator's links as the page has them, in the order of the kinds. */
async function queriesOf(platform: Platform): Promise<URLSearchParams[]> {
  const { body } = await page(`/operators/${platform}`);
  const links = [...body.matchAll(/href="\/auth-external\?([^"]+)"/g)];
  return links.map(([, query = '']) => new URLSearchParams(query.replaceAll('&amp;', '&')));
}

async function ask(platform: string, question: object, bearer = key) {
  const answer = await app.inject({
    method: 'POST',
    url: `/operators/${platform}/gateway/subscribers/find`,
    headers: { authorization: `Bearer ${bearer}` },
    payload: question,
  });
  return { status: answer.statusCode, said: answer.body === '' ? undefined : answer.json() };
}

describe('the pages', () => {
  it('[EXT-06] lead from one that names all operators to each', async () => {
    const { body } = await page('/operators');
    for (const platform of platforms) expect(body).toContain(`href="/operators/${platform}"`);
  });

  it.each([
    ['bitel', ['msisdn', 'proof']],
    ['entel', ['msfw']],
    ['cnt', ['cntToken', 'msisdn']],
    ['antel', ['source', 'msisdn', 'proof']],
  ] as const)('[EXT-01] %s has five test subscribers, whose links carry %j', async (platform, names) => {
    const queries = await queriesOf(platform);
    expect(queries).toHaveLength(kinds.length);
    for (const query of queries) expect([...query.keys()]).toEqual(names);
    if (platform === 'antel') expect(queries.map((query) => query.get('source'))).toContain('antel');
  });

  it('[EXT-06] make each link anew', async () => {
    const [before, after] = [await queriesOf('bitel'), await queriesOf('bitel')];
    expect(before[0]?.get('proof')).not.toBe(after[0]?.get('proof'));
  });

  it.each([
    ['en', 'Test subscribers', 'Has a running subscription: comes in.'],
    ['es', 'Suscriptores de prueba', 'Tiene una suscripción vigente: entra.'],
  ])('[EXT-06] speak the reader’s language: %s', async (language, ...texts) => {
    const { body } = await page('/operators/entel', language);
    expect(body).toContain(`<html lang="${language}">`);
    for (const text of texts) expect(body).toContain(text);
  });

  it('run no script, stand in no frame, and are kept by nobody', async () => {
    const { headers } = await page('/operators/cnt');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([['/operators/claro'], ['/operators/constructor'], ['/operators/bitel/gateway']])(
    '%s is not there',
    async (url) => expect((await page(url)).statusCode).toBe(404),
  );
});

describe('the gateways', () => {
  it.each([
    ['active', 200, 'active'],
    ['expired', 200, 'expired'],
    ['unknown', 404, undefined],
    ['slow', 200, 'active'],
    ['failing', 503, undefined],
  ] as const)('[EXT-06] a subscriber who is %s: %i', async (kind, status, standing) => {
    for (const platform of platforms) {
      const { msisdn, firstName, lastName } = subscribersOf(platform)[kinds.indexOf(kind)] ?? {};
      const answer = await ask(platform, { msisdn });
      expect([platform, answer.status]).toEqual([platform, status]);
      if (!standing) continue;
      expect(answer.said).toMatchObject({ msisdn, status: standing, firstName, lastName });
      expect(answer.said.email).toMatch(/^[a-z.]+@example\.com$/);
      expect(await ask(platform, { id: answer.said.id })).toEqual(answer);
    }
  });

  it.each([['entel'], ['cnt']] as const)(
    '[EXT-06] know whose a token of %s is, for five minutes',
    async (platform) => {
      const [query] = await queriesOf(platform);
      const token = query?.get('msfw') ?? query?.get('cntToken') ?? '';
      const { said } = await ask(platform, { token });
      expect(said).toMatchObject({ msisdn: subscribersOf(platform)[0]?.msisdn, status: 'active' });
      const other = platform === 'cnt' ? 'entel' : 'cnt';
      expect((await ask(other, { token })).status).toBe(404);
      expect((await ask(platform, { token, msisdn: subscribersOf(platform)[1]?.msisdn })).status).toBe(404);
      expect((await ask(platform, { token: `${token.slice(0, -1)}x` })).status).toBe(404);
      seconds += 300;
      expect((await ask(platform, { token })).status).toBe(404);
    },
  );

  it.each([
    ['without the key', { msisdn: '51930000001' }, 'another key', 401],
    ['about nothing', {}, key, 400],
    ['about a token that is nonsense', { token: 'x.y' }, key, 404],
  ])('[EXT-06] a question %s is refused', async (_name, question, bearer, status) => {
    expect((await ask('bitel', question, bearer)).status).toBe(status);
  });
});
