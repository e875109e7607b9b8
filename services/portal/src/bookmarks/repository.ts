import { limits } from '@escucho/contracts';
import { sql } from 'kysely';
import { joinProgress, selectTrack } from '../catalogue/repository.ts';
import type { Database } from '../database.ts';
import { getOffset, type Pagination, withTotal } from '../pagination.ts';
import type { TrackRow } from '../playlists/repository.ts';

interface BookmarkInput {
  track: string;
  position: number;
  note: string;
  createdAt: Date;
}

/** A bookmark with its track, the sentence at its position, and the number of bookmarks that match. */
interface BookmarkEntryRow extends TrackRow {
  bookmark_id: string;
  bookmark_position: number;
  note: string;
  created_at: Date;
  sentence: string | null;
  total: number;
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

    /**
     * Returns a page of a user's bookmarks whose note or title contains a text, newest first, and the total number. A text
     * without words, such as an emoji, is searched in notes as it is.
     */
    async findPage(userId: string, text: string, pagination: Pagination) {
      // A subquery, because a statement that is planned once would normalize the text for every row.
      const contains =
        text === ''
          ? sql`true`
          : sql`case (select search_text(${text})) when '' then strpos(b.note, ${text}) > 0
            else b.search_note || ' ' || coalesce(
              (select d.title from search_document d where d.article_id = b.article_id),
              (select search_text(t.title) from article t where t.id = b.article_id)
            ) like '%' || (select search_text(${text})) || '%' end`;
      const matches = sql`from bookmark b where b.user_id = ${userId} and ${contains}`;
      const { rows } = await sql<BookmarkEntryRow>`
        ${selectTrack(userId)}, b.id as bookmark_id, b.position as bookmark_position, b.note, b.created_at, b.total,
          -- Elements read a position that was set up to two microseconds too early.
          (select s.text from sentence s where s.article_id = a.id and s.starts_at <= b.position + 0.005
            order by s.starts_at desc limit 1) as sentence
        from (
          select b.*, (count(*) over ())::integer as total ${matches}
          order by b.created_at desc, b.id limit ${pagination.limit} offset ${getOffset(pagination)}
        ) b join article a on a.id = b.article_id ${joinProgress(userId)}
        order by b.created_at desc, b.id
      `.execute(db);
      return withTotal(rows, pagination, async () => {
        const counted = await sql<{ total: number }>`select count(*)::integer as total ${matches}`.execute(
          db,
        );
        return counted.rows[0] ?? { total: 0 };
      });
    },

    /** Creates a bookmark, or replaces all but its date. Returns undefined when the user has reached the limit. */
    save: (userId: string, id: string, { track, position, note, createdAt }: BookmarkInput) =>
      db.transaction().execute(async (transaction) => {
        // Serializes a user's changes, so that the limit holds.
        const lock = transaction.selectFrom('users').select('id').where('id', '=', userId);
        await lock.forNoKeyUpdate().execute();
        const { rows } = await sql<BookmarkRow>`
          insert into bookmark (user_id, id, article_id, position, note, created_at)
          select ${userId}, ${id}, ${track}, ${position}, ${note}, ${createdAt}::timestamptz
          where exists (select 1 from bookmark where user_id = ${userId} and id = ${id})
            or (select count(*) from bookmark where user_id = ${userId}) < ${limits.bookmarks.perUser}::integer
          on conflict (user_id, id) do update
            set article_id = excluded.article_id, position = excluded.position, note = excluded.note
          returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(transaction);
        return rows[0];
      }),

    /** Returns whether the bookmark existed. One of an unpublished article does not return with the article. */
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('bookmark')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (numDeletedRows > 0n) return true;
      const withdrawn = await db
        .deleteFrom('withdrawn_row')
        .where('user_id', '=', userId)
        .where('table_name', '=', 'bookmark')
        .where(sql`"row" ->> 'id'`, '=', id)
        .executeTakeFirst();
      return withdrawn.numDeletedRows > 0n;
    },
  };
}

export type BookmarkRepository = ReturnType<typeof createBookmarkRepository>;
export type BookmarkRow = Awaited<ReturnType<BookmarkRepository['find']>>[number];
