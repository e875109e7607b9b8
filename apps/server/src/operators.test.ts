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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** The product that listens, as it does where people try it. In: settings that differ. */
async function appWith(env: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const settings = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: String(port), ...env });
  const app = await buildApp({ settings, instance, connection, mediaStore, webDirectory, probes: {} });
  apps.push(app);
  await app.listen({ port, host: settings.host });
  return app;
}
const app = await appWith();

const bitel = {
  OPERATOR_BITEL_GATEWAY: 'https://gateway.bitel.example/escucho/',
  OPERATOR_BITEL_KEY: 'a key of sixteen characters',
  OPERATOR_BITEL_SECRET: 'a secret of at least thirty-two characters',
  OPERATOR_BITEL_PAGE: 'https://bitel.example/escucho',
};

/** The parameters of a simulated subscriber's link: 0 is active, 1 expired, 2 unknown, 3 slow, 4 failing. */
async function linkOf(platform: string, place: number): Promise<Record<string, string>> {
  const { body } = await app.inject(`/operators/${platform}`);
  const links = [...body.matchAll(/href="\/auth-external\?([^"]+)"/g)];
  const escaped = links[place]?.[1] ?? '';
  const query = new URLSearchParams(
    escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
  return { platform, ...Object.fromEntries(query) };
}

async function signIn(link: object) {
  const { method, path } = api.operators.signInThirdParties;
  const answer = await app.inject({ method, url: `/api${path}`, payload: link });
  return { status: answer.statusCode, said: answer.json() };
}

const configOf = async (at: typeof app, host = 'localhost:3000') =>
  publicConfig.parse((await at.inject({ url: '/config.json', headers: { host } })).json());

describe('the simulator and the portal, over HTTP', () => {
  it.each(platforms)(
    '[EXT-05] [EXT-06] the active subscriber of %s comes in, once by each link',
    async (platform) => {
      const link = await linkOf(platform, 0);
      const { said } = await signIn(link);
      expect(said.user).toMatchObject({ platform, isExternal: true });
      const headers = { authorization: `Bearer ${said.accessToken}` };
      expect((await app.inject({ url: '/api/auth/me', headers })).json().user).toEqual(said.user);
      expect((await signIn(link)).said.error.code).toBe('link_expired');
    },
  );

  it.each([
    ['expired', 1, 403, 'subscription_required'],
    ['unknown', 2, 403, 'subscription_required'],
    ['failing', 4, 503, 'unavailable'],
  ] as const)('[EXT-06] who is %s does not', async (_kind, place, status, code) => {
    for (const platform of platforms) {
      const answer = await signIn(await linkOf(platform, place));
      expect([answer.status, answer.said.error.code]).toEqual([status, code]);
    }
  });

  it('[EXT-06] who is slow does not: the gateway is not waited for', async () => {
    const answer = await signIn(await linkOf('bitel', 3));
    expect([answer.status, answer.said.error.code]).toEqual([503, 'unavailable']);
  });
});

describe('what is set up', () => {
  it('[EXT-06] without settings the simulator stands in, and /config.json leads to it', async () => {
    const { operators } = await configOf(app, '127.0.0.1:3000');
    expect(operators).toEqual(
      platforms.map((platform) => ({
        platform,
        page: `http://127.0.0.1:3000/operators/${platform}`,
        tagManagerId: null,
      })),
    );
  });

  it('[EXT-06] with one operator set up only that one is offered, and the simulator is not there', async () => {
    const real = await appWith(bitel);
    const page = bitel.OPERATOR_BITEL_PAGE;
    expect((await configOf(real)).operators).toEqual([{ platform: 'bitel', page, tagManagerId: null }]);
    expect((await real.inject('/operators')).statusCode).toBe(404);
  });

  it.each([
    ['without the demo', { DEMO: 'false' }],
    [
      'in production, unless it is asked for',
      {
        ...{
          NODE_ENV: 'production',
          PUBLIC_URL: 'https://escucho.example',
          MAIL_FROM: 'no-reply@escucho.example',
        },
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
    ],
  ])('[EXT-06] the simulator is not there %s', async (_name, env) => {
    const serious = await appWith(env);
    expect((await configOf(serious)).operators).toEqual([]);
    expect((await serious.inject('/operators')).statusCode).toBe(404);
    const { method, path } = api.operators.signInThirdParties;
    const answer = await serious.inject({
      ...{ method, url: `/api${path}` },
      payload: { platform: 'bitel', msisdn: '51930000001' },
    });
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    [
      'an operator by halves',
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
    ['no container', { OPERATOR_ENTEL_TAG_MANAGER_ID: '"><script>' }, /TAG_MANAGER_ID: must look like GTM-/],
  ])('%s is refused at start', (_name, env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });
});

describe('Entel’s tag manager', () => {
  const policyOf = async (at: typeof app, url: string) =>
    String((await at.inject(url)).headers['content-security-policy']);

  it('[EXT-04] without a container the policy allows none', async () => {
    expect(await policyOf(app, '/auth-external?msfw=x')).not.toContain('googletagmanager');
  });

  it('[EXT-04] with one, the policy allows its host on the operators’ door, and nowhere else', async () => {
    const tagged = await appWith({ OPERATOR_ENTEL_TAG_MANAGER_ID: 'GTM-ABC1234' });
    const ids = (await configOf(tagged)).operators.map(({ platform, tagManagerId }) => [
      platform,
      tagManagerId,
    ]);
    expect(Object.fromEntries(ids)).toEqual({ bitel: null, entel: 'GTM-ABC1234', cnt: null, antel: null });
    const policy = await policyOf(tagged, '/auth-external?msfw=x');
    const allowed = "'self' https://www.googletagmanager.com";
    expect(policy).toContain(`script-src ${allowed};`);
    expect(policy).not.toContain('unsafe');
    for (const url of ['/', '/auth/sign-in', '/discover'])
      expect(await policyOf(tagged, url)).not.toContain('googletagmanager');
  });
});

describe('the key of the portal’s own tokens', () => {
  it('is added to an installation that has none yet, and nothing else is made anew', async () => {
    const older = join(directory, 'older');
    const { readerTokenSecret: _, ...before } = await loadInstance(older);
    await writeFile(join(older, 'secrets.json'), JSON.stringify(before));
    const upgraded = await loadInstance(older);
    expect(upgraded).toEqual({ ...before, readerTokenSecret: expect.stringMatching(/^[\w-]{64}$/) });
    expect(JSON.parse(await readFile(join(older, 'secrets.json'), 'utf8'))).toEqual(upgraded);
    expect(await loadInstance(older)).toEqual(upgraded);
  });

  it('a file of secrets that is damaged is not written over', async () => {
    const damaged = join(directory, 'damaged');
    await mkdir(damaged);
    await writeFile(join(damaged, 'secrets.json'), '{"userPoolId":"local_x"}');
    await expect(loadInstance(damaged)).rejects.toThrow();
    expect(await readFile(join(damaged, 'secrets.json'), 'utf8')).toBe('{"userPoolId":"local_x"}');
  });
});
