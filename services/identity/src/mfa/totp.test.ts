import { describe, expect, it } from 'vitest';
import {
  answerChallenge,
  createUserWithTotp,
  generateCode,
  STEP_MS,
  toWrongCode,
} from '../testing/authenticator-app.ts';
import { clientId, createTestPool, password } from '../testing/pool.ts';

const { pool, db } = await createTestPool({ passwordAuth: true });

const mismatch = 'CodeMismatchException: Invalid code received for user';
const used = 'ExpiredCodeException: Your software token has already been used once.';
const locked = 'NotAuthorizedException: Password attempts exceeded';

describe('setting up an authenticator app', () => {
  it('[AUTH-13] associates a secret, verifies a code, and turns the factor on', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const secret = (await pool.call('AssociateSoftwareToken', { AccessToken })).at('SecretCode');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const UserCode = generateCode(secret, pool.clock());
    const body = { AccessToken, UserCode, FriendlyDeviceName: 'Phone' };
    expect((await pool.call('VerifySoftwareToken', body)).body).toEqual({ Status: 'SUCCESS' });
    expect(Object(await pool.call('GetUser', { AccessToken })).body).not.toHaveProperty('UserMFASettingList');
    const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
    await pool.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings });
    expect((await pool.call('GetUser', { AccessToken })).body).toMatchObject({
      UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
      PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA',
    });
  });

  it('[AUTH-13] refuses a wrong code, and a code without a secret', async () => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const verify = (UserCode: string) => pool.call('VerifySoftwareToken', { AccessToken, UserCode });
    expect((await verify('123456')).at('__type')).toBe('SoftwareTokenMFANotFoundException');
    const secret = (await pool.call('AssociateSoftwareToken', { AccessToken })).at('SecretCode');
    const code = generateCode(secret, pool.clock());
    expect((await verify(toWrongCode(code))).error).toBe(
      'EnableSoftwareTokenMFAException: Code mismatch and fail enable Software Token MFA',
    );
    expect((await verify('12345')).at('__type')).toBe('InvalidParameterException');
    const enabled = await pool.call('SetUserMFAPreference', {
      AccessToken,
      SoftwareTokenMfaSettings: { Enabled: true },
    });
    expect(enabled.error).toBe('InvalidParameterException: User has not verified software token mfa');
    expect((await verify(code)).at('Status')).toBe('SUCCESS');
  });

  it('[AUTH-13] takes a code again of a client that did not get the response, with no effect', async () => {
    const user = await createUserWithTotp(pool);
    const verify = (UserCode: string) =>
      pool.call('VerifySoftwareToken', { AccessToken: user.access, UserCode });
    const mails = await pool.listNotifications(user.email);
    expect((await verify(user.code(-STEP_MS))).body).toEqual({ Status: 'SUCCESS' });
    expect((await verify(user.code())).body).toEqual({ Status: 'SUCCESS' });
    expect((await verify(toWrongCode(user.code()))).at('__type')).toBe('EnableSoftwareTokenMFAException');
    expect(await pool.listNotifications(user.email)).toEqual(mails);
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, user.code())).error).toBe(used);
    expect((await answerChallenge(pool, challenge, user.code(STEP_MS))).status).toBe(200);
  });

  it('[IDP-03] a new secret replaces the verified one only when a code of it is verified', async () => {
    const user = await createUserWithTotp(pool);
    const AccessToken = user.access;
    const next = (await pool.call('AssociateSoftwareToken', { AccessToken })).at('SecretCode');
    expect((await answerChallenge(pool, await pool.signIn(user.email), user.code())).status).toBe(200);
    const UserCode = generateCode(next, pool.clock());
    await pool.call('VerifySoftwareToken', { AccessToken, UserCode });
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, user.code(STEP_MS))).error).toBe(mismatch);
    const code = generateCode(next, pool.clock(), STEP_MS);
    expect((await answerChallenge(pool, challenge, code)).status).toBe(200);
  });

  it('[IDP-03] stores no secret in the clear', async () => {
    const { sub, secret } = await createUserWithTotp(pool);
    const row = await db
      .selectFrom('mfa_setting')
      .selectAll()
      .where('accountId', '=', sub)
      .executeTakeFirstOrThrow();
    expect(row.encryptedSecret?.length).toBeGreaterThan(secret.length);
    expect(row.encryptedSecret?.includes(Buffer.from(secret))).toBe(false);
  });

  it.each(['AssociateSoftwareToken', 'VerifySoftwareToken', 'SetUserMFAPreference', 'CreateRecoveryCodes'])(
    '[IDP-03] %s refuses a foreign access token',
    async (operation) => {
      const body = { AccessToken: 'x.y.z', UserCode: '123456' };
      expect((await pool.call(operation, body)).error).toBe('NotAuthorizedException: Invalid Access Token');
    },
  );

  it.each(['AssociateSoftwareToken', 'SetUserMFAPreference', 'CreateRecoveryCodes'])(
    '[IDP-03] %s requires a recent sign-in',
    async (operation) => {
      const { access: AccessToken } = await pool.createSignedInUser();
      const late = await pool.withClockAdvanced(11 * 60_000, () => pool.call(operation, { AccessToken }));
      expect(late.error).toBe('NotAuthorizedException: A recent sign-in is required');
    },
  );

  it.each([
    [{ SMSMfaSettings: { Enabled: true } }, 'User does not have delivery config set to turn on SMS_MFA'],
    [
      { EmailMfaSettings: { Enabled: false, PreferredMfa: true } },
      'Exactly one MFA method that is enabled can be preferred.',
    ],
  ])('[IDP-01] SetUserMFAPreference refuses %o', async (settings, message) => {
    const { access: AccessToken } = await pool.createSignedInUser();
    const response = await pool.call('SetUserMFAPreference', { AccessToken, ...settings });
    expect(response.error).toBe(`InvalidParameterException: ${message}`);
  });
});

describe('the challenge SOFTWARE_TOKEN_MFA', () => {
  it('[AUTH-13] follows the password, and a code signs in', async () => {
    const user = await createUserWithTotp(pool);
    expect((await pool.signIn(user.email, 'Wrong2026')).at('message')).toBe(
      'Incorrect username or password.',
    );
    const challenge = await pool.signIn(user.email);
    expect(challenge.body).toEqual({
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      ChallengeParameters: { USERNAME: user.sub },
      Session: expect.any(String),
    });
    const response = await answerChallenge(pool, challenge, user.code());
    expect(response.at('AuthenticationResult', 'TokenType')).toBe('Bearer');
  });

  it('[AUTH-13] follows a password in the clear too; the answer may name the user by address', async () => {
    const user = await createUserWithTotp(pool);
    const challenge = await pool.call('InitiateAuth', {
      ClientId: clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: user.email, PASSWORD: password },
    });
    const ChallengeResponses = {
      USERNAME: user.email.toUpperCase(),
      SOFTWARE_TOKEN_MFA_CODE: user.code(),
    };
    expect((await answerChallenge(pool, challenge, '', { ChallengeResponses })).status).toBe(200);
  });

  it('[IDP-03] a code can be used once, by concurrent requests and sign-ins too', async () => {
    const user = await createUserWithTotp(pool);
    const challenges = await Promise.all(Array.from({ length: 4 }, () => pool.signIn(user.email)));
    const code = user.code();
    const responses = await Promise.all(
      challenges.map((challenge) => answerChallenge(pool, challenge, code)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(responses.filter(({ status }) => status !== 200).map(({ error }) => error))).toEqual(
      new Set([used]),
    );
    expect((await answerChallenge(pool, await pool.signIn(user.email), user.code(-STEP_MS))).error).toBe(
      used,
    );
  });

  it('[IDP-03] a Session can be answered again after a wrong code, and is used up by a sign-in', async () => {
    const user = await createUserWithTotp(pool);
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, toWrongCode(user.code()))).error).toBe(mismatch);
    expect((await answerChallenge(pool, challenge, user.code())).status).toBe(200);
    expect((await answerChallenge(pool, challenge, user.code(STEP_MS))).at('message')).toBe(
      'Invalid session for the user, session can only be used once.',
    );
  });

  it('[IDP-03] five wrong codes lock the account, and a correct password does not end the lock', async () => {
    const user = await createUserWithTotp(pool);
    const wrongCode = toWrongCode(user.code());
    for (let n = 0; n < 5; n += 1) {
      const challenge = await pool.signIn(user.email);
      expect((await answerChallenge(pool, challenge, wrongCode)).error).toBe(mismatch);
    }
    const challenge = await pool.signIn(user.email);
    expect((await answerChallenge(pool, challenge, user.code())).error).toBe(locked);
    const accepted = await pool.withClockAdvanced(1000, () => answerChallenge(pool, challenge, user.code()));
    expect(accepted.status).toBe(200);
  });

  it('[IDP-03] counts concurrent wrong codes', async () => {
    const user = await createUserWithTotp(pool);
    const challenge = await pool.signIn(user.email);
    const wrongCode = toWrongCode(user.code());
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => answerChallenge(pool, challenge, wrongCode)),
    );
    expect(responses.map(({ error }) => error).sort()).toEqual([
      ...Array.from({ length: 5 }, () => mismatch),
      ...Array.from({ length: 3 }, () => locked),
    ]);
  });

  it('[IDP-03] expires after three minutes, and belongs to one user and one challenge', async () => {
    const user = await createUserWithTotp(pool);
    const other = await createUserWithTotp(pool);
    const challenge = await pool.signIn(user.email);
    const late = await pool.withClockAdvanced(180_000, () => answerChallenge(pool, challenge, user.code()));
    expect(late.at('message')).toBe('Invalid session for the user, session is expired.');
    const invalid = 'NotAuthorizedException: Invalid session for the user.';
    const ChallengeResponses = { USERNAME: other.sub, SOFTWARE_TOKEN_MFA_CODE: other.code() };
    expect((await answerChallenge(pool, challenge, '', { ChallengeResponses })).error).toBe(invalid);
    const selection = {
      ChallengeName: 'SELECT_MFA_TYPE',
      ChallengeResponses: { USERNAME: user.sub, ANSWER: 'x' },
    };
    expect((await answerChallenge(pool, challenge, '', selection)).error).toBe(invalid);
  });

  it('[AUTH-13] is not asked any more once the factor is turned off', async () => {
    const user = await createUserWithTotp(pool);
    const settings = { SoftwareTokenMfaSettings: { Enabled: false } };
    await pool.call('SetUserMFAPreference', { AccessToken: user.access, ...settings });
    expect((await pool.signIn(user.email)).at('AuthenticationResult', 'TokenType')).toBe('Bearer');
  });

  it('[AUTH-05] is still asked after a password reset', async () => {
    const user = await createUserWithTotp(pool);
    await pool.call('ForgotPassword', { ClientId: clientId, Username: user.email });
    const ConfirmationCode = await pool.getLatestCode(user.email);
    const reset = { ClientId: clientId, Username: user.email, ConfirmationCode, Password: 'Nueva2026' };
    await pool.call('ConfirmForgotPassword', reset);
    expect((await pool.signIn(user.email, 'Nueva2026')).at('ChallengeName')).toBe('SOFTWARE_TOKEN_MFA');
  });
});
