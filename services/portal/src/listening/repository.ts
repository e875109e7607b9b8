import type { ProgressEntry } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { isFavourite, trackColumns } from '../playlists/repository.ts';
import type { Window } from '../request.ts';
import type { Progress } from './policy.ts';
import type { ListeningEvent } from './statistics.ts';

/** Saved progress, locked until the end of the transaction. */
interface LockedProgress extends Progress {
  listenedAt: Date;
  /** The track's duration in seconds. */
  duration: number;
}

/** The lists that progress appears in, by column. */
export type ProgressList = 'in_continue_listening' | 'in_history';

/** A device's clock that runs ahead must not add listening time to tomorrow. */
const toOccurredAt = ({ at }: ProgressEntry, now: Date): Date =>
  at === undefined || new Date(at) > now ? now : new Date(at);

/** The steps of saving progress, to be run in one transaction. */
function createSaveSteps(db: Database) {
  return {
    /** Locks a user's progress in a track; creates it at position 0 first. Returns undefined for an unknown track. */
    async lockProgress(userId: string, track: string, now: Date): Promise<LockedProgress | undefined> {
      return db
        .with('track', (cte) => cte.selectFrom('article').select(['id', 'duration']).where('id', '=', track))
        .with('saved', (cte) =>
          cte
            .insertInto('listening_progress')
            .columns(['user_id', 'article_id', 'position', 'in_continue_listening', 'listened_at'])
            .expression((eb) =>
              eb
                .selectFrom('track')
                .select([
                  eb.cast<string>(eb.val(userId), 'uuid').as('user_id'),
                  'track.id',
                  sql.lit(0).as('position'),
                  sql.lit(false).as('in_continue_listening'),
                  eb.cast<Date>(eb.val(now), 'timestamptz').as('listened_at'),
                ]),
            )
            // Changes nothing, but locks the row and reads its latest version.
            .onConflict((conflict) =>
              conflict
                .columns(['user_id', 'article_id'])
                .doUpdateSet((eb) => ({ position: eb.ref('listening_progress.position') })),
            )
            .returning(['position', 'in_continue_listening', 'device_kind', 'device_id', 'listened_at']),
        )
        .selectFrom(['track', 'saved'])
        .select([
          'saved.position',
          'saved.in_continue_listening as inContinueListening',
          'saved.device_kind as deviceKind',
          'saved.device_id as device',
          'saved.listened_at as listenedAt',
          'track.duration',
        ])
        .executeTakeFirst();
    },

    /**
     * Appends an entry to the event log unless it is there. Call it with the progress locked, so that no other entry of
     * the device is appended concurrently.
     *
     * @returns whether the entry is new, and the latest sequence of the device for the track before it
     */
    async appendEvent(userId: string, entry: ProgressEntry, now: Date) {
      return db
        .with('added', (cte) =>
          cte
            .insertInto('listening_event')
            .values({
              user_id: userId,
              device_id: entry.device,
              sequence: entry.sequence,
              article_id: entry.track,
              position: entry.position,
              cause: entry.cause,
              occurred_at: toOccurredAt(entry, now),
              received_at: now,
            })
            .onConflict((conflict) => conflict.columns(['user_id', 'device_id', 'sequence']).doNothing())
            .returning('sequence'),
        )
        .selectNoFrom((eb) => [
          eb.exists(eb.selectFrom('added').select('sequence')).$castTo<boolean>().as('isNew'),
          // The statement sees the log as it was before its own insertion.
          eb
            .selectFrom('listening_event as e')
            .select('e.sequence')
            .where('e.article_id', '=', entry.track)
            .where('e.user_id', '=', userId)
            .where('e.device_id', '=', entry.device)
            .orderBy('e.sequence', 'desc')
            .limit(1)
            .as('lastSequence'),
        ])
        .executeTakeFirstOrThrow();
    },

    async updateProgress(userId: string, track: string, progress: Progress, now: Date): Promise<void> {
      await db
        .updateTable('listening_progress')
        .set({
          position: progress.position,
          in_continue_listening: progress.inContinueListening,
          device_id: progress.device,
          device_kind: progress.deviceKind,
          in_history: true,
          listened_at: now,
        })
        .where('user_id', '=', userId)
        .where('article_id', '=', track)
        .execute();
    },
  };
}

/** Progress and listening events, scoped by user. */
export function createListeningRepository(db: Database) {
  return {
    runInTransaction: <Result>(
      work: (steps: ReturnType<typeof createSaveSteps>) => Promise<Result>,
    ): Promise<Result> => db.transaction().execute((transaction) => work(createSaveSteps(transaction))),

    /**
     * Removes a track from Continue listening, or restores it to the history.
     *
     * @returns whether the user has progress in the track
     */
    async setListed(
      userId: string,
      track: string,
      change: { in_continue_listening: false } | { in_history: true },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('listening_progress')
        .set(change)
        .where('user_id', '=', userId)
        .where('article_id', '=', track)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Removes a track from the history, or all tracks. Returns how many were in it. */
    async removeFromHistory(userId: string, track?: string): Promise<number> {
      let query = db
        .updateTable('listening_progress')
        .set({ in_history: false })
        .where('user_id', '=', userId)
        .where('in_history', '=', sql.lit(true));
      if (track !== undefined) query = query.where('article_id', '=', track);
      return Number((await query.executeTakeFirst()).numUpdatedRows);
    },

    /** Returns a page of the user's progress of one list, most recent first, and the length of the list. */
    async findProgress(userId: string, list: ProgressList, { limit, offset }: Window) {
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
        .limit(limit)
        .offset(offset);
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
      if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 };
      const { total } = await listed
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { rows, total };
    },

    /** Returns the events since a time, those of each device in its order. */
    async findEvents(userId: string, since: Date): Promise<ListeningEvent[]> {
      const rows = await db
        .selectFrom('listening_event')
        .select(['device_id as device', 'article_id as track', 'position', 'cause', 'occurred_at as at'])
        .where('user_id', '=', userId)
        .where('occurred_at', '>=', since)
        .orderBy('device_id')
        .orderBy('sequence')
        .execute();
      return rows.map((row) => ({ ...row, at: row.at.getTime() }));
    },

    /**
     * Returns times at which the user listened: the latest of each quarter of an hour, back to the first pause of more
     * than two days. No time zone's day starts within a quarter of an hour. Each is one lookup in the index, so that
     * neither many years nor many events make it slow.
     */
    async findListeningTimes(userId: string): Promise<Date[]> {
      const latest = (before: string, condition = sql``) => sql`
        select e.occurred_at from listening_event e
        where e.user_id = ${userId} and e.occurred_at < ${sql.raw(before)} and e.cause in ('tick', 'ended') ${condition}
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
