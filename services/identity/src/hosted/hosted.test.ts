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
    const spanish = createBrowser(pool.app, { 'accept-language': 'es-PE' });
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

  it('[IDP-02] runs no script, is in no frame, is stored nowhere, is read by no other origin', async () => {
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
    ['nobody’s address', { email: 'nobody@escucho.test' }, 'Incorrect email or password.'],
    ['nothing', { email: '', password: '' }, 'Incorrect email or password.'],
    ['a control character', { email: 'a\u0000@b.test' }, 'Incorrect email or password.'],
  ])('[IDP-02] %s is answered on the page, with what was typed but the password', async (_, more, words) => {
    const browser = createBrowser(pool.app);
    const form = parseForm((await browser.openSignInPage(query)).body);
    const answer = await browser.post(form.action, { ...form.fields, email, password, ...more });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(words);
    expect(answer.body).not.toContain('Wrong2026');
    expect(browser.cookies.has('escucho-session')).toBe(false);
  });

  it('[IDP-03] locks out here as at the JSON operations, and for both together', async () => {
    const person = await pool.createUser();
    const browser = createBrowser(pool.app);
    for (let tries = 0; tries < 5; tries += 1) await browser.signIn(query, person.email, 'Wrong2026');
    const answer = await browser.signIn(query, person.email, password);
    expect(answer.body).toContain('Too many attempts.');
    expect((await pool.signIn(person.email)).at('message')).toBe('Password attempts exceeded');
  });

  it('[IDP-02] explains that an account is unconfirmed only with the right password', async () => {
    const unconfirmed = 'unconfirmed@escucho.test';
    await pool.signUp(unconfirmed);
    const answer = await createBrowser(pool.app).signIn(query, unconfirmed, password);
    expect(answer.body).toContain('This account is not confirmed yet.');
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

describe('its cookies', () => {
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
    const answer = await browser.signIn(query, email, password);
    const cookie = answer.cookies.find(({ name }) => name === '__Host-escucho-session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', secure: true, path: '/' });
    await safe.app.close();
  });

  it('[IDP-02] a session value fixed by an attacker is ignored', async () => {
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
  ])('[IDP-02] with %s signs nobody in and counts no failure', async (_, more) => {
    const person = await pool.createUser();
    const other =
      parseForm((await createBrowser(pool.app).openSignInPage(query)).body).fields.form_token ?? '';
    for (const browser of [createBrowser(pool.app), createBrowser(pool.app)]) {
      for (let tries = 0; tries < 6; tries += 1) {
        const fields = Object.fromEntries(
          Object.entries(more).map(([name, value]) => [name, value.replace('OTHER', other)]),
        );
        const given = { email: person.email, password: 'Wrong2026', ...fields };
        const answer = await browser.post(`/identity/login?${query}`, given);
        expect(answer.statusCode).toBe(400);
        expect(browser.cookies.has('escucho-session')).toBe(false);
      }
    }
    expect((await pool.signIn(person.email)).status).toBe(200);
  });

  it('[IDP-02] to another redirectUri than the page was for is refused', async () => {
    const browser = createBrowser(pool.app);
    const form = parseForm((await browser.openSignInPage(query)).body);
    const action = form.action.replace(
      encodeURIComponent(redirectUri),
      encodeURIComponent('https://evil.example'),
    );
    const answer = await browser.post(action, { ...form.fields, email, password });
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });
});

describe('/oauth2/userInfo', () => {
  const info = (token: string) =>
    pool.app.inject({ url: '/identity/oauth2/userInfo', headers: { authorization: `Bearer ${token}` } });

  async function tokens(scope: string) {
    const asked = buildAuthorizationQuery(challenge, { scope });
    const back = getLocation(await createBrowser(pool.app).signIn(asked, email, password));
    return (await exchangeCode(pool.app, back.searchParams.get('code') ?? '', verifier)).json();
  }

  it('[IDP-02] returns the claims of the scopes', async () => {
    const narrow = (await info((await tokens('openid')).access_token)).json();
    expect(narrow).toEqual({ sub, username: sub });
    const wider = (await info((await tokens('openid email')).access_token)).json();
    expect(wider).toEqual({ sub, username: sub, email, email_verified: 'true' });
  });

  it('[IDP-02] takes no token without openid, no id token, none of an ended session', async () => {
    const given = await tokens('openid email');
    expect((await info((await tokens('email')).access_token)).statusCode).toBe(401);
    const refused = await info(given.id_token);
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
    expect((await pool.withClockAdvanced(3_600_000, () => info(given.access_token))).statusCode).toBe(401);
    expect((await pool.app.inject('/identity/oauth2/userInfo')).statusCode).toBe(401);
  });

  it('[IDP-02] refuses tokens with alg none, with the public key as secret, or of another key', async () => {
    const { access_token: good } = await tokens('openid email');
    const claims = decodeJwt(good);
    const [known] = await listPublicKeys(db);
    const key = await getSigningKey(db, createSecrets(secret, poolId), 'access', new Date());
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
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
      await new SignJWT(claims).setProtectedHeader(rs256).sign(stranger.privateKey),
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
