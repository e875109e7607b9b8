import type { Database } from '../database.ts';

/** Somebody who is gone here, and has still to go elsewhere. */
export interface Erasure {
  reader: string;
  account: string;
  attempts: number;
}

/** What is left to do for those who have gone. */
export function erasureRepository(db: Database) {
  return {
    /**
     * Takes one that is due, this reader's where one is named, and holds it while `work` is done, which says when it is
     * to be tried again; one that says nothing is over. What another process holds is passed over, and what one that
     * dies held is taken by the next. Out: whether it is over; nothing where none is due.
     */
    takeDue: (
      now: Date,
      work: (erasure: Erasure) => Promise<Date | undefined>,
      reader?: string,
    ): Promise<boolean | undefined> =>
      db.transaction().execute(async (tx) => {
        const due = tx
          .selectFrom('account_deletion')
          .select(['user_id as reader', 'username as account', 'attempts'])
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .limit(1)
          .forUpdate()
          .skipLocked();
        const found = await (reader === undefined
          ? due
          : due.where('user_id', '=', reader)
        ).executeTakeFirst();
        if (!found) return undefined;
        const again = await work(found);
        if (again === undefined) {
          await tx.deleteFrom('account_deletion').where('user_id', '=', found.reader).execute();
          return true;
        }
        await tx
          .updateTable('account_deletion')
          .set({ attempts: found.attempts + 1, due_at: again })
          .where('user_id', '=', found.reader)
          .execute();
        return false;
      }),
  };
}

export type ErasureRepository = ReturnType<typeof erasureRepository>;
