import { limits } from '@escucho/contracts';
import { sql, type Updateable } from 'kysely';
import { changeCatalogue, lockUserData } from '../catalogue-loader/repository.ts';
import { type Database, findForeignKeys, type Tables } from '../database.ts';

type ArticleColumns = Partial<Updateable<Tables['article']>>;

/** Written again by `index_articles`, therefore not stored with the other rows. */
const SEARCH_TABLE = 'search_document';

/**
 * Moves the rows of an article to `withdrawn_row`. One statement per table, so that the copy has what a user changed at the
 * same time. Playlist items belong to the playlist's owner.
 */
const moveToWithdrawn = (db: Database, id: string, table: string, column: string) =>
  sql`
    with t as materialized (delete from ${sql.table(table)} where ${sql.ref(column)} = ${id} returning *)
    insert into withdrawn_row (article_id, user_id, table_name, "row")
    select ${id}, coalesce(
        (to_jsonb(t) ->> 'user_id')::uuid,
        (select owner_id from playlist where playlist.id = (to_jsonb(t) ->> 'playlist_id')::uuid)
      ), ${table}, to_jsonb(t)
    from t`.execute(db);

/**
 * Inserts the withdrawn rows of a table again. Skips playlists that were deleted or are full; in a user's playlist whose
 * sort keys have changed the track moves to the nearest end.
 */
async function restoreRows(db: Database, id: string, table: string): Promise<void> {
  const rows = sql`select (jsonb_populate_record(null::${sql.table(table)}, "row")).*
    from withdrawn_row where article_id = ${id} and table_name = ${table}`;
  if (table !== 'playlist_item') {
    await sql`insert into ${sql.table(table)} ${rows} on conflict do nothing`.execute(db);
    return;
  }
  await sql`
    insert into playlist_item (playlist_id, article_id, sort_key, added_at)
    select k.playlist_id, k.article_id,
      case when p.owner_id is null then k.sort_key else least(greatest(k.sort_key, p.min_sort_key), p.max_sort_key) end,
      k.added_at
    from (${rows}) k join playlist p on p.id = k.playlist_id
    where p.owner_id is null or p.total_tracks < ${limits.playlists.tracks}
    on conflict do nothing`.execute(db);
}

/** Creates the repository of the catalogue's administration. */
export function createCatalogueAdminRepository(db: Database) {
  return {
    /** Returns published and withdrawn articles whose slug or title contains a text, by slug. */
    async findArticles(text: string) {
      const { rows } = await sql<{
        slug: string;
        title: string;
        state: 'published' | 'unpublished' | 'removed';
        level: string | null;
        language: string | null;
        narrator: string | null;
        seconds: number | null;
      }>`
        select * from (
          select slug, title, 'published' as state, level, language, narrator, duration as seconds from article
          union all
          select slug, title,
            case when exists (select from withdrawn_row s where s.article_id = w.id) then 'unpublished' else 'removed' end,
            null, null, null, null
          from withdrawn_article w
        ) a
        where ${text} = '' or strpos(lower(slug || ' ' || title), lower(${text})) > 0
        order by slug`.execute(db);
      return rows;
    },

    findArticle: (slug: string) =>
      db.selectFrom('article').select(['id', 'slug', 'title']).where('slug', '=', slug).executeTakeFirst(),

    findWithdrawn: (slug: string) =>
      db
        .selectFrom('withdrawn_article')
        .select(['id', 'slug', 'title'])
        .where('slug', '=', slug)
        .executeTakeFirst(),

    /**
     * Changes columns of an article and records that they were edited.
     *
     * @returns false when the article no longer exists
     */
    editArticle: (id: string, columns: ArticleColumns): Promise<boolean> =>
      changeCatalogue(db, async (transaction) => {
        const article = transaction.selectFrom('article').select('id').where('id', '=', id);
        if (!(await article.executeTakeFirst())) return false;
        if (columns.narrator !== undefined) {
          await transaction
            .insertInto('narrator')
            .values({ name: columns.narrator, image: null })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        await transaction
          .updateTable('article')
          .set({ ...columns, edited_columns: sql`edited_columns || ${JSON.stringify(columns)}::jsonb` })
          .where('id', '=', id)
          .execute();
        await sql`select index_articles(array[${id}::uuid])`.execute(transaction);
        return true;
      }),

    /**
     * Deletes an article with all rows that reference it.
     *
     * @param isRestorable - whether the rows are moved to `withdrawn_row`, so that `restore` can insert them again
     */
    withdraw: (id: string, { isRestorable, now }: { isRestorable: boolean; now: Date }): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        const article = await transaction
          .selectFrom('article')
          .select(['slug', 'title', 'source', 'source_audio_hash', 'published_at'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!article) return;
        await lockUserData(transaction, id);
        await transaction
          .insertInto('withdrawn_article')
          .values({ id, ...article, withdrawn_at: now })
          .execute();
        const references = (await findForeignKeys(transaction)).filter(
          ({ table, target }) => target === 'article' && table !== SEARCH_TABLE,
        );
        // The article last, because the trigger on playlist_item reads its duration.
        for (const { table, column } of [...references, { table: 'article', column: 'id' }]) {
          if (isRestorable) await moveToWithdrawn(transaction, id, table, column);
          else
            await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(transaction);
        }
      }),

    /**
     * Inserts a withdrawn article and the rows that referenced it again. A removed article has no rows; its slug becomes
     * available to loads and imports.
     *
     * @returns whether the article exists again
     */
    restore: (id: string): Promise<boolean> =>
      changeCatalogue(db, async (transaction) => {
        await lockUserData(transaction, id);
        const { rows } = await sql<{ table: string }>`
          select table_name as "table" from withdrawn_row where article_id = ${id}
          group by table_name order by table_name <> 'article', table_name`.execute(transaction);
        for (const { table } of rows) await restoreRows(transaction, id, table);
        await transaction.deleteFrom('withdrawn_article').where('id', '=', id).execute();
        if (rows.length > 0) await sql`select index_articles(array[${id}::uuid])`.execute(transaction);
        return rows.length > 0;
      }),

    /** Deletes the rows of a withdrawn article. */
    async deleteWithdrawnRows(id: string): Promise<void> {
      await db.deleteFrom('withdrawn_row').where('article_id', '=', id).execute();
    },

    /** Returns the keys of the audio of some articles. */
    async findSomeAudio(limit: number): Promise<string[]> {
      const rows = await db.selectFrom('article').select('audio').orderBy('id').limit(limit).execute();
      return rows.map(({ audio }) => audio);
    },

    /** Deletes narrators without articles, except for those with a portrait. Not while an article of one is written. */
    deleteUnusedNarrators: (): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        await sql`delete from narrator n where image is null
          and not exists (select from article where narrator = n.name)
          and not exists (select from withdrawn_row where table_name = 'article' and "row" ->> 'narrator' = n.name)`.execute(
          transaction,
        );
      }),

    /** Returns the system playlists in Discover's order. */
    findPlaylists: () =>
      db
        .selectFrom('playlist')
        .select(['id', 'name', 'titles', 'active', 'total_tracks'])
        .where('owner_id', 'is', null)
        .orderBy('sort_order')
        .orderBy('id')
        .execute(),

    setPlaylistActive: (id: string, active: boolean): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        await transaction
          .updateTable('playlist')
          .set({ active })
          .where('id', '=', id)
          .where('owner_id', 'is', null)
          .execute();
      }),

    /**
     * Moves articles to the beginning of a system playlist, in order, adding those that are not in it. Their sort keys are
     * negative, by which loads of the playlist recognise and keep them.
     */
    prependToPlaylist: (playlistId: string, articleIds: readonly string[], now: Date): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        await transaction
          .selectFrom('playlist')
          .select('id')
          .where('id', '=', playlistId)
          .forUpdate()
          .execute();
        await sql`delete from playlist_item
          where playlist_id = ${playlistId} and article_id = any(${articleIds}::uuid[])`.execute(transaction);
        await sql`
          insert into playlist_item (playlist_id, article_id, sort_key, added_at)
          select ${playlistId}::uuid, article, ordinality - ${articleIds.length}::integer - 1 + least(
              (select min(sort_key) from playlist_item where playlist_id = ${playlistId}),
              -- Those of unpublished articles, which may return.
              (select min(("row" ->> 'sort_key')::numeric) from withdrawn_row
                where table_name = 'playlist_item' and "row" ->> 'playlist_id' = ${playlistId}),
              0
            ), ${now}::timestamptz
          from unnest(${articleIds}::uuid[]) with ordinality as item (article, ordinality)`.execute(
          transaction,
        );
      }),
  };
}

export type CatalogueAdminRepository = ReturnType<typeof createCatalogueAdminRepository>;
