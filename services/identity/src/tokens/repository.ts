import type { Database, KeyUse } from '../database.ts';

/** The public half of a signing key as anybody may know it. */
export interface PublicKey {
  id: string;
  use: KeyUse;
  modulus: string;
  exponent: string;
}

/** A signing key as the table holds it. */
export interface StoredKey extends PublicKey {
  sealedPrivateKey: Buffer;
}

/** The keys tokens may be signed with, retired ones too. */
export function listPublicKeys(db: Database): Promise<PublicKey[]> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'use', 'modulus', 'exponent'])
    .orderBy('created_at', 'desc')
    .execute();
}

/** The key in use for a kind of token. */
export function findKeyInUse(db: Database, use: KeyUse): Promise<StoredKey | undefined> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'use', 'modulus', 'exponent', 'sealed_private_key as sealedPrivateKey'])
    .where('use', '=', use)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
}

/** Puts a key in use, if there is none: of several processes that start at once, one succeeds. */
export async function insertKey(db: Database, key: StoredKey, now: Date): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({
      id: key.id,
      use: key.use,
      modulus: key.modulus,
      exponent: key.exponent,
      sealed_private_key: key.sealedPrivateKey,
      created_at: now,
      retired_at: null,
    })
    .onConflict((conflict) => conflict.column('use').where('retired_at', 'is', null).doNothing())
    .execute();
}
