import { limits } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

export interface BookmarkInput {
  track: string;
  position: number;
  note: string;
}

const columns = ['id', 'article_id', 'position', 'note', 'created_at'] as const;

/** Bookmarks, scoped by user. */
export function createBookmarkRepository(db: Database) {
  return {
    /** Returns the bookmarks of a track, by position. */
    find: (userId: string, track: string) =>
      db
        .selectFrom('bookmark')
        .select(columns)
        .where('user_id', '=', userId)
        .where('article_id', '=', track)
        .orderBy('position')
        .orderBy('id')
        .execute(),

    /** Creates or replaces a bookmark. Returns undefined when the user has reached the limit. */
    save: (userId: string, id: string, { track, position, note }: BookmarkInput, now: Date) =>
      db.transaction().execute(async (transaction) => {
        // Serializes a user's changes, so that the limit holds.
        const lock = transaction.selectFrom('users').select('id').where('id', '=', userId);
        await lock.forNoKeyUpdate().execute();
        const { rows } = await sql<BookmarkRow>`
          insert into bookmark (user_id, id, article_id, position, note, created_at)
          select ${userId}, ${id}, ${track}, ${position}, ${note}, ${now}::timestamptz
          where exists (select 1 from bookmark where user_id = ${userId} and id = ${id})
            or (select count(*) from bookmark where user_id = ${userId}) < ${limits.bookmarks.perUser}::integer
          on conflict (user_id, id) do update
            set article_id = excluded.article_id, position = excluded.position, note = excluded.note
          returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(transaction);
        return rows[0];
      }),

    /** Returns whether the bookmark existed. */
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('bookmark')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export type BookmarkRepository = ReturnType<typeof createBookmarkRepository>;
export type BookmarkRow = Awaited<ReturnType<BookmarkRepository['find']>>[number];
