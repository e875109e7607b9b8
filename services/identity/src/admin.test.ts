import { findAuditEvents } from '@escucho/audit';
import { countLockWaiters, createTestDatabase } from '@escucho/database/testing';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createIdentityAdmin, seedAccount, UserLookupError } from './admin.ts';
import { createSecrets } from './crypto.ts';
import { createUserWithTotp } from './testing/authenticator-app.ts';
import { clientId, createTestPool, poolId, secret, startPool } from './testing/pool.ts';
import { createUserRepository } from './users/repository.ts';

const { connection, pool, db } = await createTestPool();
const admin = createIdentityAdmin({ connection, poolId, secret });
afterAll(admin.close);
const users = createUserRepository(createSecrets(secret, poolId));

const getRefreshToken = async (email: string) =>
  (await pool.signIn(email)).at('AuthenticationResult', 'RefreshToken');

describe('an operator', () => {
  it('[IDP-03] disables a user and revokes every session, and enables them again', async () => {
    const { email, sub } = await pool.createUser();
    const refresh = await getRefreshToken(email);
    expect(await admin.disableUser(email.toUpperCase())).toMatchObject({ email, enabled: false });
    expect((await pool.signIn(email)).at('message')).toBe('User is disabled.');
    expect((await pool.refresh(refresh)).status).toBe(400);
    await admin.enableUser(sub);
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('[IDP-03] resets a password: sign-in requires a reset, which a code completes', async () => {
    const { email } = await pool.createUser();
    const refresh = await getRefreshToken(email);
    await admin.resetPassword(email);
    expect((await pool.signIn(email)).at('__type')).toBe('PasswordResetRequiredException');
    expect((await pool.refresh(refresh)).status).toBe(400);
    await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
    const ConfirmationCode = await pool.getLatestCode(email);
    const renewal = { ClientId: clientId, Username: email, ConfirmationCode, Password: 'Nueva2026' };
    expect((await pool.call('ConfirmForgotPassword', renewal)).status).toBe(200);
    expect((await pool.signIn(email, 'Nueva2026')).status).toBe(200);
  });

  it('[IDP-03] refuses to reset a sign-up, which its code still confirms', async () => {
    const email = 'unconfirmed-reset@escucho.test';
    await pool.signUp(email);
    await expect(admin.resetPassword(email)).rejects.toThrow(`${email} has not confirmed the address.`);
    const confirmation = { ClientId: clientId, Username: email };
    const ConfirmationCode = await pool.getLatestCode(email);
    expect((await pool.call('ConfirmSignUp', { ...confirmation, ConfirmationCode })).status).toBe(200);
  });

  it('[IDP-03] resets a password while its user signs in with it: the sign-in is refused', async () => {
    const { email, sub } = await pool.createUser();
    const attempt = await db.transaction().execute(async (tx) => {
      await users.update(tx, sub, { status: 'RESET_REQUIRED' }, pool.clock());
      const signIn = pool.signIn(email);
      await expect.poll(() => countLockWaiters(db)).toBe(1);
      return { signIn };
    });
    expect((await attempt.signIn).at('__type')).toBe('PasswordResetRequiredException');
  });

  it('[IDP-03] removes lost factors: the password suffices, sessions end, the owner is notified', async () => {
    const user = await createUserWithTotp(pool);
    const before = await pool.listNotifications(user.email);
    await pool.call('CreateRecoveryCodes', { AccessToken: user.access });
    await admin.removeFactors(user.email);
    expect((await pool.refresh(user.refresh)).status).toBe(400);
    const response = await pool.signIn(user.email);
    const AccessToken = response.at('AuthenticationResult', 'AccessToken');
    expect((await pool.call('GetRecoveryCodes', { AccessToken })).body).toEqual({ RemainingCount: 0 });
    const [event] = await findAuditEvents(db, { userId: user.sub, types: ['mfa_disabled'] }, 10);
    expect(event).toMatchObject({ actor: 'system', details: { method: 'SOFTWARE_TOKEN_MFA' } });
    await admin.removeFactors(user.email);
    expect((await pool.listNotifications(user.email)).slice(0, -before.length)).toEqual([
      'A second factor of your Escucho account was removed · Se quitó un segundo factor de tu cuenta de Escucho',
    ]);
  });

  it('[IDP-03] deletes a user, and the address can sign up again', async () => {
    const { email } = await pool.createUser();
    await admin.deleteUser(email);
    expect((await pool.signIn(email)).status).toBe(400);
    expect((await pool.signUp(email)).status).toBe(200);
  });

  it('searches users by a substring of their address, with wildcards escaped', async () => {
    const { email } = await pool.createUser();
    expect(await admin.listUsers(email.slice(7, 20), 10)).toMatchObject([{ email, status: 'CONFIRMED' }]);
    expect(await admin.listUsers('%', 10)).toEqual([]);
    expect((await admin.listUsers('', 2)).length).toBe(2);
  });

  it('refuses a name that matches no account, or more than one', async () => {
    const { email } = await pool.createUser();
    const profile = { subject: 'AbC_1', email, emailVerified: true, givenName: null, familyName: null };
    const id = await users.upsertFederatedUser(db, 'google', profile, new Date());
    await expect(admin.disableUser(email)).rejects.toThrow(/several accounts: .*google_AbC_1/);
    const usernames = (await admin.findUsersByEmail(email.toUpperCase())).map(({ username }) => username);
    expect([usernames.length, usernames.includes('google_AbC_1')]).toEqual([2, true]);
    expect(await admin.disableUser('google_AbC_1')).toMatchObject({
      username: 'google_AbC_1',
      enabled: false,
    });
    await expect(admin.resetPassword(id)).rejects.toThrow('google_AbC_1 has no password here.');
    await expect(admin.deleteUser('nobody@escucho.test')).rejects.toThrow(UserLookupError);
    await expect(admin.deleteUser('google_AbCx1')).rejects.toThrow(UserLookupError);
  });

  it('[IDP-03] rotates keys: tokens of the old and the new keys are valid', async () => {
    const { email } = await pool.createUser();
    const before = await pool.signIn(email);
    const access = before.at('AuthenticationResult', 'AccessToken');
    await admin.rotateKeys();
    expect((await pool.call('GetUser', { AccessToken: access })).status).toBe(200);
    const refresh = before.at('AuthenticationResult', 'RefreshToken');
    // The cache of public keys uses the time of the system.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 660_000 });
    onTestFinished(() => void vi.useRealTimers());
    await pool.withClockAdvanced(660_000, async () => {
      const after = (await pool.refresh(refresh)).at('AuthenticationResult', 'AccessToken');
      expect(after.split('.')[0]).not.toBe(access.split('.')[0]);
      expect((await pool.call('GetUser', { AccessToken: after })).status).toBe(200);
      expect((await pool.call('GetUser', { AccessToken: access })).status).toBe(200);
    });
  });
});

it('a seeded account signs in; seeding again changes nothing', async () => {
  const connection = await createTestDatabase();
  const options = { connection, poolId, secret };
  const demo = { email: 'Demo@escucho.test', password: 'Escucho2026', firstName: 'Demo', lastName: 'Reader' };
  const id = await seedAccount(options, demo);
  expect(await seedAccount(options, { ...demo, password: 'Otra2026x' })).toBe(id);
  const pool = await startPool(connection);
  const reply = await pool.signIn('demo@escucho.test', 'Escucho2026');
  const user = await pool.call('GetUser', { AccessToken: reply.at('AuthenticationResult', 'AccessToken') });
  expect(user.at('Username')).toBe(id);
  expect(user.body).toMatchObject({
    UserAttributes: expect.arrayContaining([
      { Name: 'email_verified', Value: 'true' },
      { Name: 'given_name', Value: 'Demo' },
      { Name: 'family_name', Value: 'Reader' },
    ]),
  });
});
