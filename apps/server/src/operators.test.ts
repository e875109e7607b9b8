import { createHash } from 'node:crypto';
import { api, platforms, publicConfig } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { findFreePort, prepareProduct } from './testing/product.ts';

const { build } = await prepareProduct();

/** Starts the product on a free port, with additional environment variables. */
async function startApp(env: NodeJS.ProcessEnv = {}) {
  const port = await findFreePort();
  const { app, settings } = await build({ PORT: String(port), ...env });
  await app.listen({ port, host: settings.host });
  return app;
}
const app = await startApp();

const bitel = {
  OPERATOR_BITEL_GATEWAY: 'https://gateway.bitel.example/escucho/',
  OPERATOR_BITEL_KEY: 'a key of sixteen characters',
  OPERATOR_BITEL_SECRET: 'a secret of at least thirty-two characters',
  OPERATOR_BITEL_PAGE: 'https://bitel.example/escucho',
};

/** Returns the parameters of a simulated subscriber's link: 0 is active, 1 expired, 2 unknown, 3 slow, 4 failing. */
async function getLink(platform: string, index: number): Promise<Record<string, string>> {
  const { body } = await app.inject(`/operators/${platform}`);
  const links = [...body.matchAll(/href="\/auth-external\?([^"]+)"/g)];
  const escaped = links[index]?.[1] ?? '';
  const query = new URLSearchParams(
    escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
  return { platform, ...Object.fromEntries(query) };
}

async function signIn(link: object) {
  const { method, path } = api.operators.signInThirdParties;
  const response = await app.inject({ method, url: `/api${path}`, payload: link });
  return { status: response.statusCode, body: response.json() };
}

const getConfig = async (at: typeof app, host = 'localhost:3000') =>
  publicConfig.parse((await at.inject({ url: '/config.json', headers: { host } })).json());

describe('the simulator and the portal, over HTTP', () => {
  it.each(platforms)(
    '[EXT-05] [EXT-06] the active subscriber of %s signs in, once by each link',
    async (platform) => {
      const link = await getLink(platform, 0);
      const { body } = await signIn(link);
      expect(body.user).toMatchObject({ platform, isExternal: true });
      const headers = { authorization: `Bearer ${body.accessToken}` };
      expect((await app.inject({ url: '/api/auth/me', headers })).json().user).toEqual(body.user);
      expect((await signIn(link)).body.error.code).toBe('link_expired');
    },
  );

  it.each([
    ['expired', 1, 403, 'subscription_required'],
    ['unknown', 2, 403, 'subscription_required'],
    ['failing', 4, 503, 'unavailable'],
  ] as const)('[EXT-06] a subscriber of kind %s cannot sign in', async (_kind, index, status, code) => {
    for (const platform of platforms) {
      const response = await signIn(await getLink(platform, index));
      expect([response.status, response.body.error.code]).toEqual([status, code]);
    }
  });

  it('[EXT-06] a slow gateway is not waited for: 503 unavailable', async () => {
    const response = await signIn(await getLink('bitel', 3));
    expect([response.status, response.body.error.code]).toEqual([503, 'unavailable']);
  });
});

describe('configuration', () => {
  it('[EXT-06] without settings /config.json links to the simulator', async () => {
    const { operators } = await getConfig(app, '127.0.0.1:3000');
    expect(operators).toEqual(
      platforms.map((platform) => ({
        platform,
        page: `http://127.0.0.1:3000/operators/${platform}`,
        tagManagerId: null,
      })),
    );
  });

  it('[EXT-06] with one configured operator offers only that one, without the simulator', async () => {
    const real = await startApp(bitel);
    const page = bitel.OPERATOR_BITEL_PAGE;
    expect((await getConfig(real)).operators).toEqual([{ platform: 'bitel', page, tagManagerId: null }]);
    expect((await real.inject('/operators')).statusCode).toBe(404);
  });

  it.each([
    ['without the demo', { DEMO: 'false' }],
    [
      'in production by default',
      {
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://escucho.example',
        TRUST_PROXY: 'loopback',
        MAIL_FROM: 'no-reply@escucho.example',
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
    ],
  ])('[EXT-06] there is no simulator %s', async (_name, env) => {
    const app = await startApp(env);
    expect((await getConfig(app)).operators).toEqual([]);
    expect((await app.inject('/operators')).statusCode).toBe(404);
    const { method, path } = api.operators.signInThirdParties;
    const response = await app.inject({
      method,
      url: `/api${path}`,
      payload: { platform: 'bitel', msisdn: '51930000001' },
    });
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'unavailable']);
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    [
      'a partial operator',
      { OPERATOR_CNT_KEY: 'a key of sixteen characters' },
      /OPERATOR_CNT_GATEWAY, OPERATOR_CNT_PAGE: needed/,
    ],
    [
      'an operator without its secret',
      { ...bitel, OPERATOR_BITEL_SECRET: '' },
      /OPERATOR_BITEL_SECRET: needed/,
    ],
    [
      'a gateway without TLS',
      { ...bitel, OPERATOR_BITEL_GATEWAY: 'http://gateway.example' },
      /GATEWAY: must be https/,
    ],
    ['a short secret', { ...bitel, OPERATOR_BITEL_SECRET: 'short' }, /SECRET: must have at least 32/],
    [
      'an invalid container id',
      { OPERATOR_ENTEL_TAG_MANAGER_ID: '"><script>' },
      /TAG_MANAGER_ID: must look like GTM-/,
    ],
  ])('readSettings refuses %s', (_name, env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });
});

describe('Entel’s tag manager', () => {
  const getPolicy = async (at: typeof app, url: string) =>
    String((await at.inject(url)).headers['content-security-policy']);

  it('[EXT-04] without a container no page loads it, and no policy allows it', async () => {
    expect((await app.inject('/tag-manager')).body).not.toContain('googletagmanager');
    for (const url of ['/tag-manager', '/auth-external?msfw=x'])
      expect(await getPolicy(app, url)).not.toContain('googletagmanager');
  });

  it('[EXT-04] with a container only an isolated page loads it, and may be framed', async () => {
    const tagged = await startApp({ OPERATOR_ENTEL_TAG_MANAGER_ID: 'GTM-ABC1234' });
    const ids = (await getConfig(tagged)).operators.map(({ platform, tagManagerId }) => [
      platform,
      tagManagerId,
    ]);
    expect(Object.fromEntries(ids)).toEqual({ bitel: null, entel: 'GTM-ABC1234', cnt: null, antel: null });
    const { body, headers } = await tagged.inject('/tag-manager');
    expect(body).toContain('src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234"');
    const policy = await getPolicy(tagged, '/tag-manager');
    const hash = createHash('sha256')
      .update(/<script>(.*)<\/script>/.exec(body)?.[1] ?? '')
      .digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}' https://www.googletagmanager.com;`);
    expect(policy).toMatch(/;sandbox allow-scripts(;|$)/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    for (const url of ['/', '/auth-external?msfw=x', '/discover'])
      expect(await getPolicy(tagged, url)).not.toContain('googletagmanager');
  });
});
