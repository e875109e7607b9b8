import type { Selectable } from 'kysely';
import type { Database, KeyUse, Tables } from '../database.ts';

export type StoredKey = Omit<Selectable<Tables['signing_key']>, 'createdAt' | 'retiredAt'>;
/** The public half of a key pair that signs tokens. */
export type PublicKey = Omit<StoredKey, 'encryptedPrivateKey'>;

/** Returns all public keys, retired ones included. */
export function listPublicKeys(db: Database): Promise<PublicKey[]> {
  return db
    .selectFrom('signing_key')
    .select(['id', 'use', 'modulus', 'exponent'])
    .orderBy('createdAt', 'desc')
    .execute();
}

/** Finds the key that signs now: a key whose retirement is in the future comes before its successor. */
export function findActiveKey(db: Database, use: KeyUse, now: Date): Promise<StoredKey | undefined> {
  return db
    .selectFrom('signing_key')
    .selectAll()
    .where('use', '=', use)
    .where((where) => where.or([where('retiredAt', 'is', null), where('retiredAt', '>', now)]))
    .orderBy('retiredAt', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst();
}

/** Returns when each key that signs, now or after a rotation, was created. */
export function listKeyAges(db: Database, now: Date) {
  return db
    .selectFrom('signing_key')
    .select(['use', 'createdAt'])
    .where((where) => where.or([where('retiredAt', 'is', null), where('retiredAt', '>', now)]))
    .orderBy('use')
    .orderBy('createdAt')
    .execute();
}

/** Retires the keys that have no successor yet, from `retiredAt` on. */
export async function retireKeys(tx: Database, retiredAt: Date): Promise<void> {
  await tx.updateTable('signing_key').set({ retiredAt }).where('retiredAt', 'is', null).execute();
}

/** Inserts a key unless there is one already: of several processes that start at once, one succeeds. */
export async function insertKey(db: Database, key: StoredKey, now: Date): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({ ...key, createdAt: now, retiredAt: null })
    .onConflict((conflict) => conflict.column('use').where('retiredAt', 'is', null).doNothing())
    .execute();
}
