import { describe, expect, it } from 'vitest';
import { toWrongCode } from '../testing/authenticator-app.ts';
import { clientId, createTestPool, newAddress, password } from '../testing/pool.ts';

const { pool } = await createTestPool();

const minute = 60_000;
const hour = 60 * minute;

const confirm = (email: string, code: string) =>
  pool.call('ConfirmSignUp', { ClientId: clientId, Username: email, ConfirmationCode: code });
const resend = (email: string) =>
  pool.call('ResendConfirmationCode', { ClientId: clientId, Username: email });
const forgot = (email: string) => pool.call('ForgotPassword', { ClientId: clientId, Username: email });
const reset = (email: string, code: string, newPassword = 'Nueva2026') =>
  pool.call('ConfirmForgotPassword', {
    ClientId: clientId,
    Username: email,
    ConfirmationCode: code,
    Password: newPassword,
  });

const mismatch = 'CodeMismatchException: Invalid verification code provided, please try again.';
const expired = 'ExpiredCodeException: Invalid code provided, please request a code again.';
const limitExceeded = 'LimitExceededException: Attempt limit exceeded, please try after some time.';

describe('SignUp', () => {
  it('[IDP-01] returns the id and the masked address, and mails a code', async () => {
    const email = newAddress();
    const reply = await pool.signUp(email);
    expect(reply.status).toBe(200);
    expect(reply.at('UserSub')).toMatch(/^[0-9a-f-]{36}$/);
    expect(reply.body).toMatchObject({
      UserConfirmed: false,
      CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'u***@e***' },
    });
    expect(await pool.listCodes(email)).toEqual([expect.stringMatching(/^\d{6}$/)]);
  });

  it('[IDP-03] concurrent sign-ups with one address create one account', async () => {
    const email = newAddress();
    const replies = await Promise.all([pool.signUp(email), pool.signUp(email), pool.signUp(email)]);
    const ids = replies.filter(({ status }) => status === 200).map((reply) => reply.at('UserSub'));
    expect(new Set(ids).size).toBe(1);
    expect((await confirm(email, await pool.getLatestCode(email))).status).toBe(200);
  });

  it.each([
    [{ Password: 'short1A' }, 'InvalidPasswordException'],
    [{ Username: 'ana' }, 'InvalidParameterException'],
    [{ UserAttributes: [{ Name: 'sub', Value: 'me' }] }, 'NotAuthorizedException'],
    [{ ClientId: 'another' }, 'ResourceNotFoundException'],
  ])('[IDP-01] refuses %o', async (overrides, type) => {
    const reply = await pool.signUp(newAddress(), overrides);
    expect([reply.status, reply.at('__type')]).toEqual([400, type]);
  });

  it('[IDP-01] a network can cause 300 mails an hour', async () => {
    const remoteAddress = '203.0.113.40';
    const statuses = new Map<number, number>();
    for (let n = 0; n < 302; n += 1) {
      const body = { ClientId: clientId, Username: newAddress() };
      const { status } = await pool.call('ForgotPassword', body, { remoteAddress });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses).toEqual(
      new Map([
        [200, 300],
        [400, 2],
      ]),
    );
  });
});

describe('ConfirmSignUp', () => {
  it('[IDP-03] accepts the code once', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    expect((await confirm(email.toUpperCase(), code)).body).toEqual({});
    expect((await confirm(email, code)).error).toBe(expired);
  });

  it('[IDP-03] refuses a wrong code, and accepts the right one after it', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    expect((await confirm(email, toWrongCode(code))).error).toBe(mismatch);
    expect((await confirm(email, code)).status).toBe(200);
  });

  it('[IDP-03] refuses a code after 24 hours', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    expect((await pool.withClockAdvanced(24 * hour, () => confirm(email, code))).error).toBe(expired);
    expect((await pool.withClockAdvanced(24 * hour - 1000, () => confirm(email, code))).status).toBe(200);
  });

  it('[IDP-03] refuses the old code once a new one was sent', async () => {
    const email = newAddress();
    await pool.signUp(email);
    await resend(email);
    const [fresh = '', old = ''] = await pool.listCodes(email);
    if (fresh !== old) expect((await confirm(email, old)).error).toBe(mismatch);
    expect((await confirm(email, fresh)).status).toBe(200);
  });

  it('[IDP-03] 15 wrong codes use up the hourly limit and the code', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const code = await pool.getLatestCode(email);
    for (let n = 0; n < 15; n += 1) expect((await confirm(email, toWrongCode(code))).error).toBe(mismatch);
    expect((await confirm(email, code)).error).toBe(limitExceeded);
    expect((await pool.withClockAdvanced(hour, () => confirm(email, code))).error).toBe(expired);
  });

  it('[IDP-03] counts concurrent attempts', async () => {
    const email = newAddress();
    await pool.signUp(email);
    const wrong = toWrongCode(await pool.getLatestCode(email));
    const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(email, wrong)));
    expect(replies.filter((reply) => reply.error === mismatch)).toHaveLength(15);
    expect(replies.filter((reply) => reply.error === limitExceeded)).toHaveLength(5);
  });
});

describe('ResendConfirmationCode', () => {
  it('[IDP-03] allows five an hour; refused requests do not prolong the wait', async () => {
    const email = newAddress();
    await pool.signUp(email);
    for (let n = 0; n < 5; n += 1) expect((await resend(email)).status).toBe(200);
    const refused = await pool.withClockAdvanced(hour - 1000, () =>
      Promise.all([resend(email), resend(email), resend(email)]),
    );
    expect(refused.map(({ error }) => error)).toEqual([limitExceeded, limitExceeded, limitExceeded]);
    expect((await pool.withClockAdvanced(hour + 1000, () => resend(email))).status).toBe(200);
  });
});

describe('ForgotPassword and ConfirmForgotPassword', () => {
  it('[IDP-01] [AUTH-07] a code sets a new password, revokes sessions and ends the lockout', async () => {
    const { email } = await pool.createUser();
    const before = await pool.signIn(email);
    for (let n = 0; n < 5; n += 1) await pool.signIn(email, 'Wrong2026');
    expect((await forgot(email)).body).toEqual({
      CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'u***@e***' },
    });
    expect((await reset(email, await pool.getLatestCode(email))).body).toEqual({});
    expect((await pool.signIn(email)).at('message')).toBe('Incorrect username or password.');
    expect((await pool.signIn(email, 'Nueva2026')).status).toBe(200);
    const old = before.at('AuthenticationResult', 'RefreshToken');
    expect((await pool.refresh(old)).error).toBe('NotAuthorizedException: Refresh Token has been revoked');
  });

  it('[AUTH-02] a password does not expire, and may be chosen again', async () => {
    const { email } = await pool.createUser();
    await forgot(email);
    await reset(email, await pool.getLatestCode(email), password);
    const signedIn = await pool.withClockAdvanced(10 * 365 * 24 * hour, () => pool.signIn(email));
    expect(signedIn.at('AuthenticationResult', 'AccessToken')).toContain('.');
  });

  it('[IDP-03] a code works once, within ten minutes, for its purpose only', async () => {
    const { email } = await pool.createUser();
    const signUpCode = await pool.getLatestCode(email);
    expect((await reset(email, signUpCode)).error).toBe(expired);
    await forgot(email);
    const code = await pool.getLatestCode(email);
    expect((await pool.withClockAdvanced(10 * minute, () => reset(email, code))).error).toBe(expired);
    expect((await reset(email, code, 'weak')).at('__type')).toBe('InvalidPasswordException');
    expect((await reset(email, code)).status).toBe(200);
    expect((await reset(email, code)).error).toBe(expired);
  });

  it('[IDP-03] takes over an unconfirmed address that a stranger signed up with', async () => {
    const email = newAddress();
    await pool.signUp(email, { Password: 'Stranger2026' });
    await forgot(email);
    await reset(email, await pool.getLatestCode(email));
    expect((await pool.signIn(email, 'Stranger2026')).at('__type')).toBe('NotAuthorizedException');
    expect((await pool.signIn(email, 'Nueva2026')).status).toBe(200);
  });

  it('[IDP-03] five wrong attempts use up a code', async () => {
    const { email } = await pool.createUser();
    await forgot(email);
    const code = await pool.getLatestCode(email);
    for (let n = 0; n < 5; n += 1) expect((await reset(email, toWrongCode(code))).error).toBe(mismatch);
    expect((await reset(email, code)).error).toBe(expired);
  });

  it('[IDP-03] sends ten codes a day at most', async () => {
    const { email } = await pool.createUser();
    const requestCodes = async (count: number) => {
      const statuses = [];
      for (let n = 0; n < count; n += 1) statuses.push((await forgot(email)).status);
      return statuses;
    };
    expect(await requestCodes(5)).toEqual([200, 200, 200, 200, 200]);
    expect(await pool.withClockAdvanced(2 * hour, () => requestCodes(5))).toEqual([200, 200, 200, 200, 200]);
    expect((await pool.withClockAdvanced(23 * hour, () => forgot(email))).error).toBe(limitExceeded);
    expect((await pool.withClockAdvanced(24 * hour, () => forgot(email))).status).toBe(200);
  });

  it('[IDP-03] allows five codes an hour', async () => {
    const { email } = await pool.createUser();
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await forgot(email)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 400]);
  });
});

describe('the existence of an account', () => {
  const toText = (body: unknown) => JSON.stringify(body);

  it('[IDP-03] ForgotPassword responds alike for every address, up to the rate limits', async () => {
    const known = (await pool.createUser()).email;
    const unknown = newAddress();
    for (let n = 0; n < 6; n += 1) {
      expect(toText((await forgot(unknown)).body)).toBe(toText((await forgot(known)).body));
    }
    const wrong = toWrongCode(await pool.getLatestCode(known));
    for (let n = 0; n < 16; n += 1) {
      expect(toText((await reset(unknown, wrong)).body)).toBe(toText((await reset(known, wrong)).body));
    }
    expect(await pool.listCodes(unknown)).toEqual([]);
  });

  it('[IDP-03] without a requested code both report an expired one', async () => {
    const known = (await pool.createUser()).email;
    expect((await reset(newAddress(), '123456')).error).toBe(expired);
    expect((await reset(known, '123456')).error).toBe(expired);
  });

  it('[IDP-03] confirming and resending respond alike for unconfirmed and unknown addresses', async () => {
    const known = newAddress();
    await pool.signUp(known);
    const unknown = newAddress();
    expect((await confirm(unknown, '123456')).error).toBe(expired);
    for (let n = 0; n < 6; n += 1) {
      expect(toText((await resend(unknown)).body)).toBe(toText((await resend(known)).body));
    }
    const wrong = toWrongCode(await pool.getLatestCode(known));
    expect((await confirm(unknown, wrong)).error).toBe((await confirm(known, wrong)).error);
  });

  it('[IDP-03] usernames that are no address get the same response each time', async () => {
    const first = await forgot('somebody');
    expect(first.at('CodeDeliveryDetails', 'Destination')).toMatch(/^[a-f]\*\*\*@[a-f]\*\*\*$/);
    expect((await forgot('somebody')).body).toEqual(first.body);
  });
});
