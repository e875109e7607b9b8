import { createHash } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  authorize,
  baseUrl,
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getErrorCode,
  getLocation,
  oauthOptions,
  postForm,
  redirectUri,
} from '../testing/browser.ts';
import { clientId, createTestPool, issuer, password, poolId, startPool } from '../testing/pool.ts';
import { createPublicKeyResolver } from '../tokens/keys.ts';

const { connection, pool } = await createTestPool({ oauth: oauthOptions });
const implicit = await startPool(connection, { oauth: { ...oauthOptions, implicit: true } });

const minute = 60_000;
const { email, sub } = await pool.createUser();

const user = { email, password };

describe('the code grant', () => {
  it('[IDP-02] a user signs in on the hosted page, and the app exchanges the code for tokens', async () => {
    const { callback, code, verifier } = await authorize(pool.app, user, { nonce: 'app-nonce' });
    expect(`${callback.origin}${callback.pathname}`).toBe(redirectUri);
    expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'state']);
    expect(callback.searchParams.get('state')).toBe('app-state');
    const response = await exchangeCode(pool.app, code, verifier);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    const body: Record<string, string> = response.json();
    expect(body).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
    });
    const getKey = createPublicKeyResolver(connection);
    const options = { issuer, algorithms: ['RS256'], currentDate: pool.clock() };
    const access = await jwtVerify(body.access_token ?? '', getKey, options);
    expect(access.payload).toMatchObject({ sub, scope: 'openid email profile', token_use: 'access' });
    const id = await jwtVerify(body.id_token ?? '', getKey, { ...options, audience: clientId });
    const accessTokenHash = createHash('sha256')
      .update(body.access_token ?? '')
      .digest()
      .subarray(0, 16);
    expect(id.payload).toMatchObject({
      sub,
      email,
      nonce: 'app-nonce',
      at_hash: accessTokenHash.toString('base64url'),
    });
  });

  it('[IDP-02] a signed-in browser needs no password, except with prompt=login', async () => {
    const { browser } = await authorize(pool.app, user);
    const { challenge, verifier } = createPkce();
    const redirect = await browser.get(`${baseUrl}/oauth2/authorize?${buildAuthorizationQuery(challenge)}`);
    const code = getLocation(redirect).searchParams.get('code') ?? '';
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
    const forced = buildAuthorizationQuery(challenge, { prompt: 'login' });
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${forced}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it('[IDP-02] the session of the hosted page expires after an hour', async () => {
    const { browser, query } = await authorize(pool.app, user);
    const path = async () => getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname;
    expect(await path()).toBe('/auth/sign-in');
    expect(await pool.withClockAdvanced(60 * minute, path)).toBe('/identity/login');
  });

  it('[IDP-02] prompt=none never shows a page', async () => {
    const otherBrowser = createBrowser(pool.app);
    const query = buildAuthorizationQuery(createPkce().challenge, { prompt: 'none' });
    const callback = getLocation(await otherBrowser.get(`${baseUrl}/oauth2/authorize?${query}`));
    expect(callback.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(callback.searchParams.get('error')).toBe('login_required');
  });

  it('[IDP-02] prompt=none with a provider returns login_required, or a code if signed in', async () => {
    const simulated = await startPool(connection, { oauth: { ...oauthOptions, simulateProviders: true } });
    const silentQuery = buildAuthorizationQuery(createPkce().challenge, {
      prompt: 'none',
      identity_provider: 'Google',
    });
    const otherCallback = getLocation(
      await createBrowser(simulated.app).get(`${baseUrl}/oauth2/authorize?${silentQuery}`),
    );
    expect(otherCallback.searchParams.get('error')).toBe('login_required');
    const { browser } = await authorize(pool.app, user);
    const signedInBrowser = createBrowser(simulated.app);
    for (const [name, value] of browser.cookies) signedInBrowser.cookies.set(name, value);
    const callback = getLocation(await signedInBrowser.get(`${baseUrl}/oauth2/authorize?${silentQuery}`));
    expect([callback.searchParams.has('code'), callback.searchParams.get('error')]).toEqual([true, null]);
  });

  it.each(['select_account', 'consent', 'login consent'])(
    '[IDP-02] prompt=%s shows the page to a signed-in browser',
    async (prompt) => {
      const { browser } = await authorize(pool.app, user);
      const query = buildAuthorizationQuery(createPkce().challenge, { prompt });
      expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
        '/identity/login',
      );
    },
  );

  it('[IDP-02] state is returned unchanged', async () => {
    const state = 'a b+c&d=e%20f#g?h/é💥"<';
    const { callback } = await authorize(pool.app, user, { state });
    expect(callback.searchParams.get('state')).toBe(state);
  });

  it('[IDP-02] without openid there is no id token; without a scope all are granted', async () => {
    const emailScope = await authorize(pool.app, user, { scope: 'email' });
    const body = (await exchangeCode(pool.app, emailScope.code, emailScope.verifier)).json();
    expect(body).not.toHaveProperty('id_token');
    const defaultScope = await authorize(pool.app, user, { scope: undefined });
    const all = (await exchangeCode(pool.app, defaultScope.code, defaultScope.verifier)).json();
    const { scope } = decodeJwt(all.access_token);
    expect(scope).toBe('openid email profile phone aws.cognito.signin.user.admin');
    expect((await pool.call('GetUser', { AccessToken: all.access_token })).at('Username')).toBe(sub);
    expect((await pool.call('GetUser', { AccessToken: body.access_token })).error).toBe(
      'NotAuthorizedException: Access Token does not have required scopes',
    );
  });

  it('[IDP-02] the refresh token works at both APIs, with the same scope', async () => {
    const { code, verifier } = await authorize(pool.app, user);
    const { refresh_token: token } = (await exchangeCode(pool.app, code, verifier)).json();
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token };
    const response = await postForm(pool.app, '/oauth2/token', form);
    expect(Object.keys(response.json()).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'token_type',
    ]);
    const access = (await pool.refresh(token)).at('AuthenticationResult', 'AccessToken');
    expect(decodeJwt(access).scope).toBe('openid email profile');
    expect(decodeJwt(response.json().access_token).scope).toBe('openid email profile');
  });
});

describe('an authorization code', () => {
  it('[IDP-02] redeemed twice revokes the session of the first time', async () => {
    const { code, verifier } = await authorize(pool.app, user);
    const { refresh_token: token, access_token: access } = (
      await exchangeCode(pool.app, code, verifier)
    ).json();
    expect(getErrorCode(await exchangeCode(pool.app, code, verifier))).toBe('invalid_grant');
    expect((await pool.refresh(token)).error).toBe('NotAuthorizedException: Refresh Token has been revoked');
    const headers = { authorization: `Bearer ${access}` };
    expect((await pool.app.inject({ url: '/identity/oauth2/userInfo', headers })).statusCode).toBe(401);
  });

  it('[IDP-02] redeemed concurrently gives tokens once', async () => {
    const { code, verifier } = await authorize(pool.app, user);
    const responses = await Promise.all([1, 2, 3].map(() => exchangeCode(pool.app, code, verifier)));
    expect(responses.map((response) => response.statusCode).sort()).toEqual([200, 400, 400]);
  });

  it('[IDP-02] expires after five minutes', async () => {
    const { code, verifier } = await authorize(pool.app, user);
    const late = await pool.withClockAdvanced(5 * minute, () => exchangeCode(pool.app, code, verifier));
    expect(getErrorCode(late)).toBe('invalid_grant');
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
  });

  it.each([
    ['another verifier', { code_verifier: createPkce().verifier }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: 'CHALLENGE' }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    [
      'another registered redirect URI',
      { redirect_uri: 'http://127.0.0.1:3000/auth/sign-in' },
      'invalid_grant',
    ],
    ['another client', { client_id: 'somebodyelse' }, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('[IDP-02] is not redeemed with %s, and remains valid', async (_, overrides, error) => {
    const { code, verifier, challenge } = await authorize(pool.app, user);
    const fields = Object.fromEntries(
      Object.entries(overrides).map(([name, value]) => [name, value.replace('CHALLENGE', challenge)]),
    );
    const refused = await exchangeCode(pool.app, code, verifier, fields);
    expect(refused.statusCode).toBe(400);
    expect(getErrorCode(refused)).toBe(error);
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
  });

  it('[IDP-02] is revoked with the sessions of its user', async () => {
    const { code, verifier, browser, query } = await authorize(pool.app, user, { scope: undefined });
    const AccessToken = (await pool.signIn(email)).at('AuthenticationResult', 'AccessToken');
    await pool.call('GlobalSignOut', { AccessToken });
    expect(getErrorCode(await exchangeCode(pool.app, code, verifier))).toBe('invalid_grant');
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });
});

describe('the implicit grant', () => {
  const overrides = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined };

  it('[IDP-02] where allowed, returns tokens in the fragment, without a refresh token', async () => {
    const { callback } = await authorize(implicit.app, user, overrides);
    expect(callback.search).toBe('');
    const parameters = new URLSearchParams(callback.hash.slice(1));
    expect([...parameters.keys()].sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'state',
      'token_type',
    ]);
    const headers = { authorization: `Bearer ${parameters.get('access_token')}` };
    const info = await implicit.app.inject({ url: '/identity/oauth2/userInfo', headers });
    expect(info.json()).toEqual({ sub, username: sub, email, email_verified: 'true' });
  });

  it('[IDP-02] returns tokens to more browsers than there are connections', async () => {
    const { browser, query } = await authorize(implicit.app, user, overrides);
    // The keys that sign tokens are read again after a minute.
    const responses = await implicit.withClockAdvanced(60_000, () =>
      Promise.all(Array.from({ length: 20 }, () => browser.get(`${baseUrl}/oauth2/authorize?${query}`))),
    );
    for (const response of responses) expect(getLocation(response).hash).toContain('access_token');
  });
});

it('[IDP-02] the discovery document lists every endpoint', async () => {
  const getDocument = (on: typeof pool) =>
    on.app.inject(`/identity/${poolId}/.well-known/openid-configuration`);
  expect((await getDocument(pool)).json()).toMatchObject({
    issuer,
    authorization_endpoint: `${baseUrl}/oauth2/authorize`,
    token_endpoint: `${baseUrl}/oauth2/token`,
    userinfo_endpoint: `${baseUrl}/oauth2/userInfo`,
    revocation_endpoint: `${baseUrl}/oauth2/revoke`,
    end_session_endpoint: `${baseUrl}/logout`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
  expect((await getDocument(implicit)).json().response_types_supported).toEqual(['code', 'token']);
});
