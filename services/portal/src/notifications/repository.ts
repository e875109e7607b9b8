import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Window } from '../paging.ts';

/** Notifications: the same for every reader. */
export function createNotificationRepository(db: Database) {
  const selectVisible = db.selectFrom('notification').where('retracted_at', 'is', null);
  const count = () => selectVisible.select((eb) => eb.fn.countAll<number>().as('total'));

  const columns = ['id', 'title_en', 'title_es', 'body_en', 'body_es', 'created_at'] as const;

  return {
    find: (id: string) => selectVisible.select(columns).where('id', '=', id).executeTakeFirst(),

    /** Those of a moment and after, oldest first. */
    findSince: (moment: Date, limit: number) =>
      selectVisible
        .select(columns)
        .where('created_at', '>=', moment)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Newest first, and how many there are in all. */
    async findPage({ limit, offset }: Window) {
      const rows = await selectVisible
        .select(columns)
        .select(count().as('total'))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const [first] = rows;
      if (first || offset === 0) return { rows, total: first?.total ?? 0 };
      return { rows, ...(await count().executeTakeFirstOrThrow()) };
    },

    /** Takes one out of every list. In: its id, or anything. Out: its title; undefined where there is none. */
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
