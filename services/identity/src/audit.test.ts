import { findAuditEvents } from '@escucho/audit';
import { describe, expect, it } from 'vitest';
import { authorize, exchangeCode, oauthOptions } from './testing/browser.ts';
import { clientId, createTestPool, password } from './testing/pool.ts';

const { pool, db } = await createTestPool({ oauth: oauthOptions });
/** Returns the kinds of the events about a user, oldest first. */
async function findTypes(userId: string) {
  const events = await findAuditEvents(db, { userId }, 100);
  return events.map(({ type }) => type).toReversed();
}

const { call, signIn } = pool;

describe('the audit log', () => {
  it('has sign-ins, wrong passwords, the lockout, and the end of sessions', async () => {
    const { sub: id, email } = await pool.createUser();
    const before = await findTypes(id);
    const AccessToken = (await signIn(email, password)).at('AuthenticationResult', 'AccessToken');
    await call('GlobalSignOut', { AccessToken });
    for (let attempt = 1; attempt <= 6; attempt += 1) await signIn(email, 'Wrong2026');
    expect((await findTypes(id)).slice(before.length)).toEqual([
      'signed_in',
      'sessions_revoked',
      ...Array.from({ length: 4 }, () => 'sign_in_failed'),
      'account_locked',
    ]);
    const [latest] = await findAuditEvents(db, { userId: id }, 1);
    expect(latest).toMatchObject({
      actor: 'anonymous',
      network: '127.0.0.0/24',
      details: { method: 'password' },
    });
  });

  it('has the codes of a new password with purpose and masked address, and the password', async () => {
    const { sub: id, email } = await pool.createUser();
    const before = await findTypes(id);
    await call('ForgotPassword', { ClientId: clientId, Username: email });
    const reset = { ClientId: clientId, Username: email, Password: 'Another2026' };
    const code = await pool.getLatestCode(email);
    await call('ConfirmForgotPassword', {
      ...reset,
      ConfirmationCode: code === '000000' ? '000001' : '000000',
    });
    await call('ConfirmForgotPassword', { ...reset, ConfirmationCode: code });
    const types = ['code_sent', 'code_rejected', 'code_redeemed', 'password_reset'];
    expect((await findTypes(id)).slice(before.length)).toEqual(types);
    const [sent] = await findAuditEvents(db, { userId: id, types: ['code_sent'] }, 1);
    expect(sent?.details).toEqual({
      purpose: 'reset',
      email: `${email.slice(0, 1)}***@${email.split('@')[1]?.slice(0, 1)}***`,
    });
  });

  it('has a sign-out once, also where its request is repeated', async () => {
    const { sub: id, email } = await pool.createUser();
    const before = await findTypes(id);
    const Token = (await signIn(email, password)).at('AuthenticationResult', 'RefreshToken');
    for (let times = 0; times < 2; times += 1)
      expect((await call('RevokeToken', { ClientId: clientId, Token })).status).toBe(200);
    expect((await findTypes(id)).slice(before.length)).toEqual(['signed_in', 'signed_out']);
  });

  it('has the second use of an authorization code, once', async () => {
    const { sub: id, email } = await pool.createUser();
    const before = await findTypes(id);
    const { code, verifier } = await authorize(pool.app, { email, password });
    for (const status of [200, 400, 400])
      expect((await exchangeCode(pool.app, code, verifier)).statusCode).toBe(status);
    expect((await findTypes(id)).slice(before.length)).toEqual(['signed_in', 'authorization_code_reused']);
    const [reuse] = await findAuditEvents(db, { userId: id }, 1);
    expect(reuse?.actor).toBe('anonymous');
  });

  it('contains no address, password, code or token', async () => {
    const { email } = await pool.createUser();
    const reply = await signIn(email, password);
    await signIn(email, 'Wrong2026');
    const text = JSON.stringify(await findAuditEvents(db, {}, 1000));
    const tokens = ['AccessToken', 'IdToken', 'RefreshToken'].map((name) =>
      reply.at('AuthenticationResult', name),
    );
    for (const secret of [email, password, 'Wrong2026', ...tokens]) expect(text).not.toContain(secret);
  });

  it('records a failure for an unknown address, about nobody', async () => {
    const count = async () => (await findAuditEvents(db, { types: ['sign_in_failed'] }, 1000)).length;
    const before = await count();
    await signIn('nobody@escucho.test', 'Wrong2026');
    expect(await count()).toBe(before + 1);
    const [event] = await findAuditEvents(db, { types: ['sign_in_failed'] }, 1);
    expect(event?.userId).toBeNull();
  });

  it('keeps events of a deleted account without the person', async () => {
    const { sub: id, email } = await pool.createUser();
    const AccessToken = (await signIn(email, password)).at('AuthenticationResult', 'AccessToken');
    await call('DeleteUser', { AccessToken });
    expect(await findTypes(id)).toEqual([]);
    const [deletion] = await findAuditEvents(db, { types: ['account_deleted'] }, 1);
    expect(deletion).toMatchObject({ userId: null, actor: 'anonymous' });
  });
});
