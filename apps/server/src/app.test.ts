import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicConfig } from '@escucho/contracts';
import { createTestDatabase } from '@escucho/database/testing';
import { openMediaStore } from '@escucho/portal';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from './app.ts';
import { type Instance, loadInstance } from './instance.ts';
import { readSettings } from './settings.ts';

const directory = await mkdtemp(join(tmpdir(), 'escucho-server-'));
const webDirectory = join(directory, 'web');
await mkdir(join(webDirectory, 'assets'), { recursive: true });
await writeFile(join(webDirectory, 'index.html'), '<!doctype html><title>Escucho</title>');
await writeFile(join(webDirectory, 'csp.json'), JSON.stringify({ scripts: ["'sha256-boot'"], styles: [] }));
await writeFile(join(webDirectory, 'assets/main-abc.js'), 'export {};');

await writeFile(join(webDirectory, 'sw.js'), 'keep("/index.html", "abc-POLICY")');

const connection = await createTestDatabase();
const instance: Instance = await loadInstance(join(directory, 'data'));
const mediaStore = await openMediaStore({ directory: join(directory, 'media') });

/** Builds the product with additional environment variables; `isReady` is the result of the database probe. */
async function buildTestApp(env: NodeJS.ProcessEnv = {}, isReady = true) {
  const settings = readSettings({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', ...env });
  const database = async () => {
    if (!isReady) throw new Error('gone');
  };
  return buildApp({
    settings,
    instance,
    connection,
    mediaStore,
    webDirectory,
    probes: { database },
  });
}

/** Builds another product that is closed at the end of the test. */
async function createApp(...options: Parameters<typeof buildTestApp>) {
  const app = await buildTestApp(...options);
  onTestFinished(() => app.close());
  return app;
}
const app = await buildTestApp();
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

describe('public URLs', () => {
  it('/config.json has the URLs of the request’s origin, and one issuer', async () => {
    const response = await app.inject({ url: '/config.json', headers: { host: '127.0.0.1:3000' } });
    const config = publicConfig.parse(response.json());
    expect(config.api).toBe('http://127.0.0.1:3000/api');
    expect(config.identity.endpoint).toBe('http://127.0.0.1:3000/identity');
    expect(config.identity.issuer).toBe(`http://localhost:3000/identity/${instance.userPoolId}`);
    expect(config.identity.userPoolId).toMatch(/^local_[0-9A-Za-z]{9}$/);
    expect(config.outbox).toBe('http://127.0.0.1:3000/outbox');
  });

  it('[IDP-02] /config.json has the hosted pages of the request’s origin and all redirect URIs', async () => {
    const getConfig = async (host: string) =>
      publicConfig.parse((await app.inject({ url: '/config.json', headers: { host } })).json());
    const { oauth } = (await getConfig('127.0.0.1:3000')).identity;
    expect(oauth).toEqual({
      domain: '127.0.0.1:3000/identity',
      scopes: ['phone', 'email', 'profile', 'openid', 'aws.cognito.signin.user.admin'],
      redirectSignIn: ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'].map(
        (host) => `http://${host}/auth/sign-in`,
      ),
      redirectSignOut: ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'].map(
        (host) => `http://${host}/auth/sign-out`,
      ),
    });
    expect((await getConfig('evil.example')).identity.oauth).toBeNull();
  });

  it('[IDP-02] the hosted pages accept the OAuth configuration and simulate Google', async () => {
    const { identity } = publicConfig.parse((await app.inject('/config.json')).json());
    const authorize = async (params: object, at = app) => {
      const query = new URLSearchParams({
        client_id: identity.clientId,
        response_type: 'code',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        ...params,
      });
      const response = await at.inject({
        url: `/identity/oauth2/authorize?${query}`,
        headers: { host: 'localhost:3000' },
      });
      return String(response.headers.location);
    };
    for (const redirect_uri of ['http://localhost:3000/auth/sign-in', 'http://127.0.0.1:3000/auth/sign-in']) {
      expect(await authorize({ redirect_uri })).toMatch(/^\/identity\/login\?/);
      expect(await authorize({ redirect_uri, identity_provider: 'Google' })).toMatch(
        /^http:\/\/localhost:3000\/identity\/stand-in\?state=/,
      );
    }
    const withoutDemo = await createApp({ DEMO: 'false' });
    const refused = { redirect_uri: 'http://localhost:3000/auth/sign-in', identity_provider: 'Google' };
    expect(await authorize(refused, withoutDemo)).toContain('error=invalid_request');
  });

  it('[IDP-02] the hosted pages have their own security headers', async () => {
    const login = await app.inject('/identity/login');
    expect(login.statusCode).toBe(400);
    expect(login.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('[IDP-02] an external provider is published by its domain and allowed by the policy', async () => {
    const external = await createApp({
      IDENTITY_USER_POOL_ID: 'eu-west-1_Ab12Cd34E',
      IDENTITY_CLIENT_ID: 'abc',
      IDENTITY_OAUTH_DOMAIN: 'escucho.auth.eu-west-1.amazoncognito.com',
      PUBLIC_URL: 'https://escucho.example',
    });
    const config = publicConfig.parse((await external.inject('/config.json')).json());
    expect(config.identity.oauth).toMatchObject({
      domain: 'escucho.auth.eu-west-1.amazoncognito.com',
      redirectSignIn: ['https://escucho.example/auth/sign-in'],
    });
    const policy = (await external.inject('/')).headers['content-security-policy'];
    expect(policy).toContain('https://escucho.auth.eu-west-1.amazoncognito.com');
  });

  it('a configured public URL does not follow the Host header', async () => {
    const app = await createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example.org/' });
    const config = (await app.inject({ url: '/config.json', headers: { host: 'evil.example' } })).json();
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
  ])('%s responds with %i', async (url, status) => {
    expect((await app.inject(url)).statusCode).toBe(status);
  });

  it.each([
    ['PUT', '/api/auth/me', 'GET, HEAD'],
    ['GET', '/api/playlist', 'POST, PUT'],
    ['GET', '/identity', 'OPTIONS, POST'],
    ['PUT', '/identity/oauth2/token', 'POST'],
    ['GET', '/billing/rcbilling/v1/subscribe', 'POST'],
    ['DELETE', '/billing/v1/subscribers/x/offerings', 'GET, HEAD'],
  ] as const)('%s %s responds with 405 and Allow: %s', async (method, url, allow) => {
    const response = await app.inject({ method, url });
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
    expect(response.headers['content-type']).toMatch(/json/);
  });

  it.each([
    ['PUT', '/api/nowhere'],
    ['DELETE', '/identity/nowhere'],
    ['PUT', '/billing/nowhere'],
    ['POST', '/discover'],
  ] as const)('%s %s responds with 404', async (method, url) => {
    expect((await app.inject({ method, url })).statusCode).toBe(404);
  });

  it.each([
    ['/billing/nowhere', 404],
    ['/billing/rcbilling/v1/subscribe', 405],
  ])('[RCB-01] the billing provider refuses GET %s with %i in its own protocol', async (url, status) => {
    const response = await app.inject(url);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect([response.statusCode, response.json()]).toEqual([
      status,
      { code: 7226, message: expect.any(String) },
    ]);
  });

  it('[AUTH-12] /config.json enables guest access only where it is allowed', async () => {
    const { guestAccess, identityPoolId, passkeys } = (await app.inject('/config.json')).json().identity;
    expect([guestAccess, passkeys]).toEqual([true, true]);
    const closed = await createApp({ IDENTITY_ALLOW: '' });
    const { identity } = (await closed.inject('/config.json')).json();
    expect(identity.guestAccess).toBe(false);
    expect(identity).not.toHaveProperty('identityPoolId');
    const getId = (at: typeof app) =>
      at.inject({
        method: 'POST',
        url: '/identity',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': 'AWSCognitoIdentityService.GetId',
        },
        payload: JSON.stringify({ IdentityPoolId: identityPoolId }),
      });
    expect((await getId(app)).json().IdentityId).toMatch(/^local:/);
    expect((await getId(closed)).json().__type).toBe('UnknownOperationException');
  });

  it('[IDP-04] there is no outbox where mail is sent', async () => {
    const sending = await createApp({
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'no-reply@escucho.example',
    });
    expect((await sending.inject('/outbox/messages')).statusCode).toBe(404);
    expect((await sending.inject('/config.json')).json().outbox).toBeNull();
  });

  it('there is no outbox without demo mode', async () => {
    const withoutDemo = await createApp({ DEMO: 'false' });
    expect((await withoutDemo.inject('/outbox/messages')).statusCode).toBe(404);
    expect((await withoutDemo.inject('/config.json')).json().outbox).toBeNull();
  });
});

describe('the web app', () => {
  it.each([['/'], ['/discover'], ['/articles/search/a%20b'], ['/index.html']])(
    '%s is index.html, revalidated on every request',
    async (url) => {
      const response = await app.inject(url);
      expect(response.body).toContain('<title>Escucho</title>');
      expect(response.headers['cache-control']).toBe('no-cache');
    },
  );

  it('hashed files are cached for a year, and missing ones are 404', async () => {
    const file = await app.inject('/assets/main-abc.js');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await app.inject('/assets/main-old.js')).statusCode).toBe(404);
  });

  it.each([['/robots.txt'], ['/.env'], ['/wp-login.php'], ['/csp.json']])('%s is 404', async (url) =>
    expect((await app.inject(url)).statusCode).toBe(404),
  );

  it('/favicon.ico redirects to the icon', async () => {
    const { statusCode, headers } = await app.inject('/favicon.ico');
    expect([statusCode, headers.location]).toEqual([302, '/favicon.svg']);
  });

  it('[CAT-09] the service worker is revalidated and changes with the security policy', async () => {
    const getWorker = async (server: typeof app) => (await server.inject('/sw.js')).body;
    const worker = await app.inject('/sw.js');
    expect(worker.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(worker.body).toMatch(/^keep\("\/index\.html", "abc-[0-9a-f]{16}"\)$/);
    expect(await getWorker(await createApp())).toBe(worker.body);
    expect(
      await getWorker(await createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example' })),
    ).not.toBe(worker.body);
  });

  it('allows only its own scripts, and no frame', async () => {
    const policy = (await app.inject('/')).headers['content-security-policy'];
    expect(policy).toContain("script-src 'self' 'sha256-boot';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect((await app.inject('/')).headers['x-frame-options']).toBe('DENY');
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('stripe');
  });

  it('denies camera, microphone and location, and sends HSTS only with https', async () => {
    const [plain, secure] = await Promise.all([
      app.inject('/'),
      createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example' }).then((https) => https.inject('/')),
    ]);
    expect(plain.headers['permissions-policy']).toBe('camera=(), geolocation=(), microphone=()');
    expect(plain.headers['strict-transport-security']).toBeUndefined();
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it.each([
    [
      'Stripe is configured',
      {
        STRIPE_SECRET_KEY: 'sk_test_a',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_a',
        STRIPE_ACCOUNT_ID: 'acct_a',
        STRIPE_WEBHOOK_SECRET: 'whsec_a',
      },
    ],
    ['billing is external', { BILLING_PUBLIC_KEY: 'rcb_a', BILLING_SECRET_KEY: 'sk_a' }],
  ])('[BUY-06] the policy allows Stripe’s card form where %s', async (_, env) => {
    const policy = (await (await createApp(env)).inject('/')).headers['content-security-policy'];
    expect(policy).toContain(
      "script-src 'self' 'sha256-boot' https://js.stripe.com https://*.js.stripe.com;",
    );
    expect(policy).toContain(
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;',
    );
    expect(policy).toMatch(/connect-src 'self'[^;]* https:\/\/api\.stripe\.com;/);
  });

  it.each([
    ['/../package.json'],
    ['/%2e%2e/%2e%2e/etc/passwd'],
    ['/assets/..%2f..%2fpackage.json'],
    ['/csp.json'],
  ])('%s returns no file', async (url) => {
    const response = await app.inject(url);
    expect(response.body).not.toContain('"name"');
    expect(response.body).not.toContain('sha256');
    expect(response.body).not.toContain('root:');
  });
});

describe('readiness', () => {
  it('fails while the database is unreachable; liveness does not', async () => {
    const broken = await createApp({}, false);
    const ready = await broken.inject('/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ status: 'failing', checks: { database: 'failing' } });
    expect((await broken.inject('/health')).statusCode).toBe(200);
  });
});

describe('loadInstance', () => {
  it.each(['', '{', '[]', '{"userPoolId":"local_a"}'])(
    'refuses a damaged file and does not replace it: %j',
    async (text) => {
      const damaged = join(directory, 'damaged');
      await mkdir(damaged, { recursive: true });
      await writeFile(join(damaged, 'secrets.json'), text);
      await expect(loadInstance(damaged)).rejects.toThrow(/secrets\.json: is damaged/);
      expect(await readFile(join(damaged, 'secrets.json'), 'utf8')).toBe(text);
    },
  );

  it('creates the secrets once, readable by their owner only', async () => {
    expect(await loadInstance(join(directory, 'data'))).toEqual(instance);
    const { mode } = await stat(join(directory, 'data/secrets.json'));
    expect(mode & 0o077).toBe(0);
  });
});
