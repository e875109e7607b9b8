import { describe, expect, it } from 'vitest';
import { answerChallenge, createUserWithTotp } from '../testing/authenticator-app.ts';
import {
  baseUrl,
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  oauthOptions,
  parseForm,
} from '../testing/browser.ts';
import { clientId, createTestPool, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool({ customAuth: true, oauth: oauthOptions });

describe('recovery codes', () => {
  async function createRecoveryCodes(AccessToken: string): Promise<string[]> {
    return Object((await pool.call('CreateRecoveryCodes', { AccessToken })).body).RecoveryCodes;
  }

  const enableApp = (AccessToken: string, Enabled: boolean) =>
    pool.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled } });

  it('[AUTH-13] take the place of a time-based code, each once, and the owner is notified', async () => {
    const user = await createUserWithTotp(pool);
    const AccessToken = user.access;
    const codes = await createRecoveryCodes(AccessToken);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const [code = ''] = codes;
    const challenges = [await pool.signIn(user.email), await pool.signIn(user.email)];
    const attempts = challenges.map((challenge) => answerChallenge(pool, challenge, code.toLowerCase()));
    const responses = await Promise.all(attempts);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await pool.call('GetRecoveryCodes', { AccessToken })).body).toEqual({ RemainingCount: 9 });
    const [warning, notification] = await pool.listNotifications(user.email);
    expect(warning).toMatch(/^A used code was sent again for your Escucho account/);
    expect(notification).toMatch(/^A recovery code of your Escucho account was used/);
  });

  it('[IDP-03] are stored as hashes, and a new set replaces the previous one', async () => {
    const user = await createUserWithTotp(pool);
    const [code = ''] = await createRecoveryCodes(user.access);
    const rows = await db.selectFrom('recovery_code').selectAll().where('accountId', '=', user.sub).execute();
    expect(rows).toHaveLength(10);
    for (const { hash } of rows) expect(hash).toHaveLength(32);
    await createRecoveryCodes(user.access);
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, code)).at('__type')).toBe('CodeMismatchException');
  });

  it('[IDP-03] of another user are refused', async () => {
    const [user, other] = [await createUserWithTotp(pool), await createUserWithTotp(pool)];
    const [code = ''] = await createRecoveryCodes(other.access);
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, code)).at('__type')).toBe('CodeMismatchException');
  });

  it('[IDP-03] end when the app is turned off, also once it is on again', async () => {
    const user = await createUserWithTotp(pool);
    const AccessToken = user.access;
    const [code = ''] = await createRecoveryCodes(AccessToken);
    await enableApp(AccessToken, false);
    await enableApp(AccessToken, true);
    expect((await pool.call('GetRecoveryCodes', { AccessToken })).body).toEqual({ RemainingCount: 0 });
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, code)).at('__type')).toBe('CodeMismatchException');
  });

  it('[IDP-03] require an authenticator app that is turned on', async () => {
    const user = await createUserWithTotp(pool);
    await enableApp(user.access, false);
    const { access } = await pool.createSignedInUser();
    for (const AccessToken of [access, user.access]) {
      expect((await pool.call('CreateRecoveryCodes', { AccessToken })).at('__type')).toBe(
        'SoftwareTokenMFANotFoundException',
      );
    }
  });
});

describe('several factors', () => {
  const enableEmail = (AccessToken: string, PreferredMfa?: boolean) =>
    pool.call('SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true, PreferredMfa } });

  it('[AUTH-13] SELECT_MFA_TYPE lets the user choose between an app and mail', async () => {
    const user = await createUserWithTotp(pool);
    await pool.call('SetUserMFAPreference', {
      AccessToken: user.access,
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: false },
      EmailMfaSettings: { Enabled: true },
    });
    const selection = await pool.signIn(user.email);
    expect(selection.body).toMatchObject({
      ChallengeName: 'SELECT_MFA_TYPE',
      ChallengeParameters: { MFAS_CAN_CHOOSE: '["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]' },
    });
    const totp = await answerChallenge(pool, selection, 'SOFTWARE_TOKEN_MFA');
    expect(totp.at('ChallengeName')).toBe('SOFTWARE_TOKEN_MFA');
    const mailed = await answerChallenge(pool, selection, 'EMAIL_OTP');
    expect(mailed.at('ChallengeParameters', 'CODE_DELIVERY_DESTINATION')).toBe('u***@e***');
    const code = await pool.getLatestCode(user.email);
    expect((await answerChallenge(pool, mailed, code)).status).toBe(200);
    expect((await answerChallenge(pool, selection, 'SMS_MFA')).at('__type')).toBe(
      'InvalidParameterException',
    );
  });

  it('[AUTH-13] a preferred factor is asked for at once; a wrong mailed code can be corrected', async () => {
    const { email, access } = await pool.createSignedInUser();
    await enableEmail(access, true);
    const challenge = await pool.signIn(email);
    expect(challenge.at('ChallengeName')).toBe('EMAIL_OTP');
    expect((await answerChallenge(pool, challenge, '12345x')).error).toBe(
      'CodeMismatchException: Invalid code or auth state for the user.',
    );
    expect((await answerChallenge(pool, challenge, await pool.getLatestCode(email))).status).toBe(200);
  });

  it('[IDP-03] a new password ends sign-ins that began with the previous one', async () => {
    const user = await createUserWithTotp(pool);
    const totp = await pool.signIn(user.email);
    await pool.call('SetUserMFAPreference', {
      AccessToken: user.access,
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: false },
      EmailMfaSettings: { Enabled: true },
    });
    const selection = await pool.signIn(user.email);
    await pool.call('ForgotPassword', { ClientId: clientId, Username: user.email });
    const ConfirmationCode = await pool.getLatestCode(user.email);
    const renewal = { ClientId: clientId, Username: user.email, ConfirmationCode, Password: 'Nueva2026' };
    expect((await pool.call('ConfirmForgotPassword', renewal)).status).toBe(200);
    const invalidSession = 'NotAuthorizedException: Invalid session for the user.';
    expect((await answerChallenge(pool, totp, user.code())).error).toBe(invalidSession);
    for (const method of ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']) {
      expect((await answerChallenge(pool, selection, method)).error).toBe(invalidSession);
    }
  });

  const setPreference = (AccessToken: string, app: boolean, mail: boolean) =>
    pool.call('SetUserMFAPreference', {
      AccessToken,
      SoftwareTokenMfaSettings: { Enabled: app },
      EmailMfaSettings: { Enabled: mail },
    });

  it('[IDP-03] a mailed code does not complete a sign-in once mail was replaced by an app', async () => {
    const user = await createUserWithTotp(pool);
    await setPreference(user.access, false, true);
    const challenge = await pool.signIn(user.email);
    await setPreference(user.access, true, false);
    const next = await answerChallenge(pool, challenge, await pool.getLatestCode(user.email));
    expect(next.at('ChallengeName')).toBe('SOFTWARE_TOKEN_MFA');
    expect((await answerChallenge(pool, next, user.code())).status).toBe(200);
  });

  it('[IDP-03] a code of an app does not complete a sign-in once the app was replaced by mail', async () => {
    const user = await createUserWithTotp(pool);
    const challenge = await pool.signIn(user.email);
    await setPreference(user.access, false, true);
    expect((await answerChallenge(pool, challenge, user.code())).at('__type')).toBe(
      'SoftwareTokenMFANotFoundException',
    );
  });

  const startCustomAuth = (USERNAME: string) =>
    pool.call('InitiateAuth', { ClientId: clientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME } });

  it('[IDP-03] CUSTOM_AUTH asks for the second factor after the mailed code', async () => {
    const user = await createUserWithTotp(pool);
    const custom = await startCustomAuth(user.email);
    const challenge = await answerChallenge(pool, custom, await pool.getLatestCode(user.email));
    expect(challenge.at('ChallengeName')).toBe('SOFTWARE_TOKEN_MFA');
    expect((await answerChallenge(pool, challenge, user.code())).status).toBe(200);
  });

  it('[IDP-03] one mailbox is not two factors', async () => {
    const { email, access } = await pool.createSignedInUser();
    await enableEmail(access);
    const response = await answerChallenge(
      pool,
      await startCustomAuth(email),
      await pool.getLatestCode(email),
    );
    expect(response.error).toBe(
      'NotAuthorizedException: Sign in with your password: the mailed code is your second factor.',
    );
  });
});

it.each(['AssociateSoftwareToken', 'SetUserMFAPreference'])(
  '[IDP-03] %s is refused for a user of another identity provider',
  async (operation) => {
    const { sub, access: AccessToken } = await pool.createSignedInUser();
    const federated = { provider: 'google', providerSubject: sub, credential: null } as const;
    await db.updateTable('account').set(federated).where('id', '=', sub).execute();
    const response = await pool.call(operation, { AccessToken, EmailMfaSettings: { Enabled: true } });
    expect(response.at('message')).toBe(
      'User signs in at another identity provider, which has its own second factors.',
    );
  },
);

describe('the hosted page', () => {
  const { challenge, verifier } = createPkce();
  const query = buildAuthorizationQuery(challenge);

  it('[IDP-02] [IDP-03] asks for the second factor before it sets a cookie or redirects', async () => {
    const user = await createUserWithTotp(pool);
    const browser = createBrowser(pool.app);
    const page = await browser.signIn(query, user.email, password);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<h1>Second factor</h1>');
    expect(page.body).toContain('autocomplete="one-time-code"');
    expect(browser.cookies.has('escucho-session')).toBe(false);
    const form = parseForm(page.body);
    const wrong = await browser.post(form.action, { ...form.fields, code: 'wrong' });
    expect([wrong.statusCode, wrong.body.includes('This code is not correct.')]).toEqual([400, true]);
    const spacedCode = ` ${user.code().replace(/^.{3}/, '$& ')} `;
    const response = await browser.post(form.action, { ...form.fields, code: spacedCode });
    expect(browser.cookies.has('escucho-session')).toBe(true);
    const code = getLocation(response).searchParams.get('code') ?? '';
    expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(200);
    const replayed = await browser.post(form.action, { ...form.fields, code: user.code() });
    expect(replayed.body).toContain('This code was used already.');
  });

  it('[IDP-02] accepts a recovery code, and refuses the form of another browser', async () => {
    const user = await createUserWithTotp(pool);
    const { body } = await pool.call('CreateRecoveryCodes', { AccessToken: user.access });
    const browser = createBrowser(pool.app);
    const form = parseForm((await browser.signIn(query, user.email, password)).body);
    const fields = { ...form.fields, code: Object(body).RecoveryCodes[0] };
    const foreign = await createBrowser(pool.app).post(form.action, fields);
    expect([foreign.statusCode, foreign.headers.location]).toEqual([400, undefined]);
    expect(getLocation(await browser.post(form.action, fields)).searchParams.has('code')).toBe(true);
  });

  it('[IDP-03] refuses a session it did not create, and a locked account', async () => {
    const user = await createUserWithTotp(pool);
    const browser = createBrowser(pool.app);
    const form = parseForm((await browser.signIn(query, user.email, password)).body);
    const forged = await browser.post(form.action, { ...form.fields, session: 'x', code: user.code() });
    expect(forged.body).toContain('This sign-in took too long.');
    for (let n = 0; n < 5; n += 1) await browser.post(form.action, { ...form.fields, code: '00000x' });
    const locked = await browser.post(form.action, { ...form.fields, code: user.code() });
    expect(locked.body).toContain('Too many attempts.');
    const authorized = await browser.get(`${baseUrl}/oauth2/authorize?${query}`);
    expect(getLocation(authorized).pathname).toBe('/identity/login');
  });
});
