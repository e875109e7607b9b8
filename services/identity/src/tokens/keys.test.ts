import { generateKeyPairSync } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSecrets } from '../crypto.ts';
import { openIdentityDatabase } from '../database.ts';
import { deleteExpiredRows } from '../expiry-repository.ts';
import { poolId, secret } from '../testing/pool.ts';
import {
  createKeyring,
  createPublicKeyResolver,
  getSigningKey,
  rotateKeys,
  type SigningKey,
} from './keys.ts';
import { listPublicKeys } from './repository.ts';

const connection = await createTestDatabase();

// The cache of public keys uses the time of the system.
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => vi.useRealTimers());

const sign = (key: SigningKey) =>
  new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: key.id }).sign(key.privateKey);

it('[IDP-03] new keys are found after half a minute, and retired ones stay valid', async () => {
  const getKey = createPublicKeyResolver(connection);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const unknown = await sign({ id: 'unknown', privateKey });
  await expect(jwtVerify(unknown, getKey)).rejects.toThrow('no applicable key');

  const db = openIdentityDatabase(connection, 'test', 1);
  const secrets = createSecrets(secret, poolId);
  const first = await getSigningKey(db, secrets, 'access', new Date());
  await db.updateTable('signing_key').set({ retiredAt: new Date() }).execute();
  const second = await getSigningKey(db, secrets, 'access', new Date());
  expect(second.id).not.toBe(first.id);
  await expect(jwtVerify(await sign(second), getKey)).rejects.toThrow('no applicable key');
  vi.advanceTimersByTime(30_000);
  for (const key of [first, second]) expect(await jwtVerify(await sign(key), getKey)).toBeDefined();
  await expect(jwtVerify(unknown, getKey)).rejects.toThrow('no applicable key');
  await db.destroy();
});

it('[IDP-03] rotated keys sign after ten minutes; deleted ones are no longer trusted', async () => {
  const clock = () => new Date();
  const db = openIdentityDatabase(connection, 'test', 1);
  const secrets = createSecrets(secret, poolId);
  const keyring = createKeyring(db, secrets, clock);
  const before = { access: await keyring('access'), id: await keyring('id') };
  await rotateKeys(db, secrets, clock());
  const published = (await listPublicKeys(db)).map(({ id }) => id);
  vi.advanceTimersByTime(599_000);
  expect((await keyring('access')).id).toBe(before.access.id);
  vi.advanceTimersByTime(61_000);
  for (const use of ['access', 'id'] as const) {
    const after = await keyring(use);
    expect(after.id).not.toBe(before[use].id);
    expect(published).toContain(after.id);
    expect(published).toContain(before[use].id);
  }
  const getKey = createPublicKeyResolver(connection);
  expect(await jwtVerify(await sign(before.access), getKey)).toBeDefined();
  await deleteExpiredRows(db, new Date(Date.now() + 26 * 3_600_000));
  expect((await listPublicKeys(db)).map(({ id }) => id)).not.toContain(before.access.id);
  vi.advanceTimersByTime(600_000);
  await expect(jwtVerify(await sign(before.access), getKey)).rejects.toThrow('no applicable key');
  expect((await keyring('access')).id).not.toBe(before.access.id);
  await db.destroy();
});
