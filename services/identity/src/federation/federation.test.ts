import { decodeJwt } from 'jose';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  baseUrl,
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  oauthOptions,
  redirectUri,
  startFederatedSignIn,
  unescapeHtml,
} from '../testing/browser.ts';
import { createTestLog, createTestPool, startPool } from '../testing/pool.ts';
import { startFakeProvider } from '../testing/provider.ts';

const provider = await startFakeProvider();
const unreachable = await startFakeProvider();
await unreachable.stop();
const graph = `${provider.issuer}/graph`;
const oauth = {
  ...oauthOptions,
  google: { clientId: 'google-client', clientSecret: 'google-secret', issuer: provider.issuer },
  facebook: {
    clientId: 'facebook-client',
    clientSecret: 'facebook-secret',
    endpoints: { dialog: 'https://www.facebook.test/dialog/oauth', graph },
  },
};
const { connection, pool, db } = await createTestPool({ oauth });
afterEach(() => {
  provider.state.behaviour = {};
});
afterAll(provider.stop);

/** Signs in by a provider, and exchanges the code for tokens. */
async function signInWith(providerName: string) {
  const { browser, verifier, url: authorizationUrl } = await startFederatedSignIn(pool.app, providerName);
  const back = getLocation(await browser.get(provider.consent(authorizationUrl)));
  const tokens = (await exchangeCode(pool.app, back.searchParams.get('code') ?? '', verifier)).json();
  return { browser, authorizationUrl, tokens, id: decodeJwt(tokens.id_token) };
}

describe('Google', () => {
  it('[IDP-02] requests a code with PKCE, state and nonce at the discovered endpoint', async () => {
    const { url: authorizationUrl } = await startFederatedSignIn(pool.app, 'Google');
    expect(`${authorizationUrl.origin}${authorizationUrl.pathname}`).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(authorizationUrl.searchParams)).toMatchObject({
      client_id: 'google-client',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${baseUrl}/oauth2/idpresponse`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
    });
  });

  it('[IDP-02] signs in google_<id> with an identities claim, the same user each time', async () => {
    const first = await signInWith('Google');
    expect(provider.matchesVerifier(first.authorizationUrl)).toBe(true);
    expect(provider.state.tokenRequest).toMatchObject({
      client_secret: 'google-secret',
      code: 'provider-code',
    });
    const username = 'google_110169484474386276334';
    expect(first.id).toMatchObject({
      'cognito:username': username,
      email: 'ana.ruiz@gmail.test',
      email_verified: true,
      given_name: 'Ana',
      identities: [
        { userId: '110169484474386276334', providerName: 'Google', providerType: 'Google', primary: 'true' },
      ],
    });
    expect(decodeJwt(first.tokens.access_token).username).toBe(username);
    provider.state.behaviour = { claims: { given_name: 'Anita' } };
    const second = await signInWith('Google');
    expect(second.id.sub).toBe(first.id.sub);
    expect(second.id.given_name).toBe('Anita');
    const query = buildAuthorizationQuery(createPkce().challenge);
    const silent = getLocation(await second.browser.get(`${baseUrl}/oauth2/authorize?${query}`));
    expect(silent.searchParams.has('code')).toBe(true);
  });

  it('[IDP-02] an account with the same address and a password is another account', async () => {
    const { email, sub } = await pool.createUser();
    provider.state.behaviour = { claims: { sub: 'same-address', email } };
    const { id } = await signInWith('Google');
    expect(id.email).toBe(email);
    expect(id.sub).not.toBe(sub);
    expect((await pool.signIn(email)).status).toBe(200);
    const own = (await pool.startSignIn(String(id.sub))).parameters;
    expect(own.USER_ID_FOR_SRP).toBe(id.sub);
    expect((await pool.signIn(String(id.sub))).at('message')).toBe('Incorrect username or password.');
  });

  it('[IDP-02] malformed optional attributes are dropped', async () => {
    const claims = { sub: 'odd', email: 'a\u0000@b.test', given_name: 7, family_name: 'x'.repeat(9000) };
    provider.state.behaviour = { claims };
    const { id } = await signInWith('Google');
    for (const name of ['email', 'given_name', 'family_name']) expect(id).not.toHaveProperty(name);
  });

  it('[IDP-02] a disabled user is refused', async () => {
    provider.state.behaviour = { claims: { sub: 'disabled' } };
    const { id } = await signInWith('Google');
    await db.updateTable('account').set({ enabled: false }).where('id', '=', String(id.sub)).execute();
    const { browser, url: authorizationUrl } = await startFederatedSignIn(pool.app, 'Google');
    const back = getLocation(await browser.get(provider.consent(authorizationUrl)));
    expect(back.searchParams.get('error')).toBe('access_denied');
  });
});

describe('Facebook', () => {
  it('[IDP-02] signs in facebook_<id> with the profile from Graph and an unverified address', async () => {
    const { authorizationUrl, id } = await signInWith('Facebook');
    expect(authorizationUrl.href.startsWith('https://www.facebook.test/dialog/oauth?')).toBe(true);
    expect(authorizationUrl.searchParams.get('scope')).toBe('public_profile email');
    expect(provider.matchesVerifier(authorizationUrl)).toBe(true);
    expect(id).toMatchObject({
      'cognito:username': 'facebook_1020304050',
      email: 'ana@facebook.test',
      email_verified: false,
      identities: [{ providerName: 'Facebook', userId: '1020304050' }],
    });
  });

  it('[IDP-02] a user without an address gets an account', async () => {
    provider.state.behaviour = { graph: { status: 200, body: { id: '77', first_name: 'Ana' } } };
    const { id } = await signInWith('Facebook');
    expect(id).not.toHaveProperty('email');
    expect(id).not.toHaveProperty('email_verified');
  });
});

it.each([
  ['Google', 'prompt', 'select_account'],
  ['Facebook', 'auth_type', 'reauthenticate'],
])('[IDP-02] prompt=login asks %s to involve the user, by %s=%s', async (providerName, name, value) => {
  const { url: again } = await startFederatedSignIn(pool.app, providerName, { prompt: 'login' });
  expect(again.searchParams.get(name)).toBe(value);
  const { url: first } = await startFederatedSignIn(pool.app, providerName);
  expect(first.searchParams.has(name)).toBe(false);
});

/** Follows the link of the sign-in page to a provider; returns where the browser is redirected. */
async function followProviderLink(path: string, providerName: string, overrides: Record<string, string>) {
  const browser = createBrowser(pool.app);
  const query = buildAuthorizationQuery(createPkce().challenge, overrides);
  const response = await browser.get(`${baseUrl}${path}?${query}`);
  const { body } = response.statusCode === 302 ? await browser.get(getLocation(response).href) : response;
  const link = new RegExp(`href="([^"]*identity_provider=${providerName}[^"]*)"`).exec(unescapeHtml(body));
  return getLocation(await browser.get(link?.[1] ?? ''));
}

it.each([
  ['/oauth2/authorize', 'login', 'Google', 'prompt', 'select_account'],
  ['/oauth2/authorize', 'select_account', 'Google', 'prompt', 'select_account'],
  ['/oauth2/authorize', 'consent', 'Facebook', 'auth_type', 'reauthenticate'],
  ['/login', 'login', 'Google', 'prompt', 'select_account'],
  ['/logout', 'login', 'Facebook', 'auth_type', 'reauthenticate'],
])('[IDP-02] the page of %s with prompt=%s links to %s with %s=%s', async (...row) => {
  const [path, prompt, providerName, name, value] = row;
  const again = await followProviderLink(path, providerName, { prompt });
  expect(again.searchParams.get(name)).toBe(value);
  const first = await followProviderLink(path, providerName, {});
  expect([first.searchParams.has('code_challenge'), first.searchParams.has(name)]).toEqual([true, false]);
});

it.each(['/login', '/logout'])('[IDP-02] the page of %s with prompt=none links to Google', async (path) => {
  const url = await followProviderLink(path, 'Google', { prompt: 'none' });
  expect([url.pathname, url.searchParams.get('prompt')]).toEqual(['/authorize', null]);
});

describe('errors of the provider are sent to the app as OAuth errors', () => {
  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['Google', 'an unknown code', { token: { status: 400, body: { error: 'invalid_grant' } } }],
    ['Google', 'an error of its own', { token: { status: 503, body: 'oops' } }],
    ['Google', 'a response that is not JSON', { token: { status: 200, body: 'hello' } }],
    ['Google', 'no id token', { token: { status: 200, body: { access_token: 'x', token_type: 'Bearer' } } }],
    ['Google', 'a forged signature', { forged: true }],
    ['Google', 'a token for another app', { claims: { aud: 'another' } }],
    ['Google', 'a token of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['Google', 'a token for another request', { claims: { nonce: 'another' } }],
    ['Google', 'an old token', { claims: { iat: now - 7200, exp: now - 3600 } }],
    ['Google', 'a malformed subject', { claims: { sub: '../\u0000' } }],
    [
      'Facebook',
      'an error object',
      { token: { status: 400, body: { error: { code: 100, message: 'No' } } } },
    ],
    ['Facebook', 'a failing Graph API', { graph: { status: 500, body: {} } }],
    ['Facebook', 'a profile without an id', { graph: { status: 200, body: { name: 'x' } } }],
  ])('[IDP-02] %s: %s', async (providerName, _, behaviour) => {
    const { browser, url: authorizationUrl } = await startFederatedSignIn(pool.app, providerName);
    provider.state.behaviour = behaviour;
    const response = await browser.get(provider.consent(authorizationUrl));
    expect(response.statusCode).toBe(302);
    const back = getLocation(response);
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'server_error',
      error_description: 'The identity provider did not say who this is.',
      state: 'app-state',
    });
    expect(browser.cookies.has('escucho-session')).toBe(false);
  });

  it('[IDP-02] the user denies consent', async () => {
    const { browser, url: authorizationUrl } = await startFederatedSignIn(pool.app, 'Google');
    const back = getLocation(
      await browser.get(provider.consent(authorizationUrl, { error: 'access_denied' })),
    );
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('app-state');
  });

  it('[IDP-02] the provider cannot be reached, and is used again once it can', async () => {
    const google = { ...oauth.google, issuer: unreachable.issuer };
    const unreachablePool = await startPool(connection, { oauth: { ...oauth, google } });
    const { url: authorizationUrl } = await startFederatedSignIn(unreachablePool.app, 'Google');
    expect(authorizationUrl.searchParams.get('error')).toBe('server_error');
    await unreachablePool.app.close();
    const fresh = await startPool(connection, { oauth });
    provider.state.behaviour = { discovery: { status: 500, body: {} } };
    expect((await startFederatedSignIn(fresh.app, 'Google')).url.searchParams.get('error')).toBe(
      'server_error',
    );
    provider.state.behaviour = {};
    expect((await startFederatedSignIn(fresh.app, 'Google')).url.pathname).toBe('/authorize');
  });
});

describe('the callback', () => {
  const countFederatedUsers = async () =>
    (await db.selectFrom('account').select('id').where('provider', 'is not', null).execute()).length;

  it.each([
    ['with an unknown state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['without a state', (url: URL) => url.searchParams.delete('state')],
    ['with an empty state', (url: URL) => url.searchParams.set('state', '')],
  ])('[IDP-02] %s shows a page and signs nobody in', async (_, modify) => {
    const { browser, url: authorizationUrl } = await startFederatedSignIn(pool.app, 'Google');
    provider.state.behaviour = { claims: { sub: 'forged-state' } };
    const url = new URL(provider.consent(authorizationUrl));
    modify(url);
    const before = await countFederatedUsers();
    const response = await browser.get(url.href);
    expect([response.statusCode, response.headers.location]).toEqual([400, undefined]);
    expect(await countFederatedUsers()).toBe(before);
  });

  it('[IDP-02] in another browser signs nobody in (login CSRF)', async () => {
    const { url: authorizationUrl } = await startFederatedSignIn(pool.app, 'Google');
    for (const victim of [
      createBrowser(pool.app),
      (await startFederatedSignIn(pool.app, 'Google')).browser,
    ]) {
      const response = await victim.get(provider.consent(authorizationUrl));
      expect(response.statusCode).toBe(400);
      expect(victim.cookies.has('escucho-session')).toBe(false);
    }
  });

  it('[IDP-02] twice, or after 15 minutes, signs nobody in', async () => {
    const { browser, url: authorizationUrl } = await startFederatedSignIn(pool.app, 'Google');
    const url = provider.consent(authorizationUrl);
    expect((await pool.withClockAdvanced(15 * 60_000, () => browser.get(url))).statusCode).toBe(400);
    const responses = await Promise.all([browser.get(url), browser.get(url)]);
    expect(responses.map((response) => response.statusCode).sort()).toEqual([302, 400]);
    expect((await browser.get(url)).statusCode).toBe(400);
  });
});

it('[IDP-02] the log contains neither keys nor codes of other providers', async () => {
  const { log, logger } = createTestLog();
  const logged = await startPool(connection, { oauth, logger });
  const { browser, url: authorizationUrl } = await startFederatedSignIn(logged.app, 'Google');
  provider.state.behaviour = {
    token: { status: 400, body: { error: 'invalid_grant', hint: 'upstream-secret' } },
  };
  await browser.get(provider.consent(authorizationUrl));
  const text = log.join('');
  expect(text).toContain('identity provider failed');
  for (const secret of ['google-secret', 'upstream-secret']) expect(text).not.toContain(secret);
});
