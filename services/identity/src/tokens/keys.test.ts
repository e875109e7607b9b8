import { generateKeyPairSync } from 'node:crypto';
import { createTestDatabase } from '@escucho/database/testing';
import { jwtVerify, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { open } from '../database.ts';
import { createSecrets } from '../secrets.ts';
import { poolId, secret } from '../testing/pool.ts';
import { keys, type SigningKey, signingKey } from './keys.ts';

const connection = await createTestDatabase();

const sign = (key: SigningKey) =>
  new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: key.id }).sign(key.privateKey);

it('[IDP-03] keys made after the first look are found half a minute later, and replaced ones stay good', async () => {
  const time = { now: new Date() };
  const getKey = keys({ connection, clock: () => time.now });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const unknown = await sign({ id: 'unknown', privateKey });
  await expect(jwtVerify(unknown, getKey)).rejects.toThrow('no applicable key');

  const db = open(connection, 'test', 1);
  const secrets = createSecrets(secret, poolId);
  const first = await signingKey(db, secrets, 'access', new Date());
  await db.updateTable('signing_key').set({ retired_at: new Date() }).execute();
  const second = await signingKey(db, secrets, 'access', new Date());
  expect(second.id).not.toBe(first.id);
  await expect(jwtVerify(await sign(second), getKey)).rejects.toThrow('no applicable key');
  time.now = new Date(time.now.getTime() + 30_000);
  for (const key of [first, second]) expect(await jwtVerify(await sign(key), getKey)).toBeDefined();
  await expect(jwtVerify(unknown, getKey)).rejects.toThrow('no applicable key');
  await db.destroy();
});
