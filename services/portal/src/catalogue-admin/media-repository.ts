import { sql } from 'kysely';
import { changeCatalogue } from '../catalogue-loader/repository.ts';
import type { Database } from '../database.ts';

/** Returns those of the keys that an article, an unpublished article or a narrator uses. */
async function findUsed(db: Database, keys: readonly string[]): Promise<ReadonlySet<string>> {
  // A join, because PostgreSQL compares a parameter's array with each value one by one.
  const { rows } = await sql<{ key: string }>`
    select distinct key from unnest(${keys}::text[]) key
    join (
      select unnest(array[image, artwork, audio]) from article
      union all
      select page ->> 'image' from article, jsonb_array_elements(pages) page
      union all
      select unnest(array[a.image, a.artwork, a.audio])
      from withdrawn_row s, jsonb_populate_record(null::article, s."row") a where s.table_name = 'article'
      union all
      select page ->> 'image'
      from withdrawn_row s, jsonb_array_elements(s."row" -> 'pages') page where s.table_name = 'article'
      union all
      select image from narrator
    ) used (key) using (key)`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** Creates the repository of what the catalogue uses of the media store. */
export function createMediaRepository(db: Database) {
  return {
    findUsed: (keys: readonly string[]) => findUsed(db, keys),

    /**
     * Records those of the files that are unused, unless they are recorded. Not while an article is written, which would
     * leave the record of a file that it uses.
     *
     * @returns the unused files, and when each was found first
     */
    recordUnused: (keys: readonly string[], now: Date): Promise<{ key: string; foundAt: Date }[]> =>
      changeCatalogue(db, async (transaction) => {
        const used = await findUsed(transaction, keys);
        const unused = keys.filter((key) => !used.has(key));
        const { rows } = await sql<{ key: string; foundAt: Date }>`
          insert into unused_media (key, found_at) select key, ${now} from unnest(${unused}::text[]) key order by key
          on conflict (key) do update set found_at = unused_media.found_at
          returning key, found_at as "foundAt"`.execute(transaction);
        return rows;
      }),

    /**
     * Deletes files that were found unused before a time and still are, with their records. Locks the records: an import or a
     * load that needs one of the files waits, and stores it again; see `claimMedia`.
     *
     * @returns the keys of the deleted files
     */
    deleteUnused: (
      keys: readonly string[],
      foundBefore: Date,
      deleteFile: (key: string) => Promise<void>,
    ): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('unused_media')
          .select('key')
          .where('key', '=', sql<string>`any(${keys}::text[])`)
          .where('found_at', '<=', foundBefore)
          .orderBy('key')
          .forUpdate()
          .execute();
        const used = await findUsed(transaction, keys);
        const unused = rows.flatMap(({ key }) => (used.has(key) ? [] : key));
        for (const key of unused) await deleteFile(key);
        await transaction
          .deleteFrom('unused_media')
          .where('key', '=', sql<string>`any(${unused}::text[])`)
          .execute();
        return unused;
      }),
  };
}

export type MediaRepository = ReturnType<typeof createMediaRepository>;
