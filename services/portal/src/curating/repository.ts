import { sql, type Updateable } from 'kysely';
import type { Database, Tables } from '../database.ts';
import { allOf } from '../library/piece.ts';

/** New values by column. */
type Columns = Partial<Updateable<Tables['article']>>;

/** The tables of this schema that point at articles, by the column that does. */
async function pointers(db: Database): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select source.relname "table", a.attname "column"
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_class source on source.oid = c.conrelid
    where c.contype = 'f' and c.confrelid = 'article'::regclass
    order by 1`.execute(db);
  return rows;
}

/** The search's own table is made anew, and not kept. */
const derived = 'search_document';

/** Keeps rows of a table as they are. A playlist's rows are its owner's. */
const setAside = (db: Database, id: string, table: string, column: string) =>
  sql`
    insert into set_aside (article_id, user_id, table_name, "row")
    select ${id}, coalesce(
        (to_jsonb(t) ->> 'user_id')::uuid,
        (select owner_id from playlist where playlist.id = (to_jsonb(t) ->> 'playlist_id')::uuid)
      ), ${table}, to_jsonb(t)
    from ${sql.table(table)} t where ${sql.ref(`t.${column}`)} = ${id}`.execute(db);

/**
 * Puts kept rows back. A playlist that is gone or full gets nothing, and one that was numbered anew gets its track at the
 * nearest end.
 */
async function putBack(db: Database, id: string, table: string): Promise<void> {
  const kept = sql`select (jsonb_populate_record(null::${sql.table(table)}, "row")).*
    from set_aside where article_id = ${id} and table_name = ${table}`;
  if (table !== 'playlist_item') {
    await sql`insert into ${sql.table(table)} ${kept} on conflict do nothing`.execute(db);
    return;
  }
  await sql`
    insert into playlist_item (playlist_id, article_id, sort_key, added_at)
    select k.playlist_id, k.article_id,
      case when p.owner_id is null then k.sort_key else least(greatest(k.sort_key, p.min_sort_key), p.max_sort_key) end,
      k.added_at
    from (${kept}) k join playlist p on p.id = k.playlist_id
    where p.owner_id is null or p.total_tracks < 20000
    on conflict do nothing`.execute(db);
}

/** What an editor does to the catalogue. */
export function curatingRepository(db: Database) {
  return {
    /** Articles and withdrawn ones whose name or title holds a text, by name. */
    async find(text: string) {
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
            case when exists (select from set_aside s where s.article_id = w.id) then 'unpublished' else 'removed' end,
            null, null, null, null
          from withdrawn w
        ) a
        where ${text} = '' or strpos(lower(slug || ' ' || title), lower(${text})) > 0
        order by slug`.execute(db);
      return rows;
    },

    /** The id of what has a name: an article, or a withdrawn one. */
    findId: (table: 'article' | 'withdrawn', name: string) =>
      db.selectFrom(table).select(['id', 'slug', 'title']).where('slug', '=', name).executeTakeFirst(),

    /** Changes columns of an article, and remembers that they were changed by hand. */
    edit: (id: string, columns: Columns): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        if (columns.narrator !== undefined) {
          await transaction
            .insertInto('narrator')
            .values({ name: columns.narrator, image: null })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        await transaction
          .updateTable('article')
          .set({ ...columns, edited: sql`edited || ${JSON.stringify(columns)}::jsonb` })
          .where('id', '=', id)
          .execute();
        await sql`select index_articles(array[${id}::uuid])`.execute(transaction);
      }),

    /**
     * Takes an article out of the catalogue with all that refers to it. In: whether it is kept to be published again.
     * Out: the keys of its media, none where it is no longer there.
     */
    withdraw: (id: string, { isKept, now }: { isKept: boolean; now: Date }): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        const article = await transaction
          .selectFrom('article')
          .select(['slug', 'title', 'source', 'source_audio', 'image', 'artwork', 'audio', 'pages'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!article) return [];
        const { slug, title, source, source_audio, ...media } = article;
        await transaction
          .insertInto('withdrawn')
          .values({ id, slug, title, source, source_audio, withdrawn_at: now })
          .execute();
        const referring = (await pointers(transaction)).filter(({ table }) => table !== derived);
        if (isKept) {
          for (const { table, column } of [{ table: 'article', column: 'id' }, ...referring])
            await setAside(transaction, id, table, column);
        }
        // Before the article: what counts tracks looks up how long they are.
        for (const { table, column } of referring)
          await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(transaction);
        await transaction.deleteFrom('article').where('id', '=', id).execute();
        return allOf({ ...media, portrait: null, pages: media.pages.map(({ image }) => image) });
      }),

    /** Brings a withdrawn article back with all that referred to it; of one that was removed, the name is free again. Out: whether it is back. */
    publish: (id: string): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ table: string }>`
          select table_name as "table" from set_aside where article_id = ${id}
          group by table_name order by table_name <> 'article', table_name`.execute(transaction);
        for (const { table } of rows) await putBack(transaction, id, table);
        await transaction.deleteFrom('withdrawn').where('id', '=', id).execute();
        if (rows.length > 0) await sql`select index_articles(array[${id}::uuid])`.execute(transaction);
        return rows.length > 0;
      }),

    /** Forgets what was kept of a withdrawn article. Out: the keys of its media. */
    forget: (id: string): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{
          image: string;
          artwork: string;
          audio: string;
          pages: { image: string }[];
        }>`
          select a.image, a.artwork, a.audio, a.pages
          from set_aside s, jsonb_populate_record(null::article, s."row") a
          where s.article_id = ${id} and s.table_name = 'article'`.execute(transaction);
        await transaction.deleteFrom('set_aside').where('article_id', '=', id).execute();
        return rows.flatMap((media) =>
          allOf({ ...media, portrait: null, pages: media.pages.map(({ image }) => image) }),
        );
      }),

    /** Those of the keys that something in the catalogue, or withdrawn from it, still needs. */
    async findNeeded(keys: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await sql<{ key: string }>`
        select key from unnest(${keys}::text[]) key
        where exists (select from narrator where image = key) or exists (
          select from (
            select image, artwork, audio, pages from article
            union all
            select a.image, a.artwork, a.audio, a.pages
            from set_aside s, jsonb_populate_record(null::article, s."row") a where s.table_name = 'article'
          ) needed
          where image = key or artwork = key or audio = key
            or exists (select from jsonb_array_elements(pages) page where page ->> 'image' = key)
        )`.execute(db);
      return new Set(rows.map(({ key }) => key));
    },

    /** Removes narrators who narrate nothing any more, but not those with a portrait. */
    async dropNarrators(): Promise<void> {
      await sql`delete from narrator n where image is null
        and not exists (select from article where narrator = n.name)
        and not exists (select from set_aside where table_name = 'article' and "row" ->> 'narrator' = n.name)`.execute(
        db,
      );
    },

    /** The system's playlists in Discover's order. */
    findPlaylists: () =>
      db
        .selectFrom('playlist')
        .select(['id', 'name', 'titles', 'active', 'total_tracks'])
        .where('owner_id', 'is', null)
        .orderBy('sort_order')
        .orderBy('id')
        .execute(),

    /** Shows a system playlist, or hides it. */
    async show(id: string, active: boolean): Promise<void> {
      await db
        .updateTable('playlist')
        .set({ active })
        .where('id', '=', id)
        .where('owner_id', 'is', null)
        .execute();
    },

    /** Puts articles at the head of a system playlist, in their order; those in it already move there. */
    placeFirst: (playlist: string, articles: readonly string[], now: Date): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .selectFrom('playlist')
          .select('id')
          .where('id', '=', playlist)
          .forUpdate()
          .execute();
        await sql`delete from playlist_item
          where playlist_id = ${playlist} and article_id = any(${articles}::uuid[])`.execute(transaction);
        await sql`
          insert into playlist_item (playlist_id, article_id, sort_key, added_at)
          select ${playlist}::uuid, article, ordinality - ${articles.length}::integer - 1
            + coalesce((select min(sort_key) from playlist_item where playlist_id = ${playlist}), 1), ${now}::timestamptz
          from unnest(${articles}::uuid[]) with ordinality as item (article, ordinality)`.execute(
          transaction,
        );
      }),
  };
}

export type CuratingRepository = ReturnType<typeof curatingRepository>;
