import { createTestDatabase } from '@escucho/database/testing';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createIdentityAdmin } from '../admin.ts';
import { openIdentityDatabase } from '../database.ts';
import { deleteExpiredRows } from '../expiry-repository.ts';
import { createSessionReader } from '../index.ts';
import { clientId, createTestPool, poolId, secret, startPool } from '../testing/pool.ts';

const { connection, pool, db } = await createTestPool();

const minute = 60_000;
const day = 24 * 60 * minute;

const getUser = (AccessToken: string) => pool.call('GetUser', { AccessToken });
const revoke = (Token: string) => pool.call('RevokeToken', { ClientId: clientId, Token });
const byInitiateAuth = (flow: string, REFRESH_TOKEN: string) =>
  pool.call('InitiateAuth', {
    ClientId: clientId,
    AuthFlow: flow,
    AuthParameters: { REFRESH_TOKEN, DEVICE_KEY: null },
  });

describe('refreshing', () => {
  it.each([
    ['GetTokensFromRefreshToken', pool.refresh],
    ['InitiateAuth REFRESH_TOKEN_AUTH', (token: string) => byInitiateAuth('REFRESH_TOKEN_AUTH', token)],
    ['InitiateAuth REFRESH_TOKEN', (token: string) => byInitiateAuth('REFRESH_TOKEN', token)],
  ])('[AUTH-10] %s gives new tokens of the same sign-in', async (_, refresh) => {
    const { access, refresh: token } = await pool.createSignedInUser();
    const reply = await pool.withClockAdvanced(10 * minute, () => refresh(token));
    const [before, after] = [decodeJwt(access), decodeJwt(reply.at('AuthenticationResult', 'AccessToken'))];
    expect(after.origin_jti).toBe(before.origin_jti);
    expect(after.auth_time).toBe(before.auth_time);
    expect(after.jti).not.toBe(before.jti);
    expect(Number(after.iat) - Number(before.iat)).toBeGreaterThanOrEqual(600);
    const next = reply.at('AuthenticationResult', 'RefreshToken');
    expect(next).not.toBe(token);
    expect((await pool.refresh(next)).status).toBe(200);
    expect(reply.at('AuthenticationResult', 'ExpiresIn')).toBe('3600');
  });

  it('[AUTH-10] is refused 30 days after the sign-in', async () => {
    const { refresh } = await pool.createSignedInUser();
    const reply = await pool.withClockAdvanced(30 * day, () => pool.refresh(refresh));
    expect(reply.error).toBe('NotAuthorizedException: Refresh Token has expired');
  });

  it.each(['nonsense', 'a.b.c', "' or 1=1 --"])('[AUTH-10] "%s" is no refresh token', async (token) => {
    expect((await pool.refresh(token)).error).toBe('NotAuthorizedException: Invalid Refresh Token');
  });

  it('[IDP-03] the database holds no refresh token, only its hash', async () => {
    const { refresh } = await pool.createSignedInUser();
    const rows = await db.selectFrom('refresh_token').select('hash').execute();
    expect(rows.some(({ hash }) => hash.toString().includes(refresh))).toBe(false);
    expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
  });

  it('[IDP-03] is refused for a disabled account', async () => {
    const { sub, access, refresh } = await pool.createSignedInUser();
    await db.updateTable('account').set({ enabled: false }).where('id', '=', sub).execute();
    expect((await pool.refresh(refresh)).error).toBe('NotAuthorizedException: User is disabled.');
    expect((await getUser(access)).error).toBe('NotAuthorizedException: User is disabled.');
  });

  it('[IDP-03] rotation replaces the token at every use, with a grace period', async () => {
    const { refresh: first } = await pool.createSignedInUser();
    const second = (await pool.refresh(first)).at('AuthenticationResult', 'RefreshToken');
    expect(second).not.toBe(first);
    const otherTab = await pool.withClockAdvanced(59_000, () => pool.refresh(first));
    expect(otherTab.status).toBe(200);
    const reused = await pool.withClockAdvanced(61_000, () => pool.refresh(first));
    expect(reused.at('__type')).toBe('RefreshTokenReuseException');
    for (const token of [second, otherTab.at('AuthenticationResult', 'RefreshToken')]) {
      expect((await pool.refresh(token)).error).toBe(
        'NotAuthorizedException: Refresh Token has been revoked',
      );
    }
  });

  it('[IDP-03] a stolen refresh token used twice ends the session of thief and owner', async () => {
    const { access, refresh: stolen } = await pool.createSignedInUser();
    const owners = (await pool.refresh(stolen)).at('AuthenticationResult', 'RefreshToken');
    const reader = createSessionReader({ connection, clock: pool.clock });
    const { origin_jti: id, sub } = decodeJwt(access);
    const isActive = () => reader.isSessionActive(String(id), String(sub));
    expect(await isActive()).toBe(true);
    await pool.withClockAdvanced(2 * minute, async () => {
      expect((await pool.refresh(stolen)).error).toBe(
        'RefreshTokenReuseException: Refresh Token has been used before',
      );
      expect((await pool.refresh(owners)).status).toBe(400);
    });
    expect(await isActive()).toBe(false);
    expect((await pool.call('GetUser', { AccessToken: access })).at('message')).toBe(
      'Access Token has been revoked',
    );
    await reader.close();
  });
});

describe('signing out', () => {
  it('[IDP-03] revoking a refresh token ends its session and no other', async () => {
    const { email, access, refresh } = await pool.createSignedInUser();
    const other = await pool.signIn(email);
    expect((await revoke(refresh)).body).toEqual({});
    expect((await pool.refresh(refresh)).error).toBe(
      'NotAuthorizedException: Refresh Token has been revoked',
    );
    expect((await getUser(access)).error).toBe('NotAuthorizedException: Access Token has been revoked');
    expect((await pool.refresh(other.at('AuthenticationResult', 'RefreshToken'))).status).toBe(200);
  });

  it('[IDP-01] ignores an unknown token and refuses an access token', async () => {
    const { access } = await pool.createSignedInUser();
    expect((await revoke('nonsense')).status).toBe(200);
    expect((await revoke(access)).at('__type')).toBe('UnsupportedTokenTypeException');
    expect((await getUser(access)).status).toBe(200);
  });

  it('[AUTH-09] GlobalSignOut revokes every session of the user and no other', async () => {
    const { email, access, refresh } = await pool.createSignedInUser();
    const other = await pool.signIn(email);
    const otherUser = await pool.createSignedInUser();
    expect((await pool.call('GlobalSignOut', { AccessToken: access })).body).toEqual({});
    for (const token of [refresh, other.at('AuthenticationResult', 'RefreshToken')]) {
      expect((await pool.refresh(token)).error).toBe(
        'NotAuthorizedException: Refresh Token has been revoked',
      );
    }
    expect((await pool.call('GlobalSignOut', { AccessToken: access })).error).toBe(
      'NotAuthorizedException: Access Token has been revoked',
    );
    expect((await getUser(otherUser.access)).status).toBe(200);
  });
});

it('[IDP-03] deletes expired rows and no others', async () => {
  const database = await createTestDatabase();
  const provider = await startPool(database);
  const rows = openIdentityDatabase(database, 'test', 1);
  const { email } = await provider.createUser();
  const reply = await provider.signIn(email);
  await provider.signIn('nobody@escucho.test');
  await provider.call('ForgotPassword', { ClientId: clientId, Username: email });
  const count = async () => {
    const tables = [
      'used_handshake',
      'verification_code',
      'session',
      'attempt_counter',
      'outbox_mail',
    ] as const;
    const counts = tables.map((table) =>
      rows.selectFrom(table).select(rows.fn.countAll<number>().as('rows')).executeTakeFirstOrThrow(),
    );
    return (await Promise.all(counts)).map((result) => result.rows > 0);
  };
  await deleteExpiredRows(rows, provider.clock());
  expect(await count()).toEqual([true, true, true, true, true]);
  expect((await provider.refresh(reply.at('AuthenticationResult', 'RefreshToken'))).status).toBe(200);
  await deleteExpiredRows(rows, new Date(Date.now() + 60 * day));
  expect(await count()).toEqual([false, false, false, false, false]);
  expect((await provider.signIn(email)).status).toBe(200);
  await rows.destroy();
});

const reader = createSessionReader({ connection, clock: pool.clock });
const admin = createIdentityAdmin({ connection, poolId, secret, clock: pool.clock });
afterAll(() => Promise.all([reader.close(), admin.close()]));

type SignedInUser = Awaited<ReturnType<typeof pool.createSignedInUser>>;

const isActive = ({ access }: SignedInUser) => {
  const { origin_jti: id, sub } = decodeJwt(access);
  return reader.isSessionActive(String(id), String(sub));
};

it.each<[string, (user: SignedInUser) => Promise<unknown>]>([
  ['sign-out', ({ refresh }) => pool.call('RevokeToken', { ClientId: clientId, Token: refresh })],
  ['global sign-out', ({ access }) => pool.call('GlobalSignOut', { AccessToken: access })],
  ['disabling the account', ({ email }) => admin.disableUser(email)],
  ['resetting the password', ({ email }) => admin.resetPassword(email)],
  ['deleting the account', ({ access }) => pool.call('DeleteUser', { AccessToken: access })],
])('[IDP-03] a session is inactive after %s, others stay active', async (_, endSession) => {
  const user = await pool.createSignedInUser();
  const other = await pool.createSignedInUser();
  expect(await isActive(user)).toBe(true);
  await endSession(user);
  expect(await isActive(user)).toBe(false);
  expect(await isActive(other)).toBe(true);
});

it('[IDP-03] a session is inactive once expired, and for another user', async () => {
  const user = await pool.createSignedInUser();
  const other = await pool.createSignedInUser();
  const { origin_jti: id } = decodeJwt(user.access);
  expect(await reader.isSessionActive(String(id), other.sub)).toBe(false);
  expect(await pool.withClockAdvanced(31 * 86_400_000, () => isActive(user))).toBe(false);
  expect(await reader.isSessionActive('', user.sub)).toBe(false);
});
