import { sql } from 'kysely';
import type { Database } from '../database.ts';
import {
  type ArticleContent,
  type ArticleMedia,
  listMedia,
  type PlaylistDefinition,
} from './article-files.ts';

const SENTENCES_PER_INSERT = 1000;
/** What an article was read from. */
export interface ArticleOrigin {
  /** Changes when one of the source files is written. */
  stamp: string;
  /** Changes when the content changes. */
  hash: string;
  /** Of an imported article: where it was read from, the SHA-256 of its audio there, and whether its times are estimated. */
  imported?: { source: string; audio: string; estimated: boolean };
}

/**
 * Runs a transaction that changes articles or system playlists, once no other one runs. The triggers that index and count
 * articles take the same lock, for which a transaction that holds rows must not wait: two of them would be a deadlock.
 */
export const changeCatalogue = <Result>(
  db: Database,
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('portal search'))`.execute(transaction);
    return change(transaction);
  });

/**
 * Locks the users who have data about an article, published or not, then the playlists that contain it. All transactions
 * lock users before their data, so that none waits in a circle for a change of a playlist or the deletion of an account.
 * Call it in `changeCatalogue`, with the row of a published article locked, so that nobody adds such data.
 */
export async function lockUserData(transaction: Database, articleId: string): Promise<void> {
  await sql`
    select from users where id in (
      select user_id from listening_progress where article_id = ${articleId}
      union all select user_id from bookmark where article_id = ${articleId}
      union all select owner_id from playlist join playlist_item on playlist_id = playlist.id where article_id = ${articleId}
      union all select user_id from withdrawn_row where article_id = ${articleId}
    ) order by id for key share`.execute(transaction);
  await sql`
    select from playlist where id in (
      select playlist_id from playlist_item where article_id = ${articleId}
      union all select ("row" ->> 'playlist_id')::uuid from withdrawn_row
        where article_id = ${articleId} and table_name = 'playlist_item'
    ) order by id for no key update`.execute(transaction);
}

function toArticleRow(
  content: ArticleContent,
  media: ArticleMedia,
  { stamp, hash, imported }: ArticleOrigin,
) {
  const { translationLanguage, narrator, published, audio, chapters, pages, ...rest } = content;
  const { sentences: _, ...columns } = rest;
  const pageRows = pages.map(({ picture: _, ...page }, index) => ({ ...page, image: media.pages[index] }));
  return {
    ...columns,
    translation_language: translationLanguage ?? null,
    narrator: narrator.name,
    image: media.image,
    artwork: media.artwork,
    audio: media.audio,
    loudness: audio.loudness ?? null,
    chapters: JSON.stringify(chapters),
    pages: JSON.stringify(pageRows),
    source_stamp: stamp,
    content_hash: hash,
    estimated: imported?.estimated ?? false,
    source: imported?.source ?? null,
    source_audio_hash: imported?.audio ?? null,
    published_at: new Date(`${published}T00:00:00Z`),
  };
}

const toSentenceRows = (id: string, content: ArticleContent) =>
  content.sentences.map((sentence, number) => ({
    article_id: id,
    number,
    text: sentence.text,
    translation: sentence.translation ?? null,
    starts_at: sentence.start,
    ends_at: sentence.end,
    paragraph: sentence.paragraph,
    chapter: sentence.chapter ?? null,
    page: sentence.page ?? null,
  }));

/** Removes the columns that an administrator edited. */
function omitEditedColumns<Row extends object>(row: Row, edited: Record<string, unknown>): Partial<Row> {
  const remaining: Partial<Row> = { ...row };
  for (const column of Object.keys(edited)) Reflect.deleteProperty(remaining, column);
  return remaining;
}

async function replaceSentences(transaction: Database, id: string, content: ArticleContent): Promise<void> {
  await transaction.deleteFrom('sentence').where('article_id', '=', id).execute();
  const rows = toSentenceRows(id, content);
  for (let from = 0; from < rows.length; from += SENTENCES_PER_INSERT) {
    await transaction
      .insertInto('sentence')
      .values(rows.slice(from, from + SENTENCES_PER_INSERT))
      .execute();
  }
}

/** Deletes the records that files are unused. */
async function deleteUnusedMedia(db: Database, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('unused_media').where('key', '=', sql<string>`any(${keys})`).execute();
}

/** Returns whether an article, or another one with the same imported audio, is withdrawn. */
async function isWithdrawn(db: Database, id: string, { imported }: ArticleOrigin): Promise<boolean> {
  const found = await db
    .selectFrom('withdrawn_article')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', id), eb('source_audio_hash', '=', imported?.audio ?? '')]))
    .executeTakeFirst();
  return found !== undefined;
}

/** Creates the repository that writes articles and system playlists. */
export function createCatalogueLoaderRepository(db: Database) {
  return {
    /** Returns articles with one of the values in a column: their origin, and the keys of their media. */
    async findStored(column: 'id' | 'source' | 'source_audio_hash', values: readonly string[]) {
      const rows = await db
        .selectFrom('article as a')
        .innerJoin('narrator as n', 'n.name', 'a.narrator')
        .select(['a.id', 'a.slug', 'a.title', 'a.source', 'a.source_stamp as stamp'])
        .select(['a.content_hash as hash', 'a.source_audio_hash as audioHash'])
        .select(['a.image', 'a.artwork', 'a.audio', 'a.pages', 'n.image as portrait'])
        .where(`a.${column}`, '=', sql<string>`any(${values})`)
        .execute();
      return rows.map(({ image, artwork, audio, pages, portrait, ...article }) => ({
        ...article,
        keys: listMedia({ image, artwork, audio, portrait, pages: pages.map((page) => page.image) }),
      }));
    },

    /** Returns ids, sources and audio hashes of withdrawn articles. */
    async findWithdrawn(): Promise<Record<'ids' | 'sources' | 'audio', ReadonlySet<string>>> {
      const rows = await db
        .selectFrom('withdrawn_article')
        .select(['id', 'source', 'source_audio_hash'])
        .execute();
      return {
        ids: new Set(rows.map(({ id }) => id)),
        sources: new Set(rows.flatMap(({ source }) => source ?? [])),
        audio: new Set(rows.flatMap(({ source_audio_hash }) => source_audio_hash ?? [])),
      };
    },

    /** Returns those of the ids that are articles. */
    async findExistingIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db
        .selectFrom('article')
        .select('id')
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * Deletes the record that a file is unused, because an article will use it. Call it before you look whether the file
     * exists: it waits for a deletion of unused media, and the next one leaves the file alone.
     */
    claimMedia: (key: string): Promise<void> => deleteUnusedMedia(db, [key]),

    /**
     * Writes an article with its narrator, sentences and search document in one transaction. Skips columns that were edited.
     *
     * @returns false when the article was withdrawn in the meantime, so that nothing is written of it
     */
    saveArticle: (
      id: string,
      content: ArticleContent,
      media: ArticleMedia,
      origin: ArticleOrigin,
    ): Promise<boolean> =>
      changeCatalogue(db, async (transaction) => {
        await transaction
          .insertInto('narrator')
          .values({ name: content.narrator.name, image: media.portrait })
          .onConflict((conflict) =>
            media.portrait === null
              ? conflict.doNothing()
              : conflict.column('name').doUpdateSet({ image: media.portrait }),
          )
          .execute();
        const article = toArticleRow(content, media, origin);
        const existing = await transaction
          .selectFrom('article')
          .select(['edited_columns', 'duration'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!existing && (await isWithdrawn(transaction, id, origin))) return false;
        // A trigger changes the durations of the playlists that contain it.
        if (existing && existing.duration !== article.duration) await lockUserData(transaction, id);
        await transaction
          .insertInto('article')
          .values({ id, ...article })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(omitEditedColumns(article, existing?.edited_columns ?? {})),
          )
          .execute();
        await replaceSentences(transaction, id, content);
        await deleteUnusedMedia(transaction, listMedia(media));
        await sql`select index_articles(array[${id}::uuid])`.execute(transaction);
        return true;
      }),

    /** Records that unchanged content has new source files, or was read from another place. */
    saveStamp: (id: string, { stamp, imported }: Omit<ArticleOrigin, 'hash'>): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        await transaction
          .updateTable('article')
          .set({
            source_stamp: stamp,
            ...(imported && { source: imported.source, source_audio_hash: imported.audio }),
          })
          .where('id', '=', id)
          .execute();
      }),

    /** Returns the content hashes of playlists by id. */
    async findPlaylistHashes(ids: readonly string[]) {
      const rows = await db
        .selectFrom('playlist')
        .select(['id', 'content_hash'])
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      return new Map(rows.map(({ id, content_hash }) => [id, content_hash]));
    },

    /**
     * Writes a system playlist and its tracks in order, in one transaction. Articles that do not exist are left out; an
     * unpublished one returns to its place. Tracks that an administrator placed at the head stay there.
     */
    savePlaylist: (
      id: string,
      definition: PlaylistDefinition,
      {
        articles,
        sortOrder,
        hash,
        now,
      }: { articles: readonly string[]; sortOrder: number; hash: string; now: Date },
    ): Promise<void> =>
      changeCatalogue(db, async (transaction) => {
        const playlist = {
          name: definition.name,
          titles: JSON.stringify(definition.titles),
          origin: 'system',
          sort_order: sortOrder,
          content_hash: hash,
        } as const;
        await transaction
          .insertInto('playlist')
          .values({ id, ...playlist, created_at: now })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(playlist))
          .execute();
        // Tracks that were placed have negative keys.
        await sql`delete from playlist_item where playlist_id = ${id} and sort_key >= 0`.execute(transaction);
        // Those of unpublished articles, which would return although the file does not name them any more.
        await sql`delete from withdrawn_row
          where table_name = 'playlist_item' and "row" ->> 'playlist_id' = ${id}
            and ("row" ->> 'sort_key')::numeric >= 0 and article_id <> all(${articles}::uuid[])`.execute(
          transaction,
        );
        await sql`
          insert into playlist_item (playlist_id, article_id, sort_key, added_at)
          select ${id}::uuid, article.id, ordinality - 1, ${now}::timestamptz
          from unnest(${articles}::uuid[]) with ordinality as item (id, ordinality) join article using (id)
          on conflict do nothing
        `.execute(transaction);
      }),
  };
}

export type CatalogueLoaderRepository = ReturnType<typeof createCatalogueLoaderRepository>;
export type StoredArticle = Awaited<ReturnType<CatalogueLoaderRepository['findStored']>>[number];
