import { sql } from 'kysely';
import { changeCatalogue } from '../catalogue-loader/repository.ts';
import type { Database } from '../database.ts';
import type { Recording } from './recording.ts';

const KEEP_ALIVE_INTERVAL_MS = 20_000;

/** Ends the stamp of an imported article until it is announced. */
const UNANNOUNCED = ' unannounced';

/** Returns the stamp of an imported article that was not announced yet. */
export const toUnannouncedStamp = (stamp: string): string => stamp + UNANNOUNCED;
/** Returns the stamp of an article as it will be when it is announced. */
export const toAnnouncedStamp = (stamp: string): string => stamp.replace(UNANNOUNCED, '');

/** Creates the repository of the queries that only imports make. Articles are written by that of the catalogue loader. */
export function createImportRepository(db: Database) {
  return {
    /**
     * Runs `work` with the lock that allows one import at a time. Needs a pool of one connection.
     *
     * @throws Error when another connection holds the lock; its message is for the user.
     */
    async withLock<Result>(work: () => Promise<Result>): Promise<Result> {
      async function acquire(): Promise<boolean> {
        const { rows } = await sql<{ acquired: boolean }>`
          select pg_try_advisory_lock(hashtext('escucho import')) as acquired`.execute(db);
        return rows[0]?.acquired ?? false;
      }
      if (!(await acquire())) throw new Error('Another import is running. Wait for it, then go on.');
      // An idle connection would be closed, which releases the lock.
      const timer = setInterval(() => void acquire().catch(() => {}), KEEP_ALIVE_INTERVAL_MS);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        // However often it was taken: the server does not end a closed connection at once. Without a connection there is
        // nothing to release.
        await sql`select pg_advisory_unlock_all()`.execute(db).catch(() => {});
      }
    },

    /** Returns whether an article, published or withdrawn, has a slug. */
    async isSlugUsed(slug: string): Promise<boolean> {
      const { rows } = await sql`
        select from article where slug = ${slug} union all select from withdrawn_article where slug = ${slug}`.execute(
        db,
      );
      return rows.length > 0;
    },

    /**
     * Records that articles are read from other places, which may be those of each other or of withdrawn articles, or from
     * none. Withdrawn articles lose such a place, so that they can be published again.
     */
    saveSources: (sourceById: ReadonlyMap<string, string | null>): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        const ids = [...sourceById.keys()];
        const sources = [...sourceById.values()];
        // Sources are unique also within a statement.
        await transaction
          .updateTable('article')
          .set({ source: null })
          .where('id', '=', sql<string>`any(${ids}::uuid[])`)
          .execute();
        await sql`
          update article a set source = moved.source
          from unnest(${ids}::uuid[], ${sources}::text[]) as moved (id, source)
          where a.id = moved.id`.execute(transaction);
        await sql`
          with freed as materialized (
            update withdrawn_article set source = null where source = any(${sources}::text[]) returning id
          )
          update withdrawn_row r set "row" = r."row" || '{"source": null}'
          from freed where r.article_id = freed.id and r.table_name = 'article'`.execute(transaction);
      }),

    /**
     * Returns what an earlier import recorded of an unchanged recording that is no article: the audio because of which it was
     * skipped, or why it could not be imported within the last day.
     *
     * @param articleStamp - the stamp of the article that it would be
     */
    async findEarlierResult({ source, stamp }: Recording, articleStamp: string) {
      const { rows } = await sql<{ skippedAudio: string | null; failure: string | null }>`
        select
          (select audio_hash from skipped_recording where source = ${source} and stamp = ${stamp}) as "skippedAudio",
          (
            select reason from failed_recording
            where source = ${source} and stamp = ${articleStamp} and failed_at > now() - interval '1 day'
          ) as failure`.execute(db);
      return rows[0] ?? { skippedAudio: null, failure: null };
    },

    /** Records that a recording was skipped because of its audio. */
    async saveSkipped({ source, stamp }: Recording, audioHash: string): Promise<void> {
      const values = { stamp, audio_hash: audioHash };
      await db
        .insertInto('skipped_recording')
        .values({ source, ...values })
        .onConflict((conflict) => conflict.column('source').doUpdateSet(values))
        .execute();
    },

    /** Records why an episode could not be imported. */
    async saveFailure(source: string, stamp: string, reason: string): Promise<void> {
      const values = { stamp, reason, failed_at: sql<Date>`now()` };
      await db
        .insertInto('failed_recording')
        .values({ source, ...values })
        .onConflict((conflict) => conflict.column('source').doUpdateSet(values))
        .execute();
    },

    /** Records that articles were announced. */
    markAnnounced: (ids: readonly string[]): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        await transaction
          .updateTable('article')
          .set({ source_stamp: sql`replace(source_stamp, ${UNANNOUNCED}, '')` })
          .where('id', '=', sql<string>`any(${ids}::uuid[])`)
          .execute();
      }),
  };
}

export type ImportRepository = ReturnType<typeof createImportRepository>;
