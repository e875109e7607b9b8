import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api, platforms, publicConfig } from '@escucho/contracts';
import { createTestDatabase } from '@escucho/database/testing';
import { openMediaStore } from '@escucho/portal';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { loadInstance } from './instance.ts';
import { readSettings } from './settings.ts';

const directory = await mkdtemp(join(tmpdir(), 'escucho-operators-'));
const webDirectory = join(directory, 'web');
await mkdir(webDirectory, { recursive: true });
await writeFile(join(webDirectory, 'index.html'), '<!doctype html><title>Escucho</title>');
await writeFile(join(webDirectory, 'csp.json'), JSON.stringify({ scripts: [], styles: [] }));

const dataDir = join(directory, 'data');
const connection = await createTestDatabase();
const instance = await loadInstance(dataDir);
const mediaStore = await openMediaStore({ directory: join(directory, 'media') });
const apps: Awaited<ReturnType<typeof buildApp>>[] = [];
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await rm(directory, { recursive: true, force: true });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Starts the product on a free port, with additional environment variables. */
async function startApp(env: NodeJS.ProcessEnv = {}) {
  const port = await findFreePort();
  const settings = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: String(port), ...env });
  const app = await buildApp({ settings, instance, connection, mediaStore, webDirectory, probes: {} });
  apps.push(app);
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

  it('[EXT-04] without a container the policy allows none', async () => {
    expect(await getPolicy(app, '/auth-external?msfw=x')).not.toContain('googletagmanager');
  });

  it('[EXT-04] with a container only the policy of the operators’ entry page allows its host', async () => {
    const tagged = await startApp({ OPERATOR_ENTEL_TAG_MANAGER_ID: 'GTM-ABC1234' });
    const ids = (await getConfig(tagged)).operators.map(({ platform, tagManagerId }) => [
      platform,
      tagManagerId,
    ]);
    expect(Object.fromEntries(ids)).toEqual({ bitel: null, entel: 'GTM-ABC1234', cnt: null, antel: null });
    const policy = await getPolicy(tagged, '/auth-external?msfw=x');
    const allowed = "'self' https://www.googletagmanager.com";
    expect(policy).toContain(`script-src ${allowed};`);
    expect(policy).not.toContain('unsafe');
    for (const url of ['/', '/auth/sign-in', '/discover'])
      expect(await getPolicy(tagged, url)).not.toContain('googletagmanager');
  });
});

describe('loadInstance', () => {
  it('adds a missing token secret and replaces nothing else', async () => {
    const older = join(directory, 'older');
    const { readerTokenSecret: _, ...before } = await loadInstance(older);
    await writeFile(join(older, 'secrets.json'), JSON.stringify(before));
    const upgraded = await loadInstance(older);
    expect(upgraded).toEqual({ ...before, readerTokenSecret: expect.stringMatching(/^[\w-]{64}$/) });
    expect(JSON.parse(await readFile(join(older, 'secrets.json'), 'utf8'))).toEqual(upgraded);
    expect(await loadInstance(older)).toEqual(upgraded);
  });

  it('does not overwrite a damaged file', async () => {
    const damaged = join(directory, 'damaged');
    await mkdir(damaged);
    await writeFile(join(damaged, 'secrets.json'), '{"userPoolId":"local_x"}');
    await expect(loadInstance(damaged)).rejects.toThrow();
    expect(await readFile(join(damaged, 'secrets.json'), 'utf8')).toBe('{"userPoolId":"local_x"}');
  });
});
