import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { ListeningEvent } from './statistics.ts';

/** One reader's history and journal; every call names the reader. */
export function createHistoryRepository(db: Database) {
  const updateInHistory = (reader: string) =>
    db
      .updateTable('listening_progress')
      .set({ in_history: false })
      .where('user_id', '=', reader)
      .where('in_history', '=', sql.lit(true));

  return {
    /** Takes everything out. Out: how many there were. */
    async clear(reader: string): Promise<number> {
      return Number((await updateInHistory(reader).executeTakeFirst()).numUpdatedRows);
    },

    /** Takes a track out. Out: whether it was in it. */
    async remove(reader: string, track: string): Promise<boolean> {
      return (
        (await updateInHistory(reader).where('article_id', '=', track).executeTakeFirst()).numUpdatedRows > 0n
      );
    },

    /** Puts a track back in. Out: whether the reader ever heard it. */
    async restore(reader: string, track: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('listening_progress')
        .set({ in_history: true })
        .where('user_id', '=', reader)
        .where('article_id', '=', track)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** What devices said since a moment, each in its order. */
    async findEvents(reader: string, since: Date): Promise<ListeningEvent[]> {
      const rows = await db
        .selectFrom('listening_event')
        .select(['device_id', 'article_id', 'position', 'cause', 'occurred_at'])
        .where('user_id', '=', reader)
        .where('occurred_at', '>=', since)
        .orderBy('device_id')
        .orderBy('sequence')
        .execute();
      return rows.map(({ device_id: device, article_id: track, position, cause, occurred_at: at }) => ({
        ...{ device, track, position, cause },
        at: at.getTime(),
      }));
    },

    /**
     * Moments at which something was heard: the newest of each quarter of an hour, back to the first pause of more than
     * two days. No time zone's day begins within a quarter. It looks each up in the index, so that neither long years
     * nor much listening make it slow.
     */
    async findListeningTimes(reader: string): Promise<Date[]> {
      const sign = (before: string, more = sql``) => sql`
        select e.occurred_at from listening_event e
        where e.user_id = ${reader} and e.occurred_at < ${sql.raw(before)} and e.cause in ('tick', 'ended') ${more}
        order by e.occurred_at desc limit 1`;
      const { rows } = await sql<{ at: Date }>`
        with recursive sign (at) as materialized (
          (${sign(`'infinity'`)})
          union all
          select (${sign(`date_bin('15 minutes', sign.at, 'epoch')`, sql`and e.occurred_at > sign.at - interval '50 hours'`)})
          from sign where sign.at is not null
        )
        select at from sign where at is not null`.execute(db);
      return rows.map(({ at }) => at);
    },

    /** How many pieces were heard to their end. */
    async countFinished(reader: string): Promise<number> {
      const { count } = await db
        .selectFrom('listening_event')
        .select((eb) => eb.fn.count<number>('article_id').distinct().as('count'))
        .where('user_id', '=', reader)
        .where('cause', '=', sql.lit('ended'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

export type HistoryRepository = ReturnType<typeof createHistoryRepository>;
