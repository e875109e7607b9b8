import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { prepareProduct } from './testing/product.ts';

const { createApp } = await prepareProduct();
const app = await createApp();

describe('the web app', () => {
  it.each([['/'], ['/discover'], ['/articles/search/a%20b'], ['/index.html']])(
    '%s is index.html, revalidated on every request',
    async (url) => {
      const response = await app.inject(url);
      expect(response.body).toContain('<title>Escucho</title>');
      expect(response.headers['cache-control']).toBe('no-cache');
    },
  );

  it.each([
    ['the cookie', { cookie: 'a=b; language=es', 'accept-language': 'en' }, 'es'],
    ['Accept-Language', { 'accept-language': 'fr, es-CL;q=0.8, en;q=0.7' }, 'es'],
    ['Accept-Language where the cookie is unknown', { cookie: 'language=fr', 'accept-language': 'es' }, 'es'],
    ['nothing', {}, 'en'],
  ])('[SHELL-08] sends a prerendered page in the language of %s', async (_, headers, language) => {
    const response = await app.inject({ url: '/Auth/sign-in/?returnTo=/library', headers });
    expect(response.body).toContain(`<html lang="${language}">`);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      vary: 'accept-language, cookie, accept-encoding',
    });
    const url = '/auth/sign-in';
    const again = await app.inject({
      url,
      headers: { ...headers, 'if-none-match': String(response.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    const other = { 'accept-language': language === 'en' ? 'es' : 'en' };
    expect((await app.inject({ url, headers: other })).headers.etag).not.toBe(response.headers.etag);
  });

  it.each([['en'], ['es']])('[SHELL-08] sends index.html in the visitor’s language: %s', async (language) => {
    const { body, headers } = await app.inject({
      url: '/discover',
      headers: { 'accept-language': language },
    });
    expect(body).toContain(`<html lang="${language}">`);
    expect(headers.vary).toBe('accept-language, cookie, accept-encoding');
  });

  it('compresses prerendered pages, whose addresses have the origin of PUBLIC_URL', async () => {
    const server = await createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example' });
    const url = '/auth/sign-in';
    const { headers, rawPayload } = await server.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(headers['content-encoding']).toBe('br');
    const html = brotliDecompressSync(rawPayload).toString();
    expect(html).toContain('href="https://escucho.example/a"');
    expect((await server.inject(url)).body).toBe(html);
  });

  it('[ROUTE-01] sends the page of sign-in for /auth', async () => {
    expect((await app.inject('/auth')).body).toBe((await app.inject('/auth/sign-in')).body);
  });

  it.each([['/nowhere'], ['/discover/more'], ['/not-found'], ['/pages/en/auth/sign-in.html']])(
    '[SHELL-11] %s is answered by the not-found page with status 404',
    async (url) => {
      const { statusCode, body } = await app.inject({ url, headers: { 'accept-language': 'es' } });
      expect([statusCode, body]).toEqual([404, '<html lang="es"><h1>Nada</h1>']);
    },
  );

  it.each([
    ['/articles/search/%', '/articles/search/a', 200],
    ['/nowhere/%', '/nowhere', 404],
  ])('[SHELL-11] the malformed %s is answered as %s', async (url, wellFormed, status) => {
    const { statusCode, headers, body } = await app.inject(url);
    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(body).toBe((await app.inject(wellFormed)).body);
  });

  it('robots.txt names the sitemap, which lists the indexed pages', async () => {
    const server = await createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example' });
    expect((await server.inject('/robots.txt')).body).toContain(
      'Sitemap: https://escucho.example/sitemap.xml',
    );
    const { body, headers } = await server.inject('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(body.match(/<loc>.*<\/loc>/g)).toEqual(['<loc>https://escucho.example/auth/sign-in</loc>']);
  });

  it('hashed files are cached for a year, and missing ones are 404', async () => {
    const file = await app.inject('/assets/main-abc.js');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    // Caches keep each compressed form apart.
    expect(file.headers.vary).toBe('accept-encoding');
    expect((await app.inject('/assets/main-old.js')).statusCode).toBe(404);
  });

  it.each([['/.env'], ['/wp-login.php'], ['/csp.json'], ['/pages.json']])('%s is 404', async (url) =>
    expect((await app.inject(url)).statusCode).toBe(404),
  );

  // Comparing each dot with all that follow takes a minute.
  it('a path of 200,000 dots is 404 at once', { timeout: 10_000 }, async () => {
    expect((await app.inject(`/${'.'.repeat(200_000)}/`)).statusCode).toBe(404);
  });

  it('/favicon.ico redirects to the icon', async () => {
    const { statusCode, headers } = await app.inject('/favicon.ico');
    expect([statusCode, headers.location]).toEqual([302, '/favicon.svg']);
  });

  it('password managers find where passwords and passkeys are changed', async () => {
    const server = await createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example' });
    const { statusCode, headers } = await server.inject('/.well-known/change-password');
    expect([statusCode, headers.location]).toEqual([302, '/settings/profile']);
    const settings = 'https://escucho.example/settings/security';
    expect((await server.inject('/.well-known/passkey-endpoints')).json()).toEqual({
      enroll: settings,
      manage: settings,
    });
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
    expect(policy).toContain("object-src 'none'");
  });

  it('denies devices, type sniffing and foreign referrers, and sends HSTS only with https', async () => {
    const [plain, secure] = await Promise.all([
      app.inject('/'),
      createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example' }).then((https) => https.inject('/')),
    ]);
    expect(plain.headers['permissions-policy']).toBe('camera=(), geolocation=(), microphone=()');
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    expect(plain.headers['referrer-policy']).toBe('same-origin');
    expect(plain.headers['strict-transport-security']).toBeUndefined();
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('sends the same headers for a malformed URL, with the error body', async () => {
    const malformed = await app.inject('/api/%');
    expect([malformed.statusCode, malformed.json().error.code]).toEqual([400, 'invalid_request']);
    const { headers } = await app.inject('/');
    for (const name of ['content-security-policy', 'permissions-policy', 'x-content-type-options'])
      expect(malformed.headers[name]).toBe(headers[name]);
    expect(malformed.headers['x-request-id']).toBe(malformed.json().error.requestId);
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
