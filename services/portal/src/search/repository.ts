import { sql } from 'kysely';
import { trackColumns, trackPlace } from '../catalogue/repository.ts';
import type { Database } from '../database.ts';
import type { Window } from '../paging.ts';
import type { TrackRow } from '../playlists/repository.ts';
import type { Group } from './policy.ts';
import { type Asked, allOf, anyIn, type Known, type Term } from './words.ts';

const MOST_WORDS = 16;
const MOST_BEGUN = 24;
const MOST_NEAR = 40;

/** What is looked for: text-search queries made of known words, and the tags a document must have. */
export interface Wanted extends Window {
  /** None for whatever has the tags. */
  terms: readonly Term[];
  tags: readonly string[];
  /** One regular expression for each word, as whole words. */
  patterns: readonly string[];
  /** How many are ranked and counted. */
  most: number;
}

type Sentence = { number: number; text: string; start: number; end: number } | null;

/** A found track: which fields of its head hold one of the words, whether the head holds them all, and its best sentence. */
export interface HitRow extends TrackRow {
  in_head: boolean;
  in_title: boolean;
  in_narrator: boolean;
  sentence: Sentence;
}

interface Found {
  hits: HitRow[];
  groups: Group[];
  total: number;
}

/** The index of the catalogue (CAT-03). The words that are asked for are never syntax: they come from `search_text`. */
export function searchRepository(db: Database) {
  return {
    /** The query as it is searched, and what the vocabulary has for each of its words. */
    async understand(query: string): Promise<Asked[]> {
      const { rows } = await sql<Asked>`
        with asked as materialized (
          select word collate "C" as word, number, number = count(*) over () as is_last
          from unnest((string_to_array(search_text(${query}), ' '))[:${sql.lit(MOST_WORDS)}]) with ordinality w (word, number)
        )
        select word,
          (select ${knownAs('v')} from vocabulary v where v.word = asked.word) as same,
          (
            select ${knownAs('v')}
            from unnest('{en,es}'::text[]) spoken (language)
              join vocabulary v on v.stem = search_stem(spoken.language, asked.word) and v.language = spoken.language
            where v.word <> asked.word and (
              exists (select from vocabulary k where k.word = asked.word and k.language = spoken.language)
              or not exists (select from vocabulary k where k.word = asked.word)
            )
          ) as inflected,
          (
            select ${knownAs('b')}
            from (
              select * from vocabulary v
              where asked.is_last and v.word > asked.word and v.word < asked.word || chr(1114111)
              order by v.heads > 0 desc, v.documents desc limit ${sql.lit(MOST_BEGUN)}
            ) b
          ) as begun
        from asked order by number
      `.execute(db);
      return rows;
    },

    /** Words of the vocabulary that a word which is not in it may have been meant as; of an unfinished one also longer words. */
    async findNear(word: string, isLast: boolean): Promise<Near[]> {
      const { rows } = await sql<Near>`
        select word, language, documents, heads, search_sound(word) = search_sound(${word}) as sounds
        from (
          (
            select * from vocabulary where keys && search_keys(${word})
            order by documents desc limit ${sql.lit(MOST_NEAR)}
          ) union (
            select * from vocabulary where word % ${word} ${isLast ? sql`or ${word} <% word` : sql``}
            order by word_similarity(${word}, word) + similarity(${word}, word) desc limit ${sql.lit(MOST_NEAR)}
          )
        ) near
      `.execute(db);
      return rows;
    },

    /** The page of hits, best first; how many there are (at most `most` + 1), and their tags. */
    async find(reader: string, wanted: Wanted): Promise<Found> {
      const { terms, tags, patterns, most, limit, offset } = wanted;
      const all = terms.length === 0;
      const forms = allOf(terms, 'forms');
      const { rows } = await sql<Found>`
        with candidate as materialized (
          select d.article_id, d.number, d.title, d.tags, d.head, d.body, ${all ? sql`false` : sql`d.head @@ ${forms}::tsquery`} as in_head
          from search_document d
          where d.tags @> ${tags}::text[] ${all ? sql`` : sql`and d.body @@ ${forms}::tsquery`}
          order by in_head desc, d.number desc
          limit ${sql.lit(most + 1)}
        ), page as materialized (
          select article_id, number, head, in_head, ${all ? sql`0` : score(terms)} as score
          from candidate d
          order by score desc, number desc
          limit ${limit} offset ${offset}
        )
        select
          (select count(*) from candidate) as total,
          (
            select coalesce(json_agg(g), '[]')
            from (select tags[:6] as tags, count(*) as documents from candidate group by tags[:6]) g
          ) as groups,
          (
            select coalesce(json_agg(h order by h.score desc, h.number desc), '[]')
            from (
              select p.score, p.number, p.in_head, ${trackColumns(reader)},
                p.head @@ ${anyIn('A', terms)}::tsquery as in_title, p.head @@ ${anyIn('B', terms)}::tsquery as in_narrator,
                ${bestSentence(patterns)} as sentence
              from page p join article a on a.id = p.article_id ${trackPlace(reader)}
            ) h
          ) as hits
      `.execute(db);
      const [found] = rows;
      return found ?? { hits: [], groups: [], total: 0 };
    },
  };
}

const knownAs = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`coalesce(json_agg(json_build_object('word', ${column('word')}, 'language', ${column('language')},
    'documents', ${column('documents')}, 'heads', ${column('heads')})), '[]')`;
};

/** How good a match is: a title that is what was typed, begins so or holds it; all words in the head; the words themselves; near each other. */
function score(terms: readonly Term[]) {
  const typed = terms.map(({ asked }) => asked).join(' ');
  const [forms, surest] = [allOf(terms, 'forms'), allOf(terms, 'surest')];
  return sql<number>`(
    case when d.title = ${typed} then 16 when starts_with(d.title, ${typed}) then 8
      when position(${` ${typed}`} in ' ' || d.title) > 0 then 4 else 0 end
    + case when d.head @@ ${surest}::tsquery then 4 when in_head then 2 else 0 end
    + case when d.body @@ ${surest}::tsquery then 1 else 0 end
    + ts_rank_cd('{0.1, 0.4, 0.6, 1}', d.body, ${forms}::tsquery, 1)
  )`;
}

/** The first of the sentences that hold most of the words. */
function bestSentence(patterns: readonly string[]) {
  if (patterns.length === 0) return sql<Sentence>`null`;
  const held = sql.join(
    patterns.map((pattern) => sql`(s.text ~* ${`\\m${pattern}\\M`})::integer`),
    sql` + `,
  );
  return sql<Sentence>`case when p.in_head then null else (
    select json_build_object('number', s.number, 'text', s.text, 'start', s.starts_at, 'end', s.ends_at)
    from (select s.*, ${held} as held from sentence s where s.article_id = p.article_id) s
    where s.held > 0
    order by s.held desc, s.number limit 1
  ) end`;
}

export type SearchRepository = ReturnType<typeof searchRepository>;
