import { describe, expect, it } from 'vitest';
import {
  authorize,
  baseUrl,
  buildAuthorizationQuery,
  createPkce,
  exchangeCode,
  getErrorCode,
  getLocation,
  logoutUri,
  oauthOptions,
  postForm,
  redirectUri,
} from '../testing/browser.ts';
import { clientId, createTestPool, password } from '../testing/pool.ts';

const { pool } = await createTestPool({ oauth: oauthOptions });
const { email } = await pool.createUser();
const user = { email, password };

describe('an authorization request', () => {
  const request = (query: string) => pool.app.inject(`/identity/oauth2/authorize?${query}`);
  const { challenge } = createPkce();

  it.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'somebodyelse' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a redirect URI of another host', { redirect_uri: 'https://evil.example/auth/sign-in' }],
    ['a redirect URI below a registered one', { redirect_uri: `${redirectUri}/more` }],
    ['a registered redirect URI with a query', { redirect_uri: `${redirectUri}?next=//evil.example` }],
    ['a registered redirect URI with a fragment', { redirect_uri: `${redirectUri}#x` }],
    ['a registered redirect URI in capitals', { redirect_uri: redirectUri.toUpperCase() }],
    [
      'a registered redirect URI before an @',
      { redirect_uri: 'http://localhost:3000@evil.example/auth/sign-in' },
    ],
    ['a path with dot segments', { redirect_uri: 'http://localhost:3000/auth/../auth/sign-in' }],
    ['a logout URI', { redirect_uri: logoutUri }],
    [
      'a line break in the redirect URI',
      { redirect_uri: `${redirectUri}\r\nlocation: https://evil.example` },
    ],
  ])('[IDP-02] with %s shows an error page, without a redirect', async (_, overrides) => {
    const response = await request(buildAuthorizationQuery(challenge, overrides));
    expect(response.statusCode).toBe(400);
    expect(response.headers.location).toBeUndefined();
    expect(response.headers['content-type']).toContain('text/html');
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
  ])('[IDP-02] with %s redirects to the app with the error', async (_, overrides, error) => {
    const response = await request(buildAuthorizationQuery(challenge, overrides));
    expect(response.statusCode).toBe(302);
    const callback = getLocation(response);
    expect(`${callback.origin}${callback.pathname}`).toBe(redirectUri);
    const parameters = Object.is(Reflect.get(overrides, 'response_type'), 'token')
      ? new URLSearchParams(callback.hash.slice(1))
      : callback.searchParams;
    expect(parameters.get('error')).toBe(error);
    expect(parameters.get('state')).toBe('app-state');
    expect(parameters.has('code')).toBe(false);
  });

  it('[IDP-02] with a parameter twice is refused', async () => {
    expect(
      (await request(`${buildAuthorizationQuery(challenge)}&redirect_uri=https://evil.example`)).statusCode,
    ).toBe(400);
    const repeated = await request(`${buildAuthorizationQuery(challenge)}&scope=openid`);
    expect(getLocation(repeated).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('/oauth2/revoke and /logout', () => {
  it('[IDP-02] revokes a session; ignores unknown tokens, refuses access tokens', async () => {
    const { code, verifier } = await authorize(pool.app, user);
    const { refresh_token: token, access_token: access } = (
      await exchangeCode(pool.app, code, verifier)
    ).json();
    const revoke = (value: string) =>
      postForm(pool.app, '/oauth2/revoke', { client_id: clientId, token: value });
    const revoked = await revoke(token);
    expect([revoked.statusCode, revoked.body]).toEqual([200, '']);
    expect((await pool.refresh(token)).status).toBe(400);
    expect((await revoke('unknown')).statusCode).toBe(200);
    expect(getErrorCode(await revoke(access))).toBe('unsupported_token_type');
    expect(getErrorCode(await postForm(pool.app, '/oauth2/revoke', { client_id: clientId }))).toBe(
      'invalid_request',
    );
  });

  it('[IDP-02] signing out ends the session on the server, also for a copy of the cookie', async () => {
    const { browser, query } = await authorize(pool.app, user);
    const copy = new Map(browser.cookies);
    const redirect = await browser.get(`${baseUrl}/logout?client_id=${clientId}&logout_uri=${logoutUri}`);
    expect(getLocation(redirect).href).toBe(logoutUri);
    for (const [name, value] of copy) browser.cookies.set(name, value);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it('[IDP-02] signing out to a redirect URI of the app leads to the sign-in page', async () => {
    const { browser, query } = await authorize(pool.app, user);
    expect(getLocation(await browser.get(`${baseUrl}/logout?${query}`)).pathname).toBe('/identity/login');
    expect(browser.cookies.has('escucho-session')).toBe(false);
  });

  it.each([
    ['without a challenge, as Cognito’s own examples do', ['code_challenge', 'code_challenge_method']],
    ['without a response_type', ['response_type']],
  ])('[IDP-02] signing out to a redirect URI of the app %s ends the session', async (_, missing) => {
    const { browser, query } = await authorize(pool.app, user);
    const incomplete = new URLSearchParams(query);
    for (const name of missing) incomplete.delete(name);
    const redirect = getLocation(await browser.get(`${baseUrl}/logout?${incomplete}`));
    expect(`${redirect.origin}${redirect.pathname}`).toBe(redirectUri);
    expect(redirect.searchParams.get('error')).toBe('invalid_request');
    expect(browser.cookies.has('escucho-session')).toBe(false);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`)).pathname).toBe(
      '/identity/login',
    );
  });

  it.each([
    ['another client', `client_id=x&logout_uri=${logoutUri}`],
    ['an address that is not registered', `client_id=${clientId}&logout_uri=https://evil.example`],
    ['a redirect URI', `client_id=${clientId}&logout_uri=${redirectUri}`],
    ['nothing', ''],
  ])('[IDP-02] logout with %s neither redirects nor signs out', async (_, query) => {
    const { browser, query: authorizationQuery } = await authorize(pool.app, user);
    const redirect = await browser.get(`${baseUrl}/logout?${query}`);
    expect([redirect.statusCode, redirect.headers.location]).toEqual([400, undefined]);
    expect(getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${authorizationQuery}`)).pathname).toBe(
      '/auth/sign-in',
    );
  });
});
