import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Connection } from '@escucho/database';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { type Database, type KeyUse, open } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import {
  findKeyInUse,
  insertKey,
  listPublicKeys,
  type PublicKey,
  retireKeys,
  type StoredKey,
} from './repository.ts';

const generate = promisify(generateKeyPair);
const rereadAfter = 30_000;
const keyringMemory = 60_000;
const overlap = 600_000;

/** What signs a kind of token. */
export interface SigningKey {
  id: string;
  privateKey: KeyObject;
}

async function newKey(secrets: Secrets, use: KeyUse): Promise<StoredKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  const jwk = await exportJWK(publicKey);
  const id = await calculateJwkThumbprint(jwk);
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    id,
    use,
    modulus: jwk.n ?? '',
    exponent: jwk.e ?? '',
    sealedPrivateKey: secrets.seal('signing-key', `${use} ${id}`, plain),
  };
}

/**
 * The key in use for a kind of token, made where there is none. Throws where the database was made with another secret
 * or for another pool: nothing in it could be read.
 */
export async function signingKey(
  db: Database,
  secrets: Secrets,
  use: KeyUse,
  now: Date,
): Promise<SigningKey> {
  if (!(await findKeyInUse(db, use, now))) await insertKey(db, await newKey(secrets, use), now);
  const key = await findKeyInUse(db, use, now);
  const der = key && secrets.open('signing-key', `${use} ${key.id}`, key.sealedPrivateKey);
  if (!der) throw new Error('This database was made with another identity secret, or for another user pool.');
  return { id: key.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

/** The key in use for a kind of token. */
export type Keyring = (use: KeyUse) => Promise<SigningKey>;

/** The keys in use, looked up again once a minute: they may be rotated while this runs. */
export function createKeyring(db: Database, secrets: Secrets, clock: () => Date): Keyring {
  const known = new Map<KeyUse, { key: SigningKey; until: number }>();
  return async (use) => {
    const now = clock();
    const found = known.get(use);
    if (found && now.getTime() < found.until) return found.key;
    const key = await signingKey(db, secrets, use, now);
    known.set(use, { key, until: now.getTime() + keyringMemory });
    return key;
  };
}

/**
 * Puts new signing keys beside those in use, which go on for ten minutes: longer than anybody remembers the published
 * keys, so that nobody meets a token whose key they cannot know.
 */
export async function rotateKeys(db: Database, secrets: Secrets, now: Date): Promise<void> {
  const fresh = [await newKey(secrets, 'access'), await newKey(secrets, 'id')];
  await db.transaction().execute(async (tx) => {
    await retireKeys(tx, new Date(now.getTime() + overlap));
    for (const key of fresh) await insertKey(tx, key, now);
  });
}

/** Public keys as a JSON Web Key Set. */
export function keySet(keys: readonly PublicKey[]): JSONWebKeySet {
  return {
    keys: keys.map(({ id, modulus, exponent }) => ({
      kid: id,
      alg: 'RS256',
      kty: 'RSA',
      e: exponent,
      n: modulus,
      use: 'sig',
    })),
  };
}

/**
 * The key of a token for jose's `jwtVerify`, without HTTP, in any process that reaches the database. Keys are read
 * when first needed, and again, twice a minute at most, for a token signed with one not seen yet.
 */
export function keys({
  connection,
  clock = () => new Date(),
}: {
  connection: Connection;
  clock?: () => Date;
}): JWTVerifyGetKey {
  let known: Promise<JWTVerifyGetKey> | undefined;
  let readAt = 0;

  async function read(): Promise<JWTVerifyGetKey> {
    const db = open(connection, 'escucho identity keys', 1);
    try {
      return createLocalJWKSet(keySet(await listPublicKeys(db)));
    } finally {
      await db.destroy();
    }
  }
  function reread(): Promise<JWTVerifyGetKey> {
    readAt = clock().getTime();
    known = read();
    known.catch(() => {
      known = undefined;
    });
    return known;
  }

  return async (header, token) => {
    const getKey = await (known ?? reread());
    try {
      return await getKey(header, token);
    } catch (error) {
      const fresh = clock().getTime() - readAt < rereadAfter;
      if (fresh || !(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await reread())(header, token);
    }
  };
}
