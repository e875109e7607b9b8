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

/** The key in use for a kind of token: one that is to be retired serves until then, its successor waits. */
export function findKeyInUse(db: Database, use: KeyUse, now: Date): Promise<StoredKey | undefined> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'use', 'modulus', 'exponent', 'sealed_private_key as sealedPrivateKey'])
    .where('use', '=', use)
    .where((where) => where.or([where('retired_at', 'is', null), where('retired_at', '>', now)]))
    .orderBy('retired_at', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst();
}

/** Retires the keys that have no successor yet, from a moment on. */
export async function retireKeys(tx: Database, from: Date): Promise<void> {
  await tx.updateTable('signing_key').set({ retired_at: from }).where('retired_at', 'is', null).execute();
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
