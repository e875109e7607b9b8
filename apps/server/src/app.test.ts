import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicConfig } from '@escucho/contracts';
import { createTestDatabase } from '@escucho/database/testing';
import { openFileStore } from '@escucho/portal';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { type Instance, loadInstance } from './instance.ts';
import { readSettings } from './settings.ts';

const directory = await mkdtemp(join(tmpdir(), 'escucho-server-'));
const webDirectory = join(directory, 'web');
await mkdir(join(webDirectory, 'assets'), { recursive: true });
await writeFile(join(webDirectory, 'index.html'), '<!doctype html><title>Escucho</title>');
await writeFile(join(webDirectory, 'csp.json'), JSON.stringify({ scripts: ["'sha256-boot'"], styles: [] }));
await writeFile(join(webDirectory, 'assets/main-abc.js'), 'export {};');

const connection = await createTestDatabase();
const instance: Instance = await loadInstance(join(directory, 'data'));
const mediaStore = await openFileStore(join(directory, 'media'));

/** The product on its own database. In: settings that differ, and whether the database answers. */
async function appWith(env: NodeJS.ProcessEnv = {}, answers = true) {
  const settings = readSettings({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', ...env });
  const database = async () => {
    if (!answers) throw new Error('gone');
  };
  const app = await buildApp({
    settings,
    instance,
    connection,
    mediaStore,
    webDirectory,
    probes: { database },
  });
  apps.push(app);
  return app;
}
const apps: Awaited<ReturnType<typeof buildApp>>[] = [];
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await rm(directory, { recursive: true, force: true });
});
const app = await appWith();

describe('addresses that hold', () => {
  it('/config.json names every address at the origin one came by, and one issuer', async () => {
    const answer = await app.inject({ url: '/config.json', headers: { host: '127.0.0.1:3000' } });
    const config = publicConfig.parse(answer.json());
    expect(config.api).toBe('http://127.0.0.1:3000/api');
    expect(config.identity.endpoint).toBe('http://127.0.0.1:3000/identity');
    expect(config.identity.issuer).toBe(`http://localhost:3000/identity/${instance.userPoolId}`);
    expect(config.identity.userPoolId).toMatch(/^local_[0-9A-Za-z]{9}$/);
    expect(config.outbox).toBe('http://127.0.0.1:3000/outbox');
  });

  it('a public address, once named, does not follow the Host header', async () => {
    const named = await appWith({ PUBLIC_URL: 'https://escucho.example.org/' });
    const config = (await named.inject({ url: '/config.json', headers: { host: 'evil.example' } })).json();
    expect(config.api).toBe('https://escucho.example.org/api');
  });

  it.each([
    ['/health', 200],
    ['/health/ready', 200],
    ['/metrics', 200],
    ['/api/openapi.json', 200],
    ['/outbox/messages', 200],
    [`/identity/${instance.userPoolId}/.well-known/jwks.json`, 200],
    ['/api/nowhere', 404],
    ['/media/nowhere', 403],
    ['/billing/nowhere', 404],
    ['/api/auth/me', 401],
  ])('%s answers %i', async (url, status) => {
    expect((await app.inject(url)).statusCode).toBe(status);
  });

  it('the outbox is not there without the demo', async () => {
    const serious = await appWith({ DEMO: 'false' });
    expect((await serious.inject('/outbox/messages')).statusCode).toBe(404);
    expect((await serious.inject('/config.json')).json().outbox).toBeNull();
  });
});

describe('the web app', () => {
  it.each([['/'], ['/discover'], ['/articles/search/a%20b'], ['/index.html']])(
    '%s is its page, never from a stale cache',
    async (url) => {
      const answer = await app.inject(url);
      expect(answer.body).toContain('<title>Escucho</title>');
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );

  it('its files are kept for a year, and those that are gone are not its page', async () => {
    const file = await app.inject('/assets/main-abc.js');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await app.inject('/assets/main-old.js')).statusCode).toBe(404);
  });

  it('runs only our scripts, and in no frame', async () => {
    const policy = (await app.inject('/')).headers['content-security-policy'];
    expect(policy).toContain("script-src 'self' 'sha256-boot';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    ['/../package.json'],
    ['/%2e%2e/%2e%2e/etc/passwd'],
    ['/assets/..%2f..%2fpackage.json'],
    ['/csp.json'],
  ])('%s leads to no file', async (url) => {
    const answer = await app.inject(url);
    expect(answer.body).not.toContain('"name"');
    expect(answer.body).not.toContain('sha256');
    expect(answer.body).not.toContain('root:');
  });
});

describe('readiness', () => {
  it('fails while the database does not answer; the process is still alive', async () => {
    const broken = await appWith({}, false);
    const ready = await broken.inject('/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ status: 'failing', checks: { database: 'failing' } });
    expect((await broken.inject('/health')).statusCode).toBe(200);
  });
});

describe('the secrets of an installation', () => {
  it('are made once, kept, and readable by their owner only', async () => {
    expect(await loadInstance(join(directory, 'data'))).toEqual(instance);
    const { mode } = await stat(join(directory, 'data/secrets.json'));
    expect(mode & 0o077).toBe(0);
  });
});
