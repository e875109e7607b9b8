import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database.ts';

export type Passkey = Selectable<Tables['passkey']>;

/** The repository of passkeys; every method takes the database or a transaction. */
export const passkeyRepository = {
  /** Returns the passkeys of a user, the newest first. */
  list(db: Database, accountId: string): Promise<Passkey[]> {
    return db
      .selectFrom('passkey')
      .selectAll()
      .where('accountId', '=', accountId)
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute();
  },

  /** Inserts a passkey; returns false where its id is registered already. */
  async insert(tx: Database, passkey: Passkey): Promise<boolean> {
    const inserted = await tx
      .insertInto('passkey')
      .values(passkey)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  },

  /** Returns the user of a passkey. */
  async findOwner(db: Database, id: string): Promise<string | undefined> {
    const row = await db.selectFrom('passkey').select('accountId').where('id', '=', id).executeTakeFirst();
    return row?.accountId;
  },

  /** Finds a passkey and locks its row until the transaction ends. */
  lock(tx: Database, id: string): Promise<Passkey | undefined> {
    return tx.selectFrom('passkey').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  },

  async markUsed(tx: Database, id: string, counter: number, now: Date): Promise<void> {
    await tx.updateTable('passkey').set({ counter, lastUsedAt: now }).where('id', '=', id).execute();
  },

  /** Deletes a passkey of a user; returns false where there is none. */
  async delete(tx: Database, accountId: string, id: string): Promise<boolean> {
    const deleted = await tx
      .deleteFrom('passkey')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return deleted.numDeletedRows === 1n;
  },

  /** Deletes every passkey of a user; returns whether there were some. */
  async deleteAll(tx: Database, accountId: string): Promise<boolean> {
    const deleted = await tx.deleteFrom('passkey').where('accountId', '=', accountId).executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  },
};
