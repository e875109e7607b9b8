import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  exchangeCode,
  getLocation,
  oauthOptions,
  parseForm,
  startFederatedSignIn,
} from '../testing/browser.ts';
import { createTestPool } from '../testing/pool.ts';

const { pool: simulated } = await createTestPool({ oauth: { ...oauthOptions, simulateProviders: true } });
const { pool: plain } = await createTestPool({ oauth: oauthOptions });

describe('a provider without keys', () => {
  it('[IDP-02] in development a page simulates the provider', async () => {
    const {
      browser,
      url: authorizationUrl,
      verifier,
    } = await startFederatedSignIn(simulated.app, 'Facebook');
    expect(authorizationUrl.pathname).toBe('/identity/stand-in');
    const page = await browser.get(authorizationUrl.href);
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
    const id = decodeJwt((await exchangeCode(simulated.app, code, verifier)).json().id_token);
    expect(id).toMatchObject({ email: 'zoe@reader.test', given_name: 'Zoe', family_name: 'Ann Lee' });
    expect(id['cognito:username']).toMatch(/^facebook_\d{20}$/);
  });

  it('[IDP-02] can be cancelled; refuses forged codes and forms without a token', async () => {
    const { browser, url: authorizationUrl } = await startFederatedSignIn(simulated.app, 'Google');
    const form = parseForm((await browser.get(authorizationUrl.href)).body);
    const cancelled = await browser.post(form.action, { ...form.fields, choice: 'cancel' });
    expect(getLocation(await browser.get(getLocation(cancelled).href)).searchParams.get('error')).toBe(
      'access_denied',
    );
    const other = await startFederatedSignIn(simulated.app, 'Google');
    const state = other.url.searchParams.get('state') ?? '';
    const forgedUrl = `${baseUrl}/oauth2/idpresponse?state=${state}&code=${Buffer.from('{"name":"x"}').toString('base64url')}`;
    expect(getLocation(await other.browser.get(forgedUrl)).searchParams.get('error')).toBe('server_error');
    const stolen = await startFederatedSignIn(simulated.app, 'Google');
    const withoutToken = await stolen.browser.post(
      `/identity/stand-in?state=${stolen.url.searchParams.get('state')}`,
      {
        person: '0',
      },
    );
    expect(withoutToken.statusCode).toBe(400);
  });

  it('[IDP-02] without the simulator the app gets an error, and the page does not exist', async () => {
    const { url: authorizationUrl } = await startFederatedSignIn(plain.app, 'Google');
    expect(authorizationUrl.searchParams.get('error')).toBe('invalid_request');
    expect((await plain.app.inject('/identity/stand-in?state=x')).statusCode).toBe(404);
  });
});
