import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type Connection, DatabaseError } from '@escucho/database';
import {
  calculateJwkThumbprint,
  createRemoteJWKSet,
  customFetch,
  exportJWK,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { createSecrets, type Secrets } from '../crypto.ts';
import { type Database, type KeyUse, openIdentityDatabase } from '../database.ts';
import {
  findActiveKey,
  insertKey,
  listPublicKeys,
  type PublicKey,
  retireKeys,
  type StoredKey,
} from './repository.ts';

const generateKey = promisify(generateKeyPair);
const JWKS_COOLDOWN_MS = 30_000;
const JWKS_MAX_AGE_MS = 600_000;
const KEYRING_CACHE_MS = 60_000;
const ROTATION_OVERLAP_MS = 600_000;

/** The private key that signs a kind of token. */
export interface SigningKey {
  id: string;
  privateKey: KeyObject;
}

/** Generates a key for a kind of token, with its private key encrypted. */
export async function createKey(secrets: Secrets, use: KeyUse): Promise<StoredKey> {
  const { privateKey, publicKey } = await generateKey('rsa', { modulusLength: 2048 });
  const jwk = await exportJWK(publicKey);
  const id = await calculateJwkThumbprint(jwk);
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    id,
    use,
    modulus: jwk.n ?? '',
    exponent: jwk.e ?? '',
    encryptedPrivateKey: secrets.encrypt('signing-key', `${use} ${id}`, pkcs8),
  };
}

const createSecretsDifferError = () =>
  new DatabaseError(
    'secrets-differ',
    'This database was made with another identity secret, or for another user pool, so that nobody could sign in. Set ' +
      'DATA_DIR, SECRETS or SECRETS_FILE to the secrets it was made with.',
  );

/** @throws DatabaseError `secrets-differ` */
function decryptKey(secrets: Secrets, use: KeyUse, { id, encryptedPrivateKey }: StoredKey): Buffer {
  const der = secrets.decrypt('signing-key', `${use} ${id}`, encryptedPrivateKey);
  if (der) return der;
  throw createSecretsDifferError();
}

/**
 * Checks that nothing is written with secrets that the processes of the product do not have.
 *
 * @param findSecrets - returns the installation's secrets; undefined where they have not been created
 * @throws DatabaseError `secrets-differ` where the database was created with another secret or for another pool
 */
export async function assertSecretsMatch(
  connection: Connection,
  findSecrets: () => Promise<{ poolId: string; secret: string } | undefined>,
): Promise<void> {
  await using db = openIdentityDatabase(connection, 'escucho identity secrets', 1);
  const key = await findActiveKey(db, 'access', new Date());
  if (!key) return;
  // After the key: a process that starts at the same time creates its secrets before its keys.
  const found = await findSecrets();
  if (!found) throw createSecretsDifferError();
  decryptKey(createSecrets(found.secret, found.poolId), 'access', key);
}

/**
 * Returns the active key for a kind of token, and creates it where there is none.
 *
 * @throws DatabaseError `secrets-differ` where the database was created with another secret or for another pool
 */
export async function getSigningKey(
  db: Database,
  secrets: Secrets,
  use: KeyUse,
  now: Date,
): Promise<SigningKey> {
  if (!(await findActiveKey(db, use, now))) await insertKey(db, await createKey(secrets, use), now);
  const key = await findActiveKey(db, use, now);
  if (!key) throw new Error(`There is no key for ${use} tokens.`);
  const der = decryptKey(secrets, use, key);
  return { id: key.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

export type Keyring = (use: KeyUse) => Promise<SigningKey>;

/** Creates a keyring that caches the active keys for a minute, as they may be rotated by another process. */
export function createKeyring(db: Database, secrets: Secrets, clock: () => Date): Keyring {
  const cache = new Map<KeyUse, { key: SigningKey; expiresAt: number }>();
  return async (use) => {
    const now = clock();
    const cached = cache.get(use);
    if (cached && now.getTime() < cached.expiresAt) return cached.key;
    const key = await getSigningKey(db, secrets, use, now);
    cache.set(use, { key, expiresAt: now.getTime() + KEYRING_CACHE_MS });
    return key;
  };
}

/**
 * Publishes new signing keys. The previous ones sign for another ten minutes, which is longer than published keys are
 * cached, so that every verifier knows a key before it is used.
 */
export async function rotateKeys(db: Database, secrets: Secrets, now: Date): Promise<void> {
  const newKeys = [await createKey(secrets, 'access'), await createKey(secrets, 'id')];
  await db.transaction().execute(async (tx) => {
    await retireKeys(tx, new Date(now.getTime() + ROTATION_OVERLAP_MS));
    for (const key of newKeys) await insertKey(tx, key, now);
  });
}

/** Returns public keys as a JSON Web Key Set (RFC 7517). */
export function toJwks(keys: readonly PublicKey[]): JSONWebKeySet {
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
 * Creates a key resolver for jose's `jwtVerify` that reads the keys from the database instead of over HTTP: when first
 * needed, again after ten minutes, so that deleted ones are no longer trusted, and, at most twice a minute, for a token
 * signed with an unknown key.
 */
export function createPublicKeyResolver(connection: Connection): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL('database:signing_key'), {
    cacheMaxAge: JWKS_MAX_AGE_MS,
    cooldownDuration: JWKS_COOLDOWN_MS,
    [customFetch]: async () => {
      await using db = openIdentityDatabase(connection, 'escucho identity keys', 1);
      return Response.json(toJwks(await listPublicKeys(db)));
    },
  });
}
