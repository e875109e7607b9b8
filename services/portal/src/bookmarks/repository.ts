import { limits } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What a reader says of a bookmark. */
export interface BookmarkInput {
  track: string;
  position: number;
  note: string;
}

const columns = ['id', 'article_id', 'position', 'note', 'created_at'] as const;

/** One reader's bookmarks; every call names the reader. */
export function createBookmarkRepository(db: Database) {
  return {
    /** Those of a track, in its order. */
    find: (reader: string, track: string) =>
      db
        .selectFrom('bookmark')
        .select(columns)
        .where('user_id', '=', reader)
        .where('article_id', '=', track)
        .orderBy('position')
        .orderBy('id')
        .execute(),

    /** Makes a bookmark or changes the one of that id. Out: the bookmark; undefined where there are enough. */
    save: (reader: string, id: string, { track, position, note }: BookmarkInput, now: Date) =>
      db.transaction().execute(async (transaction) => {
        // One reader's one after the other, so that they can be counted.
        const lock = transaction.selectFrom('users').select('id').where('id', '=', reader);
        await lock.forNoKeyUpdate().execute();
        const { rows } = await sql<BookmarkRow>`
          insert into bookmark (user_id, id, article_id, position, note, created_at)
          select ${reader}, ${id}, ${track}, ${position}, ${note}, ${now}::timestamptz
          where exists (select 1 from bookmark where user_id = ${reader} and id = ${id})
            or (select count(*) from bookmark where user_id = ${reader}) < ${limits.bookmarks.perReader}::integer
          on conflict (user_id, id) do update
            set article_id = excluded.article_id, position = excluded.position, note = excluded.note
          returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(transaction);
        return rows[0];
      }),

    /** Out: whether the reader had it. */
    async remove(reader: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('bookmark')
        .where('user_id', '=', reader)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export type BookmarkRepository = ReturnType<typeof createBookmarkRepository>;
export type BookmarkRow = Awaited<ReturnType<BookmarkRepository['find']>>[number];
