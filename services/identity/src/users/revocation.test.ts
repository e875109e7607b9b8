import { countLockWaiters } from '@escucho/database/testing';
import { describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { sessionRepository } from '../sessions/repository.ts';
import { authorize, baseUrl, getLocation, oauthOptions } from '../testing/browser.ts';
import { clientId, createTestPool, newAddress, password } from '../testing/pool.ts';
import { deleteUser } from './repository.ts';

const { pool, db } = await createTestPool({ customAuth: true, oauth: oauthOptions });
const newPassword = 'Nueva2026';
const expired = 'ExpiredCodeException: Invalid code provided, please request a code again.';

const forgot = (Username: string) => pool.call('ForgotPassword', { ClientId: clientId, Username });
const reset = (Username: string, ConfirmationCode: string, Password = newPassword) =>
  pool.call('ConfirmForgotPassword', { ClientId: clientId, Username, ConfirmationCode, Password });
const requestEmail = (AccessToken: string, Value: string) =>
  pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value }] });
const verifyEmail = (AccessToken: string, Code: string) =>
  pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code });
const getRefreshToken = async (email: string) =>
  (await pool.signIn(email)).at('AuthenticationResult', 'RefreshToken');

describe('a new email address', () => {
  it('[IDP-03] revokes every other session, not the one that changed it', async () => {
    const { email, access, refresh } = await pool.createSignedInUser();
    const other = await getRefreshToken(email);
    const next = newAddress();
    await requestEmail(access, next);
    expect((await verifyEmail(access, await pool.getLatestCode(next))).status).toBe(200);
    expect((await pool.refresh(other)).error).toBe('NotAuthorizedException: Refresh Token has been revoked');
    expect((await pool.refresh(refresh)).status).toBe(200);
  });

  it('[IDP-03] revokes a code for a new password that was sent to the previous address', async () => {
    const { email, access } = await pool.createSignedInUser();
    await forgot(email);
    const code = await pool.getLatestCode(email);
    const next = newAddress();
    await requestEmail(access, next);
    await verifyEmail(access, await pool.getLatestCode(next));
    expect((await reset(next, code)).error).toBe(expired);
    expect((await pool.signIn(next, password)).status).toBe(200);
  });
});

describe('a session at the hosted pages', () => {
  it.each<[string, (tx: Database, userId: string) => Promise<void>]>([
    ['revokes it', (tx, userId) => sessionRepository.revokeAll(tx, userId, pool.clock())],
    ['deletes its user', deleteUser],
  ])('[IDP-03] grants no code while a transaction %s', async (_, revoke) => {
    const { email, sub } = await pool.createUser();
    const { browser, query } = await authorize(pool.app, { email, password });
    const request = async () => getLocation(await browser.get(`${baseUrl}/oauth2/authorize?${query}`));
    expect((await request()).searchParams.has('code')).toBe(true);
    let hasResponse = false;
    const attempt = await db.transaction().execute(async (tx) => {
      await revoke(tx, sub);
      const location = request().finally(() => {
        hasResponse = true;
      });
      await expect.poll(async () => hasResponse || (await countLockWaiters(db)) === 1).toBe(true);
      return { location };
    });
    expect((await attempt.location).pathname).toBe('/identity/login');
  });
});

describe('a new password by code', () => {
  it('[IDP-03] revokes a pending change of the address and its code', async () => {
    const { email, access } = await pool.createSignedInUser();
    const strangers = newAddress();
    await requestEmail(access, strangers);
    await forgot(email);
    await reset(email, await pool.getLatestCode(email));
    const recent = (await pool.signIn(email, newPassword)).at('AuthenticationResult', 'AccessToken');
    expect((await verifyEmail(recent, await pool.getLatestCode(strangers))).error).toBe(expired);
    const { body } = await pool.call('GetUserAttributeVerificationCode', {
      AccessToken: recent,
      AttributeName: 'email',
    });
    expect(body).toMatchObject({ CodeDeliveryDetails: { Destination: 'u***@e***' } });
  });

  it('[IDP-04] notifies the owner in both languages where theirs is unknown', async () => {
    const { email } = await pool.createUser();
    await forgot(email);
    await reset(email, await pool.getLatestCode(email));
    expect(await pool.listNotifications(email)).toEqual([
      'Your Escucho account has a new password · Tu cuenta de Escucho tiene otra contraseña',
    ]);
  });
});

describe('a changed password', () => {
  it('[IDP-03] [IDP-04] revokes a code for signing in, and notifies the owner', async () => {
    const { email, access: AccessToken } = await pool.createSignedInUser();
    const initiation = { ClientId: clientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: email } };
    const challenge = await pool.call('InitiateAuth', initiation);
    const ANSWER = await pool.getLatestCode(email);
    await pool.call('ChangePassword', {
      AccessToken,
      PreviousPassword: password,
      ProposedPassword: newPassword,
    });
    const reply = await pool.call('RespondToAuthChallenge', {
      ClientId: clientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeResponses: { USERNAME: email, ANSWER },
      Session: challenge.at('Session'),
    });
    expect(reply.at('AuthenticationResult', 'AccessToken')).toBe('undefined');
    expect(await pool.listNotifications(email)).toHaveLength(1);
  });
});

it('[AUTH-03] a common password is refused in sign-up, reset and change, and changes nothing', async () => {
  const common = 'Password1';
  const error = 'InvalidPasswordException: Password did not conform with policy: Password is too common';
  expect((await pool.signUp(newAddress(), { Password: common })).error).toBe(error);
  const { email, access: AccessToken } = await pool.createSignedInUser();
  const change = { AccessToken, PreviousPassword: password, ProposedPassword: common };
  expect((await pool.call('ChangePassword', change)).error).toBe(error);
  await forgot(email);
  const code = await pool.getLatestCode(email);
  expect((await reset(email, code, common)).error).toBe(error);
  expect((await pool.signIn(email)).status).toBe(200);
  expect((await reset(email, code)).status).toBe(200);
});
