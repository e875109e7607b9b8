import type { ProgressEntry } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { isFavourite } from '../favourites/repository.ts';
import type { Window } from '../paging.ts';
import type { Progress } from './policy.ts';

/** What a save finds: the place, locked until the end of the transaction, when it was written, and the track's seconds. */
interface LockedProgress extends Progress {
  listenedAt: Date;
  duration: number;
}

/** Which of a reader's places: what stands in continue listening, or in the history. */
export type ProgressList = 'in_continue_listening' | 'in_history';

// A clock that runs ahead must not fill tomorrow.
const toOccurredAt = ({ at }: ProgressEntry, now: Date): Date =>
  at === undefined || new Date(at) > now ? now : new Date(at);

/** The steps of a save, within its transaction. */
function createSaveSteps(db: Database) {
  return {
    /** Locks the reader's place in a track, making one at the start where there is none. Undefined for an unknown track. */
    async lockProgress(reader: string, track: string, now: Date): Promise<LockedProgress | undefined> {
      return db
        .with('track', (cte) => cte.selectFrom('article').select(['id', 'duration']).where('id', '=', track))
        .with('place', (cte) =>
          cte
            .insertInto('listening_progress')
            .columns(['user_id', 'article_id', 'position', 'in_continue_listening', 'listened_at'])
            .expression((eb) =>
              eb
                .selectFrom('track')
                .select([
                  eb.cast<string>(eb.val(reader), 'uuid').as('user_id'),
                  'track.id',
                  sql.lit(0).as('position'),
                  sql.lit(false).as('in_continue_listening'),
                  eb.cast<Date>(eb.val(now), 'timestamptz').as('listened_at'),
                ]),
            )
            // Changes nothing, but locks the row and reads what the last to hold it wrote.
            .onConflict((conflict) =>
              conflict
                .columns(['user_id', 'article_id'])
                .doUpdateSet((eb) => ({ position: eb.ref('listening_progress.position') })),
            )
            .returning(['position', 'in_continue_listening', 'device_kind', 'device_id', 'listened_at']),
        )
        .selectFrom(['track', 'place'])
        .select([
          'place.position',
          'place.in_continue_listening as inContinueListening',
          'place.device_kind as deviceKind',
        ])
        .select(['place.device_id as device', 'place.listened_at as listenedAt', 'track.duration'])
        .executeTakeFirst();
    },

    /**
     * Adds an entry to the journal. Out: whether it is new, and the newest sequence that the device sent for the
     * track before. Call it under the lock, or the answer may be outdated.
     */
    async appendEvent(reader: string, entry: ProgressEntry, now: Date) {
      return db
        .with('added', (cte) =>
          cte
            .insertInto('listening_event')
            .values({
              user_id: reader,
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
          // The statement sees the journal as it was before its own insertion.
          eb
            .selectFrom('listening_event as e')
            .select('e.sequence')
            .where('e.article_id', '=', entry.track)
            .where('e.user_id', '=', reader)
            .where('e.device_id', '=', entry.device)
            .orderBy('e.sequence', 'desc')
            .limit(1)
            .as('lastSequence'),
        ])
        .executeTakeFirstOrThrow();
    },

    async updateProgress(reader: string, track: string, place: Progress, now: Date): Promise<void> {
      const { position, inContinueListening: listed, device: device_id, deviceKind: device_kind } = place;
      await db
        .updateTable('listening_progress')
        .set({
          position,
          in_continue_listening: listed,
          device_id,
          device_kind,
          in_history: true,
          listened_at: now,
        })
        .where('user_id', '=', reader)
        .where('article_id', '=', track)
        .execute();
    },
  };
}

/** One reader's places and journal; every call names the reader. */
export function createListeningRepository(db: Database) {
  return {
    /** Runs the steps of a save as one transaction. */
    save: <Result>(work: (steps: ReturnType<typeof createSaveSteps>) => Promise<Result>): Promise<Result> =>
      db.transaction().execute((transaction) => work(createSaveSteps(transaction))),

    /** Takes a track out of continue listening. Out: whether the reader has a place in it. */
    async removeFromContinueListening(reader: string, track: string): Promise<boolean> {
      const result = await db
        .updateTable('listening_progress')
        .set({ in_continue_listening: false })
        .where('user_id', '=', reader)
        .where('article_id', '=', track)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    /** The reader's places of one kind, last heard first, and how many there are in all. */
    async findProgress(reader: string, list: ProgressList, { limit, offset }: Window) {
      const listed = db
        .selectFrom('listening_progress')
        .where('user_id', '=', reader)
        .where(list, '=', sql.lit(true));
      // The page is cut before anything is joined.
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
        .select([
          'a.id',
          'a.title',
          'a.duration',
          'a.loudness',
          'a.audio',
          'a.image',
          'a.artwork',
          'a.language',
        ])
        .select([
          'a.level',
          'a.kind',
          'a.topic',
          'a.narrator',
          'l.position',
          'l.device_kind',
          'l.listened_at',
        ])
        .select(['l.total', 'n.image as narrator_image', isFavourite(reader, 'a.id').as('like')])
        .orderBy('l.listened_at', 'desc')
        .orderBy('l.article_id')
        .execute();
      if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 };
      const counted = await listed
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { rows, total: counted.total };
    },
  };
}

export type ListeningRepository = ReturnType<typeof createListeningRepository>;
export type ProgressRow = Awaited<ReturnType<ListeningRepository['findProgress']>>['rows'][number];
