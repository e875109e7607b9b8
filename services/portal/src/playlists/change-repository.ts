import { favouritesName, limits } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Moves a track behind another one; null moves it to the top. */
export interface Move {
  track: string;
  after: string | null;
}

/** A new playlist of a user. */
export interface PlaylistInput {
  name: string;
  active: boolean;
  /** The same for repetitions of one request. */
  idempotencyKey: string;
}

/** A change of a playlist. No id may be listed twice, or be both added and removed. */
export interface Change {
  name?: string | undefined;
  active?: boolean | undefined;
  added?: readonly string[] | undefined;
  removed?: readonly string[] | undefined;
  moved?: readonly Move[] | undefined;
}

/** How long a deleted playlist can be restored. */
const RESTORE_MS = 60 * 60_000;

/** How many older playlists a deletion removes: few, because each may have thousands of tracks, but more than it adds. */
const MAX_PURGED_PLAYLISTS = 2;

const getRestoreLimit = (now: Date): Date => new Date(now.getTime() - RESTORE_MS);

/** Returns whether an error means that the playlist has reached its maximum size. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'playlist_size';

/** The steps of a change. Each is scoped by owner, or runs after one that is in the same transaction. */
function createSteps(db: Database) {
  /** Makes changes of a user's number of playlists wait for each other. */
  const lockUser = (userId: string) =>
    db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();

  const countPlaylists = (userId: string) =>
    sql`(select count(*) from playlist where owner_id = ${userId} and origin = 'user' and deleted_at is null)`;

  /** Removes tracks that are unpublished, so that they do not return with their articles. Returns whether any was there. */
  async function removeUnpublished(userId: string, id: string, tracks: readonly string[]): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('withdrawn_row')
      .where('article_id', '=', sql<string>`any(${tracks}::uuid[])`)
      .where('table_name', '=', 'playlist_item')
      .where('user_id', '=', userId)
      .where(sql`"row" ->> 'playlist_id'`, '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  return {
    /**
     * Applies everything but moves, in one statement where all removed tracks are there. It locks the playlist's row before
     * it changes tracks, and takes the sort keys of new tracks from that row: at the end, in favourites at the top. Its cost
     * does not depend on the size of the playlist.
     *
     * @returns how many tracks it added; null when the user has no such playlist, may not change it this way, or an added
     * track does not exist
     */
    async change(userId: string, id: string, { name, active, added = [], removed = [] }: Change, now: Date) {
      const { rows } = await sql<{ added_tracks: number; removed_tracks: number }>`
        with owner as materialized (
          -- Before the playlist, as the deletion of an account does. PostgreSQL locks the owner anyway, at the second update of
          -- the playlist in the statement, by the trigger that counts its tracks.
          select from users where id = ${userId} for key share
        ), list as materialized (
          update playlist set
            name = coalesce(${name ?? null}::text, name),
            active = coalesce(${active ?? null}::boolean, active),
            min_sort_key = min_sort_key - case origin when 'auto' then ${added.length}::integer else 0 end,
            max_sort_key = max_sort_key + case origin when 'auto' then 0 else ${added.length}::integer end
          where exists (select from owner) and id = ${id} and owner_id = ${userId} and deleted_at is null
            and (origin = 'user' or (${name ?? null}::text is null and ${active ?? null}::boolean is null))
            and (select count(*) from article where article.id = any(${added}::uuid[])) = ${added.length}::integer
          returning id, origin, min_sort_key, max_sort_key
        ), removed_items as materialized (
          delete from playlist_item using list
          where playlist_id = list.id and article_id = any(${removed}::uuid[])
          returning article_id
        ), added_items as materialized (
          insert into playlist_item (playlist_id, article_id, sort_key, added_at)
          select list.id, article,
            case list.origin when 'auto' then list.min_sort_key + ${added.length}::integer - ordinality
              else list.max_sort_key - ${added.length}::integer + ordinality end,
            ${now}::timestamptz
          from list
            -- Removes the tracks first, so that a full playlist has room for those that replace them.
            cross join (select count(*) from removed_items) as removed
            cross join unnest(${added}::uuid[]) with ordinality as item (article, ordinality)
          on conflict do nothing
          returning article_id
        )
        select (select count(*)::integer from added_items) as added_tracks,
          (select count(*)::integer from removed_items) as removed_tracks
        from list`.execute(db);
      const [row] = rows;
      if (!row) return null;
      if (row.removed_tracks < removed.length) await removeUnpublished(userId, id, removed);
      return row.added_tracks;
    },

    removeUnpublished,

    /**
     * Moves a track; does nothing when one of the tracks is not in the playlist.
     *
     * @returns the number of fraction digits of its sort key
     */
    async move(id: string, { track, after }: Move): Promise<number> {
      const { rows } = await sql<{ digits: number }>`
        with target as materialized (
          select p.id, p.min_sort_key, p.max_sort_key, anchor.sort_key as above, (
            select min(i.sort_key) from playlist_item i
            where i.playlist_id = p.id and i.sort_key > anchor.sort_key and i.article_id <> ${track}
          ) as below
          from playlist p
          left join playlist_item anchor on anchor.playlist_id = p.id and anchor.article_id = ${after}::uuid
          where p.id = ${id} and (${after}::uuid is null or anchor.article_id <> ${track})
        ), moved_item as materialized (
          update playlist_item i set sort_key = case
            when target.above is null then target.min_sort_key - 1
            when target.below is null then target.max_sort_key + 1
            else trim_scale((target.above + target.below) * 0.5) end
          from target where i.playlist_id = target.id and i.article_id = ${track}
          returning i.sort_key
        )
        update playlist set
          min_sort_key = least(min_sort_key, floor(moved_item.sort_key)::bigint),
          max_sort_key = greatest(max_sort_key, ceil(moved_item.sort_key)::bigint)
        from moved_item where playlist.id = ${id} returning scale(moved_item.sort_key) as digits`.execute(db);
      return rows[0]?.digits ?? 0;
    },

    /** Replaces the sort keys of all tracks by integers. */
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

    /** Deletes a playlist, which can be restored for an hour. Returns whether the user had created such a playlist. */
    async remove(userId: string, id: string, now: Date): Promise<boolean> {
      await sql`
        with expired as materialized (
          select id from playlist where deleted_at < ${getRestoreLimit(now)}::timestamptz
          order by deleted_at limit ${MAX_PURGED_PLAYLISTS}::integer for update skip locked
        )
        delete from playlist using expired where playlist.id = expired.id`.execute(db);
      const { numUpdatedRows } = await db
        .updateTable('playlist')
        .set({ deleted_at: now })
        .where('id', '=', id)
        .where('owner_id', '=', userId)
        .where('origin', '=', 'user')
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Restores a deleted playlist, unless the user has reached the limit since. One that is not deleted stays as it is. */
    async restore(userId: string, id: string, now: Date): Promise<'restored' | 'full' | 'absent'> {
      await lockUser(userId);
      const { rows } = await sql<{ is_full: boolean }>`
        with deleted as materialized (
          select id, deleted_at is not null and ${countPlaylists(userId)} >= ${limits.playlists.perUser}::integer as is_full
          from playlist
          where id = ${id} and owner_id = ${userId} and origin = 'user'
            and (deleted_at is null or deleted_at >= ${getRestoreLimit(now)}::timestamptz)
        ), restored as materialized (
          update playlist set deleted_at = null from deleted where playlist.id = deleted.id and not deleted.is_full
        )
        select is_full from deleted`.execute(db);
      const [row] = rows;
      if (!row) return 'absent';
      return row.is_full ? 'full' : 'restored';
    },

    /**
     * Creates an empty playlist. The user and the key give its id: one that an earlier request with the same key created is
     * changed, and restored if it was deleted.
     *
     * @returns its id; undefined when the user has reached the limit
     */
    async create(userId: string, { name, active, idempotencyKey }: PlaylistInput, now: Date) {
      await lockUser(userId);
      const { rows } = await sql<{ id: string }>`
        insert into playlist (id, owner_id, name, origin, active, created_at)
        select key.id, ${userId}, ${name}, 'user', ${active}, ${now}::timestamptz
        from cast(md5(${userId}::text || ${idempotencyKey}::text) as uuid) as key (id)
        where exists (select from playlist where playlist.id = key.id and deleted_at is null)
          or ${countPlaylists(userId)} < ${limits.playlists.perUser}::integer
        on conflict (id) do update set name = excluded.name, active = excluded.active, deleted_at = null
        returning id`.execute(db);
      return rows[0]?.id;
    },
  };
}

/** Changes playlists and favourites, scoped by owner. */
export function createPlaylistChangeRepository(db: Database) {
  return {
    ...createSteps(db),

    /** Returns the id of the user's favourites; undefined before the first one. */
    async findFavourites(userId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('playlist')
        .select('id')
        .where('owner_id', '=', userId)
        .where('origin', '=', sql.lit('auto'))
        .where('name', '=', sql.lit(favouritesName))
        .executeTakeFirst();
      return row?.id;
    },

    /** Creates the user's favourites unless another device just did, and returns their id. */
    async createFavourites(userId: string, now: Date): Promise<string> {
      const { id } = await db
        .insertInto('playlist')
        .values({ owner_id: userId, name: favouritesName, origin: 'auto', created_at: now })
        .onConflict((conflict) =>
          conflict
            .column('owner_id')
            .where('origin', '=', sql.lit('auto'))
            .where('name', '=', sql.lit(favouritesName))
            // Changes nothing, but returns the row.
            .doUpdateSet({ name: favouritesName }),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** Runs steps in one transaction. */
    runInTransaction: <Result>(work: (within: Steps) => Promise<Result>): Promise<Result> =>
      db.transaction().execute((transaction) => work(createSteps(transaction))),
  };
}

type Steps = ReturnType<typeof createSteps>;
export type PlaylistChangeRepository = ReturnType<typeof createPlaylistChangeRepository>;
