import { createHash, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../crypto.ts';
import {
  baseUrl,
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  oauthOptions,
  parseForm,
  redirectUri,
} from '../testing/browser.ts';
import { clientId, createTestPool, issuer, password, poolId, secret, startPool } from '../testing/pool.ts';
import { getSigningKey } from '../tokens/keys.ts';
import { listPublicKeys } from '../tokens/repository.ts';

const { connection, pool, db } = await createTestPool({
  oauth: { ...oauthOptions, simulateProviders: true },
});

const { email, sub } = await pool.createUser();
const { challenge, verifier } = createPkce();
const query = buildAuthorizationQuery(challenge);

describe('the sign-in page', () => {
  it('[IDP-02] is in the language of the request, else of the browser', async () => {
    const spanish = createBrowser(pool.app, { headers: { 'accept-language': 'es-PE' } });
    const page = await spanish.openSignInPage(query);
    expect(page.body).toContain('<html lang="es">');
    expect(page.body).toContain('<h1>Iniciar sesión</h1>');
    const english = await spanish.openSignInPage(buildAuthorizationQuery(challenge, { lang: 'en' }));
    expect(english.body).toContain('<h1>Sign in</h1>');
  });

  it('[IDP-02] has autocomplete fields, the other providers, and links to the pages of the app', async () => {
    const { body } = await createBrowser(pool.app).openSignInPage(
      buildAuthorizationQuery(challenge, { login_hint: email }),
    );
    expect(body).toContain('autocomplete="username"');
    expect(body).toContain('autocomplete="current-password"');
    expect(body).toContain(`value="${email}"`);
    expect(body).toContain('identity_provider&#61;Google');
    expect(body).toContain('href="/auth/forgot-password"');
    expect(body).toContain('href="/auth/sign-up"');
  });

  it('[IDP-02] has no scripts, and headers against framing, other origins and caching', async () => {
    const browser = createBrowser(pool.app);
    const { headers, body } = await browser.openSignInPage(query);
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'self' http://localhost:3000",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(body).not.toMatch(/<script| style=| on\w+=/);
  });

  it.each([
    ['another password', { password: 'Wrong2026' }, 'Incorrect email or password.'],
    ['an unknown address', { email: 'nobody@escucho.test' }, 'Incorrect email or password.'],
    ['nothing', { email: '', password: '' }, 'Incorrect email or password.'],
    ['a control character', { email: 'a\u0000@b.test' }, 'Incorrect email or password.'],
  ])('[IDP-02] %s shows an error on the page, without the password', async (_, overrides, message) => {
    const browser = createBrowser(pool.app);
    const form = parseForm((await browser.openSignInPage(query)).body);
    const response = await browser.post(form.action, { ...form.fields, email, password, ...overrides });
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain(message);
    expect(response.body).not.toContain('Wrong2026');
    expect(browser.cookies.has('escucho-session')).toBe(false);
  });

  it('[IDP-03] shares the lockout with the JSON operations', async () => {
    const person = await pool.createUser();
    const browser = createBrowser(pool.app);
    for (let tries = 0; tries < 5; tries += 1) await browser.signIn(query, person.email, 'Wrong2026');
    const response = await browser.signIn(query, person.email, password);
    expect(response.body).toContain('Too many attempts.');
    expect((await pool.signIn(person.email)).at('message')).toBe('Password attempts exceeded');
  });

  it('[IDP-02] explains that an account is unconfirmed only with the right password', async () => {
    const unconfirmed = 'unconfirmed@escucho.test';
    await pool.signUp(unconfirmed);
    const response = await createBrowser(pool.app).signIn(query, unconfirmed, password);
    expect(response.body).toContain('This account is not confirmed yet.');
  });

  it('[IDP-02] takes the accented letters of a password as any device enters them', async () => {
    const accented = 'accented@escucho.test';
    await pool.signUp(accented, { Password: 'Contraseña1' });
    const response = await createBrowser(pool.app).signIn(query, accented, 'Contrasen\u0303a1');
    expect(response.body).toContain('This account is not confirmed yet.');
  });

  it('[IDP-02] escapes the parameters of the request', async () => {
    const attack = '"><script>alert(1)</script>';
    const { body } = await createBrowser(pool.app).openSignInPage(
      buildAuthorizationQuery(challenge, { state: attack, login_hint: attack, nonce: attack }),
    );
    expect(body).not.toContain('<script');
    expect(body).toContain('&#34;&#62;&#60;script&#62;');
  });
});

describe('the cookies', () => {
  it('[IDP-02] are HttpOnly and SameSite=Lax; the session is a new one at each sign-in', async () => {
    const browser = createBrowser(pool.app);
    const first = await browser.signIn(query, email, password);
    const cookie = first.cookies.find(({ name }) => name === 'escucho-session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 3600 });
    expect(cookie).not.toHaveProperty('secure');
    const before = browser.cookies.get('escucho-session') ?? '';
    await browser.signIn(buildAuthorizationQuery(challenge, { prompt: 'login' }), email, password);
    const after = browser.cookies.get('escucho-session');
    expect(after).not.toBe(before);
    browser.cookies.set('escucho-session', before);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it('[IDP-02] under https are Secure and have the __Host- prefix', async () => {
    const addresses: [string] = ['https://escucho.test/identity'];
    const safe = await startPool(connection, { oauth: { ...oauthOptions, addresses } });
    const browser = createBrowser(safe.app);
    const response = await browser.signIn(query, email, password);
    const cookie = response.cookies.find(({ name }) => name === '__Host-escucho-session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', secure: true, path: '/' });
  });

  it('[IDP-02] ignores a session cookie it did not create', async () => {
    const browser = createBrowser(pool.app);
    browser.cookies.set('escucho-session', 'x'.repeat(43));
    expect((await browser.openSignInPage(query)).body).toContain('<h1>Sign in</h1>');
  });
});

describe('a form without a valid token', () => {
  it.each([
    ['no token', {}],
    ['an empty token', { form_token: '' }],
    ['another browser’s token', { form_token: 'OTHER' }],
  ])('[IDP-02] with %s signs nobody in and counts no failure', async (_, overrides) => {
    const person = await pool.createUser();
    const other =
      parseForm((await createBrowser(pool.app).openSignInPage(query)).body).fields.form_token ?? '';
    for (const browser of [createBrowser(pool.app), createBrowser(pool.app)]) {
      for (let tries = 0; tries < 6; tries += 1) {
        const fields = Object.fromEntries(
          Object.entries(overrides).map(([name, value]) => [name, value.replace('OTHER', other)]),
        );
        const body = { email: person.email, password: 'Wrong2026', ...fields };
        const response = await browser.post(`/identity/login?${query}`, body);
        expect(response.statusCode).toBe(400);
        expect(browser.cookies.has('escucho-session')).toBe(false);
      }
    }
    expect((await pool.signIn(person.email)).status).toBe(200);
  });

  it('[IDP-02] refuses another redirect URI than the page had', async () => {
    const browser = createBrowser(pool.app);
    const form = parseForm((await browser.openSignInPage(query)).body);
    const action = form.action.replace(
      encodeURIComponent(redirectUri),
      encodeURIComponent('https://evil.example'),
    );
    const response = await browser.post(action, { ...form.fields, email, password });
    expect([response.statusCode, response.headers.location]).toEqual([400, undefined]);
  });
});

describe('/oauth2/userInfo', () => {
  const info = (token: string) =>
    pool.app.inject({ url: '/identity/oauth2/userInfo', headers: { authorization: `Bearer ${token}` } });

  async function tokens(scope: string) {
    const authorizationQuery = buildAuthorizationQuery(challenge, { scope });
    const callback = getLocation(await createBrowser(pool.app).signIn(authorizationQuery, email, password));
    return (await exchangeCode(pool.app, callback.searchParams.get('code') ?? '', verifier)).json();
  }

  it('[IDP-02] returns the claims of the scopes', async () => {
    const narrow = (await info((await tokens('openid')).access_token)).json();
    expect(narrow).toEqual({ sub, username: sub });
    const wider = (await info((await tokens('openid email')).access_token)).json();
    expect(wider).toEqual({ sub, username: sub, email, email_verified: 'true' });
  });

  it('[IDP-02] refuses tokens without openid, id tokens and expired tokens', async () => {
    const issued = await tokens('openid email');
    expect((await info((await tokens('email')).access_token)).statusCode).toBe(401);
    const refused = await info(issued.id_token);
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
    expect((await pool.withClockAdvanced(3_600_000, () => info(issued.access_token))).statusCode).toBe(401);
    expect((await pool.app.inject('/identity/oauth2/userInfo')).statusCode).toBe(401);
  });

  it('[IDP-02] refuses tokens with alg none, with the public key as secret, or of another key', async () => {
    const { access_token: good } = await tokens('openid email');
    const claims = decodeJwt(good);
    const [known] = await listPublicKeys(db);
    const key = await getSigningKey(db, createSecrets(secret, poolId), 'access', new Date());
    const unpublished = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const published = await exportSPKI(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
    const rs256 = { alg: 'RS256', kid: key.id };
    const [head = '', body = ''] = good.split('.');
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: key.id })
        .sign(Buffer.from(known?.modulus ?? '')),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: key.id })
        .sign(Buffer.from(published)),
      await new SignJWT(claims).setProtectedHeader(rs256).sign(unpublished.privateKey),
      await new SignJWT({ ...claims, iss: 'https://evil.example' })
        .setProtectedHeader(rs256)
        .sign(key.privateKey),
      await new SignJWT({ ...claims, client_id: 'other' }).setProtectedHeader(rs256).sign(key.privateKey),
      `${head}.${body}.`,
      good.slice(0, -4),
      `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url')}.${good.split('.')[2]}`,
    ];
    for (const token of forged) expect((await info(token)).statusCode, token).toBe(401);
    expect((await info(good)).statusCode).toBe(200);
    expect(claims.iss).toBe(issuer);
    expect(claims.client_id).toBe(clientId);
  });
});
