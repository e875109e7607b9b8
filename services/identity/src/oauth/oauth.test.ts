import { createHash } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import {
  baseUrl,
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  logoutUri,
  oauthOptions,
  postForm,
  redirectUri,
} from '../testing/browser.ts';
import { clientId, createTestPool, issuer, password, poolId, startPool } from '../testing/pool.ts';
import { createPublicKeyResolver } from '../tokens/keys.ts';

const { connection, pool } = await createTestPool({ oauth: oauthOptions });
const implicit = await startPool(connection, { oauth: { ...oauthOptions, implicit: true } });
afterAll(() => implicit.app.close());

const minute = 60_000;
const { email, sub } = await pool.createUser();

/** Signs in at the hosted page; returns the browser, the code and its verifier. */
async function authorized(more: Record<string, string | undefined> = {}, by = pool) {
  const browser = createBrowser(by.app);
  const { verifier, challenge } = createPkce();
  const query = buildAuthorizationQuery(challenge, more);
  const back = getLocation(await browser.signIn(query, email, password));
  return { browser, verifier, challenge, query, back, code: back.searchParams.get('code') ?? '' };
}

const errorOf = (answer: { json(): unknown }) => {
  const body: { error?: string } = Object(answer.json());
  return body.error;
};

describe('the code grant', () => {
  it('[IDP-02] a user signs in on the hosted page, and the app exchanges the code for tokens', async () => {
    const { back, code, verifier } = await authorized({ nonce: 'app-nonce' });
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'state']);
    expect(back.searchParams.get('state')).toBe('app-state');
    const answer = await exchangeCode(pool.app, code, verifier);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
    const body: Record<string, string> = answer.json();
    expect(body).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
    });
    const getKey = createPublicKeyResolver({ connection });
    const options = { issuer, algorithms: ['RS256'], currentDate: pool.clock() };
    const access = await jwtVerify(body.access_token ?? '', getKey, options);
    expect(access.payload).toMatchObject({ sub, scope: 'openid email profile', token_use: 'access' });
    const id = await jwtVerify(body.id_token ?? '', getKey, { ...options, audience: clientId });
    const half = createHash('sha256')
      .update(body.access_token ?? '')
      .digest()
      .subarray(0, 16);
    expect(id.payload).toMatchObject({ sub, email, nonce: 'app-nonce', at_hash: half.toString('base64url') });
  });

  it('[IDP-02] a signed-in browser needs no password, except with prompt=login', async () => {
    const { browser } = await authorized();
    const { challenge, verifier } = createPkce();
    const again = await browser.get(`${baseUrl}/oauth2/authorize?${buildAuthorizationQuery(challenge)}`);
    const code = getLocation(again).searchParams.get('code') ?? '';
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
    const forced = buildAuthorizationQuery(challenge, { prompt: 'login' });
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${forced}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it('[IDP-02] the cookie is good for an hour', async () => {
    const { browser, query } = await authorized();
    const path = async () => getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname;
    expect(await path()).toBe('/auth/sign-in');
    expect(await pool.withClockAdvanced(60 * minute, path)).toBe('/identity/login');
  });

  it('[IDP-02] prompt=none never shows a page', async () => {
    const stranger = createBrowser(pool.app);
    const query = buildAuthorizationQuery(createPkce().challenge, { prompt: 'none' });
    const back = getLocation(await stranger.get(`${baseUrl}/oauth2/authorize?${query}`));
    expect(back.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(back.searchParams.get('error')).toBe('login_required');
  });

  it('[IDP-02] prompt=none leads to no other provider either, and lets in who is signed in', async () => {
    const trial = await startPool(connection, { oauth: { ...oauthOptions, simulateProviders: true } });
    const quiet = buildAuthorizationQuery(createPkce().challenge, {
      prompt: 'none',
      identity_provider: 'Google',
    });
    const stranger = getLocation(await createBrowser(trial.app).get(`${baseUrl}/oauth2/authorize?${quiet}`));
    expect(stranger.searchParams.get('error')).toBe('login_required');
    const { browser } = await authorized();
    const known = createBrowser(trial.app);
    for (const [name, value] of browser.cookies) known.cookies.set(name, value);
    const back = getLocation(await known.get(`${baseUrl}/oauth2/authorize?${quiet}`));
    expect([back.searchParams.has('code'), back.searchParams.get('error')]).toEqual([true, null]);
    await trial.app.close();
  });

  it.each(['select_account', 'consent', 'login consent'])(
    '[IDP-02] prompt=%s shows the page to who is signed in',
    async (prompt) => {
      const { browser } = await authorized();
      const query = buildAuthorizationQuery(createPkce().challenge, { prompt });
      expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
        '/identity/login',
      );
    },
  );

  it('[IDP-02] state is returned unchanged', async () => {
    const state = 'a b+c&d=e%20f#g?h/é💥"<';
    const { back } = await authorized({ state });
    expect(back.searchParams.get('state')).toBe(state);
  });

  it('[IDP-02] without openid there is no id token; without a scope all are granted', async () => {
    const narrow = await authorized({ scope: 'email' });
    const body = (await exchangeCode(pool.app, narrow.code, narrow.verifier)).json();
    expect(body).not.toHaveProperty('id_token');
    const wide = await authorized({ scope: undefined });
    const all = (await exchangeCode(pool.app, wide.code, wide.verifier)).json();
    const { scope } = decodeJwt(all.access_token);
    expect(scope).toBe('openid email profile phone aws.cognito.signin.user.admin');
    expect((await pool.call('GetUser', { AccessToken: all.access_token })).at('Username')).toBe(sub);
    expect((await pool.call('GetUser', { AccessToken: body.access_token })).error).toBe(
      'NotAuthorizedException: Access Token does not have required scopes',
    );
  });

  it('[IDP-02] its refresh token works at both APIs, with the same scope', async () => {
    const { code, verifier } = await authorized();
    const { refresh_token: token } = (await exchangeCode(pool.app, code, verifier)).json();
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token };
    const answer = await postForm(pool.app, '/oauth2/token', form);
    expect(Object.keys(answer.json()).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'token_type',
    ]);
    const access = (await pool.refresh(token)).at('AuthenticationResult', 'AccessToken');
    expect(decodeJwt(access).scope).toBe('openid email profile');
    expect(decodeJwt(answer.json().access_token).scope).toBe('openid email profile');
  });
});

describe('a code', () => {
  it('[IDP-02] redeemed twice ends what it gave the first time', async () => {
    const { code, verifier } = await authorized();
    const { refresh_token: token, access_token: access } = (
      await exchangeCode(pool.app, code, verifier)
    ).json();
    expect(errorOf(await exchangeCode(pool.app, code, verifier))).toBe('invalid_grant');
    expect((await pool.refresh(token)).error).toBe('NotAuthorizedException: Refresh Token has been revoked');
    const headers = { authorization: `Bearer ${access}` };
    expect((await pool.app.inject({ url: '/identity/oauth2/userInfo', headers })).statusCode).toBe(401);
  });

  it('[IDP-02] redeemed twice at once gives tokens once at most', async () => {
    const { code, verifier } = await authorized();
    const answers = await Promise.all([1, 2, 3].map(() => exchangeCode(pool.app, code, verifier)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400, 400]);
  });

  it('[IDP-02] is good for five minutes', async () => {
    const { code, verifier } = await authorized();
    const late = await pool.withClockAdvanced(5 * minute, () => exchangeCode(pool.app, code, verifier));
    expect(errorOf(late)).toBe('invalid_grant');
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
  });

  it.each([
    ['another verifier', { code_verifier: createPkce().verifier }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: 'CHALLENGE' }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another registered target', { redirect_uri: 'http://127.0.0.1:3000/auth/sign-in' }, 'invalid_grant'],
    ['another client', { client_id: 'somebodyelse' }, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('[IDP-02] is not redeemed with %s, and stays good', async (_, more, error) => {
    const { code, verifier, challenge } = await authorized();
    const bent = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, value.replace('CHALLENGE', challenge)]),
    );
    const refused = await exchangeCode(pool.app, code, verifier, bent);
    expect(refused.statusCode).toBe(400);
    expect(errorOf(refused)).toBe(error);
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
  });

  it('[IDP-02] is revoked with the sessions of its user', async () => {
    const { code, verifier, browser, query } = await authorized({ scope: undefined });
    const AccessToken = (await pool.signIn(email)).at('AuthenticationResult', 'AccessToken');
    await pool.call('GlobalSignOut', { AccessToken });
    expect(errorOf(await exchangeCode(pool.app, code, verifier))).toBe('invalid_grant');
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });
});

describe('an authorization', () => {
  const ask = (query: string, by = pool) => by.app.inject(`/identity/oauth2/authorize?${query}`);
  const { challenge } = createPkce();

  it.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'somebodyelse' }],
    ['no target', { redirect_uri: undefined }],
    ['a redirect URI of another host', { redirect_uri: 'https://evil.example/auth/sign-in' }],
    ['a redirect URI below a registered one', { redirect_uri: `${redirectUri}/more` }],
    ['a registered redirect URI with a query', { redirect_uri: `${redirectUri}?next=//evil.example` }],
    ['a registered redirect URI with a fragment', { redirect_uri: `${redirectUri}#x` }],
    ['a registered redirect URI in capitals', { redirect_uri: redirectUri.toUpperCase() }],
    [
      'a registered redirect URI before an @',
      { redirect_uri: 'http://localhost:3000@evil.example/auth/sign-in' },
    ],
    ['a path that climbs', { redirect_uri: 'http://localhost:3000/auth/../auth/sign-in' }],
    ['a sign-out target', { redirect_uri: logoutUri }],
    ['a line break in the target', { redirect_uri: `${redirectUri}\r\nlocation: https://evil.example` }],
  ])('[IDP-02] with %s is shown on a page, never redirected', async (_, more) => {
    const answer = await ask(buildAuthorizationQuery(challenge, more));
    expect(answer.statusCode).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['content-type']).toContain('text/html');
  });

  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['an implicit grant that is not allowed', { response_type: 'token' }, 'unauthorized_client'],
    ['an unknown scope', { scope: 'openid admin' }, 'invalid_scope'],
    ['an unknown identity provider', { identity_provider: 'Evil' }, 'invalid_request'],
    ['a provider that is not set up', { identity_provider: 'Google' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    [
      'no challenge nor method',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['a prompt that contradicts itself', { prompt: 'none login' }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    [
      'a challenge without method, which means plain',
      { code_challenge_method: undefined },
      'invalid_request',
    ],
    ['a challenge that is no hash', { code_challenge: 'short' }, 'invalid_request'],
  ])('[IDP-02] with %s is answered to the app', async (_, more, error) => {
    const answer = await ask(buildAuthorizationQuery(challenge, more));
    expect(answer.statusCode).toBe(302);
    const back = getLocation(answer);
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    const answered = Object.is(Reflect.get(more, 'response_type'), 'token')
      ? new URLSearchParams(back.hash.slice(1))
      : back.searchParams;
    expect(answered.get('error')).toBe(error);
    expect(answered.get('state')).toBe('app-state');
    expect(answered.has('code')).toBe(false);
  });

  it('[IDP-02] with a parameter twice is refused', async () => {
    expect(
      (await ask(`${buildAuthorizationQuery(challenge)}&redirect_uri=https://evil.example`)).statusCode,
    ).toBe(400);
    const twice = await ask(`${buildAuthorizationQuery(challenge)}&scope=openid`);
    expect(getLocation(twice).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('the implicit grant', () => {
  it('[IDP-02] where allowed, hands tokens over in the fragment, and no refresh token', async () => {
    const more = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined };
    const { back } = await authorized(more, implicit);
    expect(back.search).toBe('');
    const given = new URLSearchParams(back.hash.slice(1));
    expect([...given.keys()].sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'state',
      'token_type',
    ]);
    const headers = { authorization: `Bearer ${given.get('access_token')}` };
    const info = await implicit.app.inject({ url: '/identity/oauth2/userInfo', headers });
    expect(info.json()).toEqual({ sub, username: sub, email, email_verified: 'true' });
  });
});

describe('/oauth2/revoke and /logout', () => {
  it('[IDP-02] revokes a session; ignores unknown tokens, refuses access tokens', async () => {
    const { code, verifier } = await authorized();
    const { refresh_token: token, access_token: access } = (
      await exchangeCode(pool.app, code, verifier)
    ).json();
    const revoke = (given: string) =>
      postForm(pool.app, '/oauth2/revoke', { client_id: clientId, token: given });
    const revoked = await revoke(token);
    expect([revoked.statusCode, revoked.body]).toEqual([200, '']);
    expect((await pool.refresh(token)).status).toBe(400);
    expect((await revoke('unknown')).statusCode).toBe(200);
    expect(errorOf(await revoke(access))).toBe('unsupported_token_type');
    expect(errorOf(await postForm(pool.app, '/oauth2/revoke', { client_id: clientId }))).toBe(
      'invalid_request',
    );
  });

  it('[IDP-02] signing out ends the session on the server, also for a copy of the cookie', async () => {
    const { browser, query } = await authorized();
    const copy = new Map(browser.cookies);
    const out = await browser.get(`${baseUrl}/logout?client_id=${clientId}&logout_uri=${logoutUri}`);
    expect(getLocation(out).href).toBe(logoutUri);
    for (const [name, value] of copy) browser.cookies.set(name, value);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it('[IDP-02] signing out to a redirect URI of the app leads to the sign-in page', async () => {
    const { browser, query } = await authorized();
    expect(getLocation(await browser.get(`${baseUrl}/logout?${query}`)).pathname).toBe('/identity/login');
    expect(browser.cookies.has('escucho-session')).toBe(false);
  });

  it.each([
    ['without a challenge, as Cognito’s own examples do', ['code_challenge', 'code_challenge_method']],
    ['without a response_type', ['response_type']],
  ])('[IDP-02] signing out to a redirect URI of the app %s ends the session', async (_, missing) => {
    const { browser, query } = await authorized();
    const less = new URLSearchParams(query);
    for (const name of missing) less.delete(name);
    const out = getLocation(await browser.get(`${baseUrl}/logout?${less}`));
    expect(`${out.origin}${out.pathname}`).toBe(redirectUri);
    expect(out.searchParams.get('error')).toBe('invalid_request');
    expect(browser.cookies.has('escucho-session')).toBe(false);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it.each([
    ['another client', `client_id=x&logout_uri=${logoutUri}`],
    ['an address that is not registered', `client_id=${clientId}&logout_uri=https://evil.example`],
    ['a sign-in target', `client_id=${clientId}&logout_uri=${redirectUri}`],
    ['nothing', ''],
  ])('[IDP-02] logout with %s neither redirects nor signs out', async (_, query) => {
    const { browser, query: asked } = await authorized();
    const out = await browser.get(`${baseUrl}/logout?${query}`);
    expect([out.statusCode, out.headers.location]).toEqual([400, undefined]);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${asked}`)).pathname).toBe(
      '/auth/sign-in',
    );
  });
});

it('[IDP-02] the discovery document lists every endpoint', async () => {
  const url = (by: typeof pool) => by.app.inject(`/identity/${poolId}/.well-known/openid-configuration`);
  expect((await url(pool)).json()).toMatchObject({
    issuer,
    authorization_endpoint: `${baseUrl}/oauth2/authorize`,
    token_endpoint: `${baseUrl}/oauth2/token`,
    userinfo_endpoint: `${baseUrl}/oauth2/userInfo`,
    revocation_endpoint: `${baseUrl}/oauth2/revoke`,
    end_session_endpoint: `${baseUrl}/logout`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
  expect((await url(implicit)).json().response_types_supported).toEqual(['code', 'token']);
});
