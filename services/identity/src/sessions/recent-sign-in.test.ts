import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTestPool, newAddress } from '../testing/pool.ts';

const { pool } = await createTestPool();
const ELEVEN_MINUTES_MS = 11 * 60_000;
const required = 'NotAuthorizedException: A recent sign-in is required';

const changeEmail = (AccessToken: string, email = newAddress()) =>
  pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value: email }] });

/** Runs a task eleven minutes after a user has signed in, with an access token that was just refreshed. */
async function withOldSignIn<T>(task: (access: string, user: { email: string }) => Promise<T>): Promise<T> {
  const { email, refresh } = await pool.createSignedInUser();
  return pool.withClockAdvanced(ELEVEN_MINUTES_MS, async () => {
    const refreshed = (await pool.refresh(refresh)).at('AuthenticationResult', 'AccessToken');
    return task(refreshed, { email });
  });
}

describe('eleven minutes after the sign-in', () => {
  it('[IDP-01] auth_time remains the time of the sign-in after a refresh', async () => {
    const { access, refresh } = await pool.createSignedInUser();
    const refreshed = await pool.withClockAdvanced(ELEVEN_MINUTES_MS, () => pool.refresh(refresh));
    const before = decodeJwt(access);
    const after = decodeJwt(refreshed.at('AuthenticationResult', 'AccessToken'));
    expect(after.auth_time).toBe(before.auth_time);
    expect(Number(after.iat) - Number(before.iat)).toBe(660);
  });

  it('[IDP-03] a new email address is refused', async () => {
    await withOldSignIn(async (access) => expect((await changeEmail(access)).error).toBe(required));
  });

  it('[IDP-03] the code of a new email address is refused and remains valid', async () => {
    const { email, access, refresh } = await pool.createSignedInUser();
    const next = newAddress();
    await changeEmail(access, next);
    const verification = { AttributeName: 'email', Code: await pool.getLatestCode(next) };
    await pool.withClockAdvanced(ELEVEN_MINUTES_MS, async () => {
      const old = (await pool.refresh(refresh)).at('AuthenticationResult', 'AccessToken');
      expect((await pool.call('VerifyUserAttribute', { AccessToken: old, ...verification })).error).toBe(
        required,
      );
      const recent = (await pool.signIn(email)).at('AuthenticationResult', 'AccessToken');
      expect((await pool.call('VerifyUserAttribute', { AccessToken: recent, ...verification })).status).toBe(
        200,
      );
    });
  });

  it('[IDP-03] DeleteUser is refused until the user signs in again', async () => {
    await withOldSignIn(async (access, { email }) => {
      expect((await pool.call('DeleteUser', { AccessToken: access })).error).toBe(required);
      const recent = (await pool.signIn(email)).at('AuthenticationResult', 'AccessToken');
      expect((await pool.call('DeleteUser', { AccessToken: recent })).status).toBe(200);
    });
  });

  it('signing out all other devices is refused with the challenge of RFC 9470', async () => {
    await withOldSignIn(async (access) => {
      const headers = { authorization: `Bearer ${access}` };
      const response = await pool.app.inject({ method: 'DELETE', url: '/identity/sessions', headers });
      expect([response.statusCode, response.json().error.code]).toEqual([401, 'reauthentication_required']);
      expect(response.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_user_authentication", max_age=600',
      );
    });
  });

  it('[IDP-01] names can still be changed', async () => {
    await withOldSignIn(async (AccessToken) => {
      const UserAttributes = [{ Name: 'given_name', Value: 'Ana' }];
      expect((await pool.call('UpdateUserAttributes', { AccessToken, UserAttributes })).status).toBe(200);
    });
  });
});
