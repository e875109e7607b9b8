import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../testing/authenticator.ts';
import {
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  oauthOptions,
  parsePasskeyForm,
} from '../testing/browser.ts';
import { createTestPool } from '../testing/pool.ts';

const origin = 'http://localhost:3000';
const { pool } = await createTestPool({
  oauth: oauthOptions,
  passkeys: { id: 'localhost', name: 'Escucho', origins: [origin] },
});
const { challenge, verifier } = createPkce();
const query = buildAuthorizationQuery(challenge);

async function createUserWithPasskey() {
  const { access: AccessToken } = await pool.createSignedInUser();
  const key = createAuthenticator({ origin, rpId: 'localhost' });
  const started = await pool.call('StartWebAuthnRegistration', { AccessToken });
  const Credential = key.create(Object(started.body).CredentialCreationOptions);
  await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential });
  return key;
}

describe('a passkey at the hosted page', () => {
  it('[IDP-02] is offered in the autofill by one script, which the policy names', async () => {
    const { body, headers } = await createBrowser(pool.app).openSignInPage(query);
    expect(body).toContain('autocomplete="username webauthn"');
    const script = /<script>(.*)<\/script>/s.exec(body)?.[1] ?? '';
    expect(script).toContain("mediation: 'conditional'");
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`);
  });

  it('[IDP-02] signs in and redirects to the app, once', async () => {
    const key = await createUserWithPasskey();
    const browser = createBrowser(pool.app);
    const form = parsePasskeyForm((await browser.openSignInPage(query)).body);
    const fields = { ...form.fields, credential: JSON.stringify(key.get(form.options)) };
    const code = getLocation(await browser.post(form.action, fields)).searchParams.get('code') ?? '';
    expect(browser.cookies.has('escucho-session')).toBe(true);
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
    const replayed = await browser.post(form.action, fields);
    expect([replayed.statusCode, replayed.headers.location]).toEqual([400, undefined]);
  });

  it('[IDP-03] refuses a foreign origin, a damaged response and the form of another browser', async () => {
    const key = await createUserWithPasskey();
    const browser = createBrowser(pool.app);
    for (const respond of [
      (options: { challenge: string }) => JSON.stringify(key.get(options, { origin: 'https://evil.test' })),
      () => '{}',
    ]) {
      const form = parsePasskeyForm((await browser.openSignInPage(query)).body);
      const response = await browser.post(form.action, { ...form.fields, credential: respond(form.options) });
      expect(response.body).toContain('The passkey could not be verified.');
    }
    const form = parsePasskeyForm((await browser.openSignInPage(query)).body);
    const fields = { ...form.fields, credential: JSON.stringify(key.get(form.options)) };
    const foreign = await createBrowser(pool.app).post(form.action, fields);
    expect([foreign.statusCode, foreign.headers.location]).toEqual([400, undefined]);
  });
});
