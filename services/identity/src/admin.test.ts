import { afterAll, describe, expect, it } from 'vitest';
import { identityAdmin, NameFault } from './admin.ts';
import { federationRepository } from './federation/repository.ts';
import { clientId, poolId, secret } from './testing/pool.ts';
import { testPool } from './testing/test-pool.ts';

const { connection, pool, db } = await testPool();
const admin = identityAdmin({ connection, poolId, secret });
afterAll(admin.close);

const refreshOf = async (email: string) =>
  (await pool.signIn(email)).at('AuthenticationResult', 'RefreshToken');

describe('an operator', () => {
  it('[IDP-03] disables somebody, which ends every session, and enables them again', async () => {
    const { email, sub } = await pool.member();
    const refresh = await refreshOf(email);
    expect(await admin.disable(email.toUpperCase())).toMatchObject({ email, enabled: false });
    expect((await pool.signIn(email)).at('message')).toBe('User is disabled.');
    expect((await pool.refresh(refresh)).status).toBe(400);
    await admin.enable(sub);
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('[IDP-03] resets a password: the old one is refused in Cognito’s words, a code brings a new one', async () => {
    const { email } = await pool.member();
    const refresh = await refreshOf(email);
    await admin.reset(email);
    expect((await pool.signIn(email)).at('__type')).toBe('PasswordResetRequiredException');
    expect((await pool.refresh(refresh)).status).toBe(400);
    await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
    const ConfirmationCode = await pool.newest(email);
    const renewal = { ClientId: clientId, Username: email, ConfirmationCode, Password: 'Nueva2026' };
    expect((await pool.call('ConfirmForgotPassword', renewal)).status).toBe(200);
    expect((await pool.signIn(email, 'Nueva2026')).status).toBe(200);
  });

  it('[IDP-03] deletes somebody, and frees the address', async () => {
    const { email } = await pool.member();
    await admin.remove(email);
    expect((await pool.signIn(email)).status).toBe(400);
    expect((await pool.signUp(email)).status).toBe(200);
  });

  it('finds people by a part of their address, a wildcard being a letter like others', async () => {
    const { email } = await pool.member();
    expect(await admin.list(email.slice(7, 20), 10)).toMatchObject([{ email, status: 'CONFIRMED' }]);
    expect(await admin.list('%', 10)).toEqual([]);
    expect((await admin.list('', 2)).length).toBe(2);
  });

  it('is told when a name means nobody, or more than one account', async () => {
    const { email } = await pool.member();
    const said = { subject: 'AbC_1', email, emailVerified: true, givenName: null, familyName: null };
    const id = await federationRepository.keep(db, 'google', said, new Date());
    await expect(admin.disable(email)).rejects.toThrow(/several accounts: .*google_AbC_1/);
    expect(await admin.disable('google_AbC_1')).toMatchObject({ username: 'google_AbC_1', enabled: false });
    await expect(admin.reset(id)).rejects.toThrow('google_AbC_1 has no password here.');
    await expect(admin.remove('nobody@escucho.test')).rejects.toThrow(NameFault);
    await expect(admin.remove('google_AbCx1')).rejects.toThrow(NameFault);
  });

  it('[IDP-03] rotates keys: tokens of before and after are good, and nobody signs in again', async () => {
    const { email } = await pool.member();
    const before = await pool.signIn(email);
    const access = before.at('AuthenticationResult', 'AccessToken');
    await admin.rotateKeys();
    expect((await pool.call('GetUser', { AccessToken: access })).status).toBe(200);
    const refresh = before.at('AuthenticationResult', 'RefreshToken');
    await pool.later(660_000, async () => {
      const after = (await pool.refresh(refresh)).at('AuthenticationResult', 'AccessToken');
      expect(after.split('.')[0]).not.toBe(access.split('.')[0]);
      expect((await pool.call('GetUser', { AccessToken: after })).status).toBe(200);
      expect((await pool.call('GetUser', { AccessToken: access })).status).toBe(200);
    });
  });
});
