import { favouritesName } from '@escucho/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';

/** Whether a track is among a reader's favourites, as part of a query. In: the reader, the column with the track's id. */
export const isFavourite = (reader: string, article: string): RawBuilder<boolean> => sql`exists (
  select 1 from playlist_item h where h.article_id = ${sql.ref(article)} and h.playlist_id = (
    select f.id from playlist f
    where f.owner_id = ${reader} and f.origin = 'auto' and f.name = ${sql.lit(favouritesName)}
  )
)`;

/** The reader's playlist of favourites (CAT-08). */
export function createFavouriteRepository(db: Database) {
  return {
    /** Its id; undefined before the first like. */
    async find(reader: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('playlist')
        .select('id')
        .where('owner_id', '=', reader)
        .where('origin', '=', sql.lit('auto'))
        .where('name', '=', sql.lit(favouritesName))
        .executeTakeFirst();
      return row?.id;
    },

    /** Makes it, unless another device just did. Out: its id. */
    async create(reader: string, now: Date): Promise<string> {
      const { id } = await db
        .insertInto('playlist')
        .values({ owner_id: reader, name: favouritesName, origin: 'auto', created_at: now })
        .onConflict((conflict) =>
          conflict
            .column('owner_id')
            .where('origin', '=', sql.lit('auto'))
            .where('name', '=', sql.lit(favouritesName))
            // Changes nothing, but names the row.
            .doUpdateSet({ name: favouritesName }),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}

export type FavouriteRepository = ReturnType<typeof createFavouriteRepository>;
