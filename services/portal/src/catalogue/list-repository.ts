import { limits } from '@escucho/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { TrackRow } from '../playlists/repository.ts';
import type { Group } from '../search/policy.ts';
import { trackColumns, trackPlace } from './repository.ts';

type Language = 'en' | 'es';

/** A list of the catalogue: everything, or what has one value in one column; in one language or in all. */
export interface List {
  by: 'kind' | 'topic' | 'level' | 'narrator' | null;
  value: string;
  language: Language | undefined;
}

interface Wanted {
  list: List;
  /** The last track of the page before. */
  after?: string | undefined;
  /** How many to leave out after it. */
  skip?: number;
  /** Leaves out what the reader has begun. */
  unheard?: boolean;
  limit: number;
}

const languagesOf = ({ language }: List): Language[] => (language === undefined ? ['en', 'es'] : [language]);

/** Lists of the catalogue, newest first (CAT-04). */
export function listRepository(db: Database) {
  return {
    /**
     * A page as one reader sees it. Each language is read from its index, and only so far as the page needs; what is skipped
     * is read from nothing else.
     */
    async findPage(
      reader: string,
      { list, after, skip = 0, unheard = false, limit }: Wanted,
    ): Promise<TrackRow[]> {
      const listed = list.by === null ? sql`` : sql`and a.${sql.ref(list.by)} = ${list.value}`;
      const beyond =
        after === undefined
          ? sql``
          : sql`and (a.published_at, a.id) < (select b.published_at, b.id from article b where b.id = ${after})`;
      const fresh = unheard
        ? sql`and not exists (select from listening_progress h where h.user_id = ${reader} and h.article_id = a.id)`
        : sql``;
      // Said in the statement itself, so that a plan for any page is as good as one for this page, and is made once.
      const atMost = sql.lit(skip === 0 ? limits.pageSize.max : limits.list.shown + limits.pageSize.max);
      const { rows } = await sql<TrackRow>`
        select ${trackColumns(reader)}
        from (
          select a.id from unnest(${languagesOf(list)}::text[]) spoken (language) cross join lateral (
            select * from (
              select a.id, a.published_at from article a
              where a.language = spoken.language ${listed} ${beyond} ${fresh}
              order by a.published_at desc, a.id desc limit ${atMost}
            ) a limit ${limit + skip}
          ) a
          order by a.published_at desc, a.id desc limit ${limit} offset ${skip}
        ) paged join article a on a.id = paged.id ${trackPlace(reader)}
        order by a.published_at desc, a.id desc
      `.execute(db);
      return rows;
    },

    /** How many there are of a list in all. */
    async count(list: List): Promise<number> {
      const { total } = await db
        .selectFrom('catalogue_count')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('documents'), sql.lit(0)).as('total'))
        .where('tag', '=', list.by === null ? '' : `${list.by}:${list.value}`)
        .where('language', '=', sql<Language>`any(${languagesOf(list)}::text[])`)
        .executeTakeFirstOrThrow();
      return Number(total);
    },

    /** How many there are of each tag but the narrators', in one language or in all. */
    async countTags(language: Language | undefined): Promise<Group[]> {
      let query = db
        .selectFrom('catalogue_count')
        .where('tag', 'not like', 'narrator:%')
        .where('tag', '<>', '');
      if (language !== undefined) query = query.where('language', '=', language);
      const rows = await query.select(['tag', 'documents']).execute();
      return rows.map(({ tag, documents }) => ({ tags: [tag], documents }));
    },

    /** A track, and the article's place among the others; undefined for an unknown one. */
    async findTrack(reader: string, id: string): Promise<TrackRow | undefined> {
      const { rows } = await sql<TrackRow>`
        select ${trackColumns(reader)} from article a ${trackPlace(reader)} where a.id = ${id}
      `.execute(db);
      return rows[0];
    },

    /** What the reader learns, as far as it was said. */
    findLearner: (reader: string) =>
      db
        .selectFrom('users')
        .select(['level', 'learning_language'])
        .where('id', '=', reader)
        .executeTakeFirstOrThrow(),
  };
}

export type ListRepository = ReturnType<typeof listRepository>;
