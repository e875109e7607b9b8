import { contentLanguage, limits } from '@escucho/contracts';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database, Language } from '../database.ts';
import { isFavourite, type TrackRow, trackColumnsSql } from '../playlists/repository.ts';
import type { TagGroup } from '../search/policy.ts';

/** Selects a `TrackRow`, with the article as `a` and `joinProgress`; without a user, none is started or a favourite. */
export const selectTrack = (userId: string | null) =>
  sql`select ${trackColumnsSql}, ${
    userId === null
      ? sql`0 as progress, false as "like"`
      : sql`coalesce(l.position, 0) as progress, ${isFavourite(userId, 'a.id')} as "like"`
  }`;

/** Joins a user's progress as `l` to the article `a`. */
export const joinProgress = (userId: string | null) =>
  userId === null
    ? sql``
    : sql`left join listening_progress l on l.article_id = a.id and l.user_id = ${userId}`;

/** A list of the catalogue: all articles, or those with a value in a column; in one language or all. */
export interface ArticleList {
  column: 'kind' | 'topic' | 'level' | 'narrator' | null;
  value: string;
  language: Language | undefined;
}

interface PageOptions {
  list: ArticleList;
  /** The id of the last article of the previous page. */
  after?: string | undefined;
  /** How many articles to skip after it. */
  skip?: number;
  /** Whether to leave out articles that the user has started. */
  onlyUnstarted?: boolean;
  limit: number;
}

/**
 * Selects a cover for each value of a column of `article` that `catalogue_count` lists, in each language, from the newest
 * or the oldest of its articles. The two ends prevent one picture from representing both a topic and a level.
 */
function selectCovers(column: 'topic' | 'level' | 'kind', end: 'newest' | 'oldest') {
  const prefix = `${column}:`;
  const direction = end === 'newest' ? sql`desc` : sql`asc`;
  return sql`
    select c.tag, a.image, a.published_at
    from catalogue_count c cross join lateral (
      select image, published_at from article a
      where a.language = c.language and a.${sql.ref(column)} = substr(c.tag, ${sql.lit(prefix.length + 1)})
      order by a.published_at ${direction}, a.id ${direction} limit 1
    ) a
    where starts_with(c.tag, ${sql.lit(prefix)})`;
}

const getLanguages = ({ language }: ArticleList): readonly Language[] =>
  language === undefined ? contentLanguage.options : [language];

/** Sorts after every other id. */
const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The triggers divide a segment when it has more (migration 0030). */
const MAX_SEGMENT_ARTICLES = 2000;

const isIn = ({ column, value }: ArticleList) =>
  column === null ? sql`` : sql`and a.${sql.ref(column)} = ${value}`;

const toTag = ({ column, value }: ArticleList): string => (column === null ? '' : `${column}:${value}`);

/** Selects where a list continues after an article, also when it was withdrawn since; without one, its beginning. */
const selectAfter = (after: string | undefined) =>
  after === undefined
    ? sql`select 'infinity'::timestamptz as before_at, ${sql.lit(MAX_ID)}::uuid as before_id, 0 as skip`
    : sql`
      select published_at as before_at, id as before_id, 0 as skip from article where id = ${after}
      union all
      select published_at, id, 0 from withdrawn_article where id = ${after}`;

/**
 * Selects where a list continues after an article and `skip` further ones: the beginning of the segment in which that is,
 * and how many articles to skip in it; no row behind the end of the list. The counts of the segments in between are added
 * instead of reading their articles. They are read in the order of the list, no further than to the page.
 */
const selectJump = (list: ArticleList, after: string | undefined, skip: number) => sql`
  with origin as materialized (${selectAfter(after)}), next as materialized (
    select before_at, before_id from catalogue_segment
    where tag = '' and language = '' and (before_at, before_id) <= (select before_at, before_id from origin)
    order by before_at desc, before_id desc limit 1
  ), rest as materialized (
    select count(*) as articles from article a
    where a.language = any(${getLanguages(list)}::text[]) ${isIn(list)}
      and (a.published_at, a.id) < (select before_at, before_id from origin)
      and (a.published_at, a.id) >= (select before_at, before_id from next)
  )
  select before_at, before_id, ${skip} as skip from origin
  where ${skip} < (select articles from rest) or not exists (select from next)
  union all (
    select before_at, before_id, ${skip} - skipped as skip from (
      select before_at, before_id, articles, (select articles from rest) - articles
        + sum(articles) over (order by before_at desc, before_id desc) as skipped
      from catalogue_segment
      where tag = ${toTag(list)} and language = ${list.language ?? ''}
        and (before_at, before_id) <= (select before_at, before_id from next)
    ) segment
    where ${skip} >= (select articles from rest) and skipped + articles > ${skip}
    order by before_at desc, before_id desc limit 1
  )`;

/** Creates the repository of articles, audiobooks and visual books, and of their lists, newest first (CAT-04). */
export function createCatalogueRepository(db: Database) {
  const selectPreview = () =>
    db
      .selectFrom('article')
      .select(['id as _id', 'title', 'summary', 'kind', 'language', 'level', 'duration', 'image', 'artwork']);

  return {
    /** Returns an article with its sentences in order. */
    findArticle: (id: string) =>
      db
        .selectFrom('article as a')
        .innerJoin('narrator as n', 'n.name', 'a.narrator')
        .select((eb) => [
          'a.id as _id',
          'a.slug',
          'a.title',
          'a.summary',
          'a.kind',
          'a.language',
          'a.translation_language as translationLanguage',
          'a.level',
          'a.topic',
          'a.narrator',
          'n.image as portrait',
          'a.image',
          'a.artwork',
          'a.duration',
          'a.published_at as publishedAt',
          'a.chapters',
          'a.pages',
          'a.estimated',
          jsonArrayFrom(
            eb
              .selectFrom('sentence as s')
              .select(['s.text', 's.translation', 's.starts_at as start', 's.ends_at as end'])
              .select(['s.paragraph', 's.chapter', 's.page'])
              .whereRef('s.article_id', '=', 'a.id')
              .orderBy('s.number'),
          ).as('sentences'),
        ])
        .where('a.id', '=', id)
        .executeTakeFirst(),

    /** Returns what everybody may know of an article. */
    findPreview: (id: string) => selectPreview().where('id', '=', id).executeTakeFirst(),

    /** Returns previews of the newest articles of a language. */
    findNewest: (language: Language, limit: number) =>
      selectPreview()
        .where('language', '=', language)
        .orderBy('published_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Returns an article's audio key and its duration. */
    findAudio: (id: string) =>
      db.selectFrom('article').select(['audio', 'duration']).where('id', '=', id).executeTakeFirst(),

    /**
     * Returns a page of a list with a user's progress. Reads each language from its own index, only as far as the page
     * needs; skipped articles are read from the index alone.
     */
    async findPage(
      userId: string | null,
      { list, after, skip = 0, onlyUnstarted = false, limit }: PageOptions,
    ): Promise<TrackRow[]> {
      const isUnstarted = onlyUnstarted
        ? sql`and not exists (
            select from listening_progress p where p.user_id = ${userId} and p.article_id = a.id
              -- A skip of a track that was never listened to leaves a row without a device.
              and (p.device_id is not null or p.position > 0 or p.in_history)
          )`
        : sql``;
      const start = skip === 0 ? selectAfter(after) : selectJump(list, after, skip);
      // A literal, so that one prepared plan is good for every page.
      const maxRows = sql.lit(skip === 0 ? limits.pageSize.max : MAX_SEGMENT_ARTICLES + limits.pageSize.max);
      const { rows } = await sql<TrackRow>`
        with start as materialized (${start})
        ${selectTrack(userId)}
        from (
          select a.id from unnest(${getLanguages(list)}::text[]) spoken (language) cross join lateral (
            select * from (
              select a.id, a.published_at from article a
              where a.language = spoken.language ${isIn(list)} ${isUnstarted}
                and (a.published_at, a.id) < (select before_at, before_id from start)
              order by a.published_at desc, a.id desc limit ${maxRows}
            ) a limit ${limit} + (select skip from start)
          ) a
          order by a.published_at desc, a.id desc limit ${limit} offset (select skip from start)
        ) page join article a on a.id = page.id ${joinProgress(userId)}
        order by a.published_at desc, a.id desc
      `.execute(db);
      return rows;
    },

    async countArticles(list: ArticleList): Promise<number> {
      const { total } = await db
        .selectFrom('catalogue_count')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('documents'), sql.lit(0)).as('total'))
        .where('tag', '=', toTag(list))
        .where('language', '=', sql<Language>`any(${getLanguages(list)}::text[])`)
        .executeTakeFirstOrThrow();
      return Number(total);
    },

    /** Counts the articles of each tag, except for narrators, in one language or all; of languages always in all. */
    async countTags(language: Language | undefined): Promise<TagGroup[]> {
      let query = db
        .selectFrom('catalogue_count')
        .where('tag', 'not like', 'narrator:%')
        .where('tag', '<>', '');
      if (language !== undefined)
        query = query.where((eb) => eb.or([eb('language', '=', language), eb('tag', 'like', 'language:%')]));
      const rows = await query.select(['tag', 'documents']).execute();
      return rows.map(({ tag, documents }) => ({ tags: [tag], documents }));
    },

    /** Returns a cover for each topic, level, kind and language, in one language or all. */
    async findCovers(language: Language | undefined): Promise<{ tag: string; image: string }[]> {
      const inLanguages = sql`and c.language = any(${getLanguages({ column: null, value: '', language })}::text[])`;
      const { rows } = await sql<{ tag: string; image: string }>`
        select distinct on (tag) tag, image from (
          ${selectCovers('topic', 'newest')} ${inLanguages}
          union all ${selectCovers('level', 'oldest')} ${inLanguages}
          union all ${selectCovers('kind', 'newest')} ${inLanguages}
          union all
          select 'language:' || c.language, a.image, a.published_at
          from catalogue_count c cross join lateral (
            select image, published_at from article a
            where a.language = c.language order by a.published_at, a.id limit 1
          ) a
          where c.tag = '' ${inLanguages}
        ) cover order by tag, published_at desc
      `.execute(db);
      return rows;
    },

    /** Returns an article as a track with a user's progress. */
    async findTrack(userId: string | null, id: string): Promise<TrackRow | undefined> {
      const { rows } = await sql<TrackRow>`
        ${selectTrack(userId)} from article a ${joinProgress(userId)} where a.id = ${id}
      `.execute(db);
      return rows[0];
    },
  };
}

export type CatalogueRepository = ReturnType<typeof createCatalogueRepository>;
export type ArticleRow = NonNullable<Awaited<ReturnType<CatalogueRepository['findArticle']>>>;
export type PreviewRow = NonNullable<Awaited<ReturnType<CatalogueRepository['findPreview']>>>;
