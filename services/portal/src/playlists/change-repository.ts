import { limits } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A track and what it is put behind; null for the top. */
export interface Move {
  track: string;
  after: string | null;
}

/** What changes in a playlist; lists of ids name each id once, and none both added and removed. */
export interface Change {
  name?: string | undefined;
  active?: boolean | undefined;
  added?: readonly string[] | undefined;
  removed?: readonly string[] | undefined;
  moved?: readonly Move[] | undefined;
}

/** Whether a change failed for there being no room in the list. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'playlist_size';

/** The steps of a change. Each names the reader, or follows one that did in the same transaction. */
function createSteps(db: Database) {
  return {
    /**
     * Everything but moves, in one statement. It locks the playlist's row before it touches a track, and takes places
     * for what comes from that row: at the end, in favourites at the top. What comes and goes is found by key, so that
     * the size of the list does not matter. Out: whether it was done; not where the reader has no such playlist, may not
     * change it so, or a track to be added does not exist.
     */
    async change(reader: string, id: string, { name, active, added = [], removed = [] }: Change, now: Date) {
      const { rows } = await sql<{ id: string }>`
        with list as materialized (
          update playlist set
            name = coalesce(${name ?? null}::text, name),
            active = coalesce(${active ?? null}::boolean, active),
            min_sort_key = min_sort_key - case origin when 'auto' then ${added.length}::integer else 0 end,
            max_sort_key = max_sort_key + case origin when 'auto' then 0 else ${added.length}::integer end
          where id = ${id} and owner_id = ${reader}
            and (origin = 'user' or (${name ?? null}::text is null and ${active ?? null}::boolean is null))
            and (select count(*) from article where article.id = any(${added}::uuid[])) = ${added.length}::integer
          returning id, origin, min_sort_key, max_sort_key
        ), gone as materialized (
          delete from playlist_item using list
          where playlist_id = list.id and article_id = any(${removed}::uuid[])
        ), come as materialized (
          insert into playlist_item (playlist_id, article_id, sort_key, added_at)
          select list.id, article,
            case list.origin when 'auto' then list.min_sort_key + ${added.length}::integer - ordinality
              else list.max_sort_key - ${added.length}::integer + ordinality end,
            ${now}::timestamptz
          from list cross join unnest(${added}::uuid[]) with ordinality as item (article, ordinality)
          on conflict do nothing
        )
        select id from list`.execute(db);
      return rows.length > 0;
    },

    /** Puts a track behind another; where either is not in the list, nothing moves. Out: the digits of its place after the point. */
    async move(id: string, { track, after }: Move): Promise<number> {
      const { rows } = await sql<{ digits: number }>`
        with spot as materialized (
          select p.id, p.min_sort_key, p.max_sort_key, anchor.sort_key as above, (
            select min(i.sort_key) from playlist_item i
            where i.playlist_id = p.id and i.sort_key > anchor.sort_key and i.article_id <> ${track}
          ) as below
          from playlist p
          left join playlist_item anchor on anchor.playlist_id = p.id and anchor.article_id = ${after}::uuid
          where p.id = ${id} and (${after}::uuid is null or anchor.article_id <> ${track})
        ), moved as materialized (
          update playlist_item i set sort_key = case
            when spot.above is null then spot.min_sort_key - 1
            when spot.below is null then spot.max_sort_key + 1
            else trim_scale((spot.above + spot.below) * 0.5) end
          from spot where i.playlist_id = spot.id and i.article_id = ${track}
          returning i.sort_key
        )
        update playlist set
          min_sort_key = least(min_sort_key, floor(moved.sort_key)::bigint),
          max_sort_key = greatest(max_sort_key, ceil(moved.sort_key)::bigint)
        from moved where playlist.id = ${id} returning scale(moved.sort_key) as digits`.execute(db);
      return rows[0]?.digits ?? 0;
    },

    /** Gives all tracks whole numbers again, in their order. */
    async renumber(id: string): Promise<void> {
      await sql`
        with numbered as materialized (
          select article_id, row_number() over (order by sort_key, article_id) as number
          from playlist_item where playlist_id = ${id}
        ), placed as materialized (
          update playlist_item i set sort_key = numbered.number from numbered
          where i.playlist_id = ${id} and i.article_id = numbered.article_id
        )
        update playlist set min_sort_key = 0, max_sort_key = total_tracks where id = ${id}`.execute(db);
    },

    /** Out: whether there was such a playlist, made by the reader. */
    async remove(reader: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('playlist')
        .where('id', '=', id)
        .where('owner_id', '=', reader)
        .where('origin', '=', 'user')
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Makes an empty playlist, one reader's one after the other. Out: its id; undefined where there are enough. */
    async create(reader: string, { name, active }: { name: string; active: boolean }, now: Date) {
      await db.selectFrom('users').select('id').where('id', '=', reader).forNoKeyUpdate().execute();
      const { rows } = await sql<{ id: string }>`
        insert into playlist (owner_id, name, origin, active, created_at)
        select ${reader}, ${name}, 'user', ${active}, ${now}::timestamptz
        where (select count(*) from playlist where owner_id = ${reader} and origin = 'user')
          < ${limits.playlists.perReader}::integer
        returning id`.execute(db);
      return rows[0]?.id;
    },
  };
}

/** Changes of one reader's playlists. */
export function createPlaylistChangeRepository(db: Database) {
  return {
    ...createSteps(db),

    /** Runs steps as one transaction: all or nothing. */
    runInTransaction: <Result>(work: (within: Steps) => Promise<Result>): Promise<Result> =>
      db.transaction().execute((transaction) => work(createSteps(transaction))),
  };
}

type Steps = ReturnType<typeof createSteps>;
export type PlaylistChangeRepository = ReturnType<typeof createPlaylistChangeRepository>;
