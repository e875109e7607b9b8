import { decodeJwt } from 'jose';
import { afterAll, expect, it } from 'vitest';
import { createIdentityAdmin } from '../admin.ts';
import { createSessionReader } from '../index.ts';
import { clientId, createTestPool, poolId, secret } from '../testing/pool.ts';

const { connection, pool } = await createTestPool();
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

it('[IDP-03] a session is inactive once it has expired, and for another user', async () => {
  const user = await pool.createSignedInUser();
  const other = await pool.createSignedInUser();
  const { origin_jti: id } = decodeJwt(user.access);
  expect(await reader.isSessionActive(String(id), other.sub)).toBe(false);
  expect(await pool.withClockAdvanced(31 * 86_400_000, () => isActive(user))).toBe(false);
  expect(await reader.isSessionActive('', user.sub)).toBe(false);
});
