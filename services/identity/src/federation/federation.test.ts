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
  parseForm,
  redirectUri,
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

/** Starts a sign-in at a provider. */
async function visit(providerName: string, by = pool) {
  const browser = createBrowser(by.app);
  const { challenge, verifier } = createPkce();
  const query = buildAuthorizationQuery(challenge, { identity_provider: providerName });
  const sent = await browser.get(`${baseUrl}/oauth2/authorize?${query}`);
  return { browser, verifier, sent, asked: getLocation(sent) };
}

/** Signs in by a provider, and exchanges the code for tokens. */
async function signInWith(providerName: string) {
  const { browser, verifier, asked } = await visit(providerName);
  const back = getLocation(await browser.get(provider.consent(asked)));
  const tokens = (await exchangeCode(pool.app, back.searchParams.get('code') ?? '', verifier)).json();
  return { browser, asked, back, tokens, id: decodeJwt(tokens.id_token) };
}

describe('Google', () => {
  it('[IDP-02] requests a code with PKCE, state and nonce at the discovered endpoint', async () => {
    const { asked } = await visit('Google');
    expect(`${asked.origin}${asked.pathname}`).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'google-client',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${baseUrl}/oauth2/idpresponse`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
    });
  });

  it('[IDP-02] signs in google_<id> with an identities claim, and the same user at the next sign-in', async () => {
    const first = await signInWith('Google');
    expect(provider.matchesVerifier(first.asked)).toBe(true);
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

  it('[IDP-02] an account with the same baseUrl and a password is another account', async () => {
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
    const { browser, asked } = await visit('Google');
    const back = getLocation(await browser.get(provider.consent(asked)));
    expect(back.searchParams.get('error')).toBe('access_denied');
  });
});

describe('Facebook', () => {
  it('[IDP-02] signs in facebook_<id> with the profile from Graph and an unverified address', async () => {
    const { asked, id } = await signInWith('Facebook');
    expect(asked.href.startsWith('https://www.facebook.test/dialog/oauth?')).toBe(true);
    expect(asked.searchParams.get('scope')).toBe('public_profile email');
    expect(provider.matchesVerifier(asked)).toBe(true);
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

describe('errors of the provider are sent to the app as OAuth errors', () => {
  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['Google', 'a code it does not know', { token: { status: 400, body: { error: 'invalid_grant' } } }],
    ['Google', 'an error of its own', { token: { status: 503, body: 'oops' } }],
    ['Google', 'an answer that is no JSON', { token: { status: 200, body: 'hello' } }],
    ['Google', 'no id token', { token: { status: 200, body: { access_token: 'x', token_type: 'Bearer' } } }],
    ['Google', 'a forged signature', { forged: true }],
    ['Google', 'a token for another app', { claims: { aud: 'another' } }],
    ['Google', 'a token of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['Google', 'a token for another visit', { claims: { nonce: 'another' } }],
    ['Google', 'an old token', { claims: { iat: now - 7200, exp: now - 3600 } }],
    ['Google', 'a subject that could not be a name', { claims: { sub: '../\u0000' } }],
    [
      'Facebook',
      'an error object',
      { token: { status: 400, body: { error: { code: 100, message: 'No' } } } },
    ],
    ['Facebook', 'a Graph that fails', { graph: { status: 500, body: {} } }],
    ['Facebook', 'a Graph without an id', { graph: { status: 200, body: { name: 'x' } } }],
  ])('[IDP-02] %s: %s', async (providerName, _, behaviour) => {
    const { browser, asked } = await visit(providerName);
    provider.state.behaviour = behaviour;
    const answer = await browser.get(provider.consent(asked));
    expect(answer.statusCode).toBe(302);
    const back = getLocation(answer);
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'server_error',
      error_description: 'The identity provider did not say who this is.',
      state: 'app-state',
    });
    expect(browser.cookies.has('escucho-session')).toBe(false);
  });

  it('[IDP-02] the user denies consent', async () => {
    const { browser, asked } = await visit('Google');
    const back = getLocation(await browser.get(provider.consent(asked, { error: 'access_denied' })));
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('app-state');
  });

  it('[IDP-02] it cannot be reached, and works again once it can', async () => {
    const google = { ...oauth.google, issuer: unreachable.issuer };
    const lonely = await startPool(connection, { oauth: { ...oauth, google } });
    const { asked } = await visit('Google', lonely);
    expect(asked.searchParams.get('error')).toBe('server_error');
    await lonely.app.close();
    const fresh = await startPool(connection, { oauth });
    provider.state.behaviour = { discovery: { status: 500, body: {} } };
    expect((await visit('Google', fresh)).asked.searchParams.get('error')).toBe('server_error');
    provider.state.behaviour = {};
    expect((await visit('Google', fresh)).asked.pathname).toBe('/authorize');
    await fresh.app.close();
  });
});

describe('coming back', () => {
  const people = async () =>
    (await db.selectFrom('account').select('id').where('provider', 'is not', null).execute()).length;

  it.each([
    ['with a state nobody gave', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['without a state', (url: URL) => url.searchParams.delete('state')],
    ['with an empty state', (url: URL) => url.searchParams.set('state', '')],
  ])('[IDP-02] %s shows a page and signs nobody in', async (_, bend) => {
    const { browser, asked } = await visit('Google');
    provider.state.behaviour = { claims: { sub: 'forged-state' } };
    const url = new URL(provider.consent(asked));
    bend(url);
    const before = await people();
    const answer = await browser.get(url.href);
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
    expect(await people()).toBe(before);
  });

  it('[IDP-02] in another browser signs nobody in (login CSRF)', async () => {
    const { asked } = await visit('Google');
    for (const victim of [createBrowser(pool.app), (await visit('Google')).browser]) {
      const answer = await victim.get(provider.consent(asked));
      expect(answer.statusCode).toBe(400);
      expect(victim.cookies.has('escucho-session')).toBe(false);
    }
  });

  it('[IDP-02] twice, or too late, signs nobody in', async () => {
    const { browser, asked } = await visit('Google');
    const url = provider.consent(asked);
    expect((await pool.withClockAdvanced(15 * 60_000, () => browser.get(url))).statusCode).toBe(400);
    const answers = await Promise.all([browser.get(url), browser.get(url)]);
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([302, 400]);
    expect((await browser.get(url)).statusCode).toBe(400);
  });
});

describe('without keys', () => {
  it('[IDP-02] in development a page simulates the provider', async () => {
    const trial = await startPool(connection, { oauth: { ...oauthOptions, simulateProviders: true } });
    const { browser, asked, verifier } = await visit('Facebook', trial);
    expect(asked.pathname).toBe('/identity/stand-in');
    const page = await browser.get(asked.href);
    expect(page.body).toContain('stands in for it');
    const form = parseForm(page.body);
    const incomplete = await browser.post(form.action, { ...form.fields, person: 'other', name: 'Zoe' });
    expect(incomplete.statusCode).toBe(400);
    expect(incomplete.body).toContain('Type a name and an email address.');
    const typed = { person: 'other', name: 'Zoe Ann Lee', email: 'Zoe@reader.test', choice: 'accept' };
    const chosen = await browser.post(form.action, { ...form.fields, ...typed });
    expect(chosen.statusCode).toBe(303);
    const back = getLocation(await browser.get(getLocation(chosen).href));
    const code = back.searchParams.get('code') ?? '';
    const id = decodeJwt((await exchangeCode(trial.app, code, verifier)).json().id_token);
    expect(id).toMatchObject({ email: 'zoe@reader.test', given_name: 'Zoe', family_name: 'Ann Lee' });
    expect(id['cognito:username']).toMatch(/^facebook_\d{20}$/);
    await trial.app.close();
  });

  it('[IDP-02] there one can also say no, and cannot say who it is without the page', async () => {
    const trial = await startPool(connection, { oauth: { ...oauthOptions, simulateProviders: true } });
    const { browser, asked } = await visit('Google', trial);
    const form = parseForm((await browser.get(asked.href)).body);
    const away = await browser.post(form.action, { ...form.fields, choice: 'cancel' });
    expect(getLocation(await browser.get(getLocation(away).href)).searchParams.get('error')).toBe(
      'access_denied',
    );
    const other = await visit('Google', trial);
    const state = other.asked.searchParams.get('state') ?? '';
    const made = `${baseUrl}/oauth2/idpresponse?state=${state}&code=${Buffer.from('{"name":"x"}').toString('base64url')}`;
    expect(getLocation(await other.browser.get(made)).searchParams.get('error')).toBe('server_error');
    const stolen = await visit('Google', trial);
    const bare = await stolen.browser.post(
      `/identity/stand-in?state=${stolen.asked.searchParams.get('state')}`,
      {
        person: '0',
      },
    );
    expect(bare.statusCode).toBe(400);
    await trial.app.close();
  });

  it('[IDP-02] otherwise the app gets an error, and the page does not exist', async () => {
    const bare = await startPool(connection, { oauth: oauthOptions });
    const { asked } = await visit('Google', bare);
    expect(asked.searchParams.get('error')).toBe('invalid_request');
    expect((await bare.app.inject('/identity/stand-in?state=x')).statusCode).toBe(404);
    await bare.app.close();
  });
});

it('[IDP-02] the log holds neither keys nor codes of other providers', async () => {
  const { log, logger } = createTestLog();
  const logged = await startPool(connection, { oauth, logger });
  const { browser, asked } = await visit('Google', logged);
  provider.state.behaviour = {
    token: { status: 400, body: { error: 'invalid_grant', hint: 'upstream-secret' } },
  };
  await browser.get(provider.consent(asked));
  const text = log.join('');
  expect(text).toContain('identity provider failed');
  for (const secret of ['google-secret', 'upstream-secret']) expect(text).not.toContain(secret);
  await logged.app.close();
});
