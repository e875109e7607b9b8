import type { Database, KeyUse } from '../database.ts';

/** The public half of a key pair that signs tokens. */
export interface PublicKey {
  id: string;
  use: KeyUse;
  modulus: string;
  exponent: string;
}

/** A signing key as stored. */
export interface StoredKey extends PublicKey {
  encryptedPrivateKey: Buffer;
}

/** Returns all public keys, retired ones included. */
export function listPublicKeys(db: Database): Promise<PublicKey[]> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'use', 'modulus', 'exponent'])
    .orderBy('created_at', 'desc')
    .execute();
}

/** Finds the key that signs now: a key whose retirement is in the future comes before its successor. */
export function findActiveKey(db: Database, use: KeyUse, now: Date): Promise<StoredKey | undefined> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'use', 'modulus', 'exponent', 'encrypted_private_key as encryptedPrivateKey'])
    .where('use', '=', use)
    .where((where) => where.or([where('retired_at', 'is', null), where('retired_at', '>', now)]))
    .orderBy('retired_at', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst();
}

/** Retires the keys that have no successor yet, from `retiredAt` on. */
export async function retireKeys(tx: Database, retiredAt: Date): Promise<void> {
  await tx
    .updateTable('signing_key')
    .set({ retired_at: retiredAt })
    .where('retired_at', 'is', null)
    .execute();
}

/** Inserts a key unless there is one already: of several processes that start at once, one succeeds. */
export async function insertKey(db: Database, key: StoredKey, now: Date): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({
      id: key.id,
      use: key.use,
      modulus: key.modulus,
      exponent: key.exponent,
      encrypted_private_key: key.encryptedPrivateKey,
      created_at: now,
      retired_at: null,
    })
    .onConflict((conflict) => conflict.column('use').where('retired_at', 'is', null).doNothing())
    .execute();
}
