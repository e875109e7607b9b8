import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { getOffset, type Pagination, withTotal } from '../pagination.ts';

/** Notifications, which are the same for every user. */
export function createNotificationRepository(db: Database) {
  const selectVisible = db.selectFrom('notification').where('retracted_at', 'is', null);
  const count = () => selectVisible.select((eb) => eb.fn.countAll<number>().as('total'));

  const columns = ['id', 'title_en', 'title_es', 'body_en', 'body_es', 'created_at'] as const;

  return {
    find: (id: string) => selectVisible.select(columns).where('id', '=', id).executeTakeFirst(),

    /** Returns a page by time of publication, and the total number. */
    async findPage(pagination: Pagination, direction: 'asc' | 'desc' = 'desc') {
      const rows = await selectVisible
        .select(columns)
        .select(count().as('total'))
        .orderBy('created_at', direction)
        .orderBy('id', direction)
        .limit(pagination.limit)
        .offset(getOffset(pagination))
        .execute();
      return withTotal(rows, pagination, () => count().executeTakeFirstOrThrow());
    },

    /** Writes a notification for all users. Returns false where the id exists, even if it was retracted. */
    async save(
      id: string,
      text: Record<'titleEn' | 'bodyEn' | 'titleEs' | 'bodyEs', string>,
      now: Date,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('notification')
        .values({
          id,
          title_en: text.titleEn,
          title_es: text.titleEs,
          body_en: text.bodyEn,
          body_es: text.bodyEs,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    /**
     * Removes a notification from all lists and returns its title; undefined when there is none.
     *
     * @param id - any text
     */
    retract: (id: string, now: Date) =>
      db
        .updateTable('notification')
        .set({ retracted_at: now })
        .where(sql`id::text`, '=', id.toLowerCase())
        .where('retracted_at', 'is', null)
        .returning('title_en as title')
        .executeTakeFirst(),
  };
}

export type NotificationRepository = ReturnType<typeof createNotificationRepository>;
export type NotificationRow = NonNullable<Awaited<ReturnType<NotificationRepository['find']>>>;
