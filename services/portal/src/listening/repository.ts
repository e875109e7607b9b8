import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { getOffset, type Pagination, withTotal } from '../pagination.ts';
import { isFavourite, trackColumns } from '../playlists/repository.ts';
import type { ListeningEvent } from './statistics.ts';

/** The lists that progress appears in, by column. */
export type ProgressList = 'in_continue_listening' | 'in_history';

/** Progress and listening events, scoped by user. */
export function createListeningRepository(db: Database) {
  /**
   * Lists a user's track in the history or not, also an unpublished one, which returns as it was left.
   *
   * @param isChangeable - returns the condition, from whether the track is listed
   * @returns whether the condition was met
   */
  async function changeHistory(
    userId: string,
    track: string,
    change: { in_history: boolean; history_removed_at: Date | null },
    isChangeable: (isListed: RawBuilder<boolean>) => RawBuilder<boolean>,
  ): Promise<boolean> {
    const changed = await db
      .updateTable('listening_progress')
      .set(change)
      .where('user_id', '=', userId)
      .where('article_id', '=', track)
      .where(isChangeable(sql`in_history`))
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0n) return true;
    const withdrawn = await sql`update withdrawn_row set "row" = "row" || ${JSON.stringify(change)}::jsonb
      where user_id = ${userId} and article_id = ${track} and table_name = 'listening_progress'
        and ${isChangeable(sql`("row" ->> 'in_history')::boolean`)}`.execute(db);
    return (withdrawn.numAffectedRows ?? 0n) > 0n;
  }

  return {
    /** Restores a track to the history. Returns whether the user listened to it. */
    restoreToHistory: (userId: string, track: string): Promise<boolean> =>
      changeHistory(
        userId,
        track,
        { in_history: true, history_removed_at: null },
        () => sql`exists (
          select from listening_event where user_id = ${userId} and article_id = ${track} and cause <> 'skip'
        )`,
      ),

    /** Removes a track from the history. Returns whether it was in it. */
    removeFromHistory: (userId: string, track: string, now: Date): Promise<boolean> =>
      changeHistory(userId, track, { in_history: false, history_removed_at: now }, (isListed) => isListed),

    /** Removes all tracks from the history. Returns how many were in it. */
    clearHistory: (userId: string, now: Date): Promise<number> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('users')
          .set({ history_cleared_at: now })
          .where('id', '=', userId)
          .execute();
        // A cleared history stays empty when an article is published again.
        await sql`update withdrawn_row set "row" = "row" || '{"in_history": false}'
          where user_id = ${userId} and table_name = 'listening_progress'`.execute(transaction);
        const { numUpdatedRows } = await transaction
          .updateTable('listening_progress')
          .set({ in_history: false })
          .where('user_id', '=', userId)
          .where('in_history', '=', sql.lit(true))
          .executeTakeFirst();
        return Number(numUpdatedRows);
      }),

    /** Returns a page of the user's progress of one list, most recent first, and the length of the list. */
    async findProgress(userId: string, list: ProgressList, pagination: Pagination) {
      const listed = db
        .selectFrom('listening_progress')
        .where('user_id', '=', userId)
        .where(list, '=', sql.lit(true));
      // The page is limited before anything is joined.
      const page = listed
        .select((eb) => [
          'article_id',
          'position',
          'device_kind',
          'listened_at',
          eb.fn.countAll<number>().over().as('total'),
        ])
        .orderBy('listened_at', 'desc')
        .orderBy('article_id')
        .limit(pagination.limit)
        .offset(getOffset(pagination));
      const rows = await db
        .selectFrom(page.as('l'))
        .innerJoin('article as a', 'a.id', 'l.article_id')
        .innerJoin('narrator as n', 'n.name', 'a.narrator')
        .select(trackColumns)
        .select([
          'n.image as narrator_image',
          'l.position',
          'l.device_kind',
          'l.listened_at',
          'l.total',
          isFavourite(userId, 'a.id').as('like'),
        ])
        .orderBy('l.listened_at', 'desc')
        .orderBy('l.article_id')
        .execute();
      return withTotal(rows, pagination, () =>
        listed.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      );
    },

    /** Returns the events since a time, those of each device in its order. */
    findEvents: (userId: string, since: Date): Promise<ListeningEvent[]> =>
      db
        .selectFrom('listening_event')
        .select(['device_id as device', 'article_id as track', 'position', 'cause'])
        .select(sql<number>`round(extract(epoch from occurred_at) * 1000)::float8`.as('at'))
        .select('seconds_played as secondsPlayed')
        .where('user_id', '=', userId)
        .where('occurred_at', '>=', since)
        .orderBy('device_id')
        .orderBy('sequence')
        .execute(),

    /**
     * Returns times at which the user listened: the latest of each quarter of an hour, back to the first pause of more
     * than two days. No time zone's day starts within a quarter of an hour. Each is one lookup in the index, so that
     * neither many years nor many events make it slow. A device that is offline replaces a tick by what comes after it,
     * which may be a skip.
     */
    async findListeningTimes(userId: string): Promise<Date[]> {
      const latest = (before: string, condition = sql``) => sql`
        select e.occurred_at from listening_event e
        where e.user_id = ${userId} and e.occurred_at < ${sql.raw(before)}
          and (e.cause in ('tick', 'pause', 'hide', 'ended') or e.seconds_played > 0) ${condition}
        order by e.occurred_at desc limit 1`;
      const { rows } = await sql<{ at: Date }>`
        with recursive listened (at) as materialized (
          (${latest(`'infinity'`)})
          union all
          select (${latest(`date_bin('15 minutes', listened.at, 'epoch')`, sql`and e.occurred_at > listened.at - interval '50 hours'`)})
          from listened where listened.at is not null
        )
        select at from listened where at is not null`.execute(db);
      return rows.map(({ at }) => at);
    },

    /** Returns the number of articles the user listened to until their end. */
    async countFinished(userId: string): Promise<number> {
      const { count } = await db
        .selectFrom('listening_event')
        .select((eb) => eb.fn.count<number>('article_id').distinct().as('count'))
        .where('user_id', '=', userId)
        .where('cause', '=', sql.lit('ended'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

export type ListeningRepository = ReturnType<typeof createListeningRepository>;
export type ProgressRow = Awaited<ReturnType<ListeningRepository['findProgress']>>['rows'][number];
