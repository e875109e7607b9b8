import { type RawBuilder, sql } from 'kysely';
import { trackColumns, trackPlace } from '../catalogue/repository.ts';
import type { Database } from '../database.ts';
import type { TrackRow } from '../playlists/repository.ts';
import type { Window } from '../request.ts';
import { patternOf } from './marks.ts';
import type { Group } from './policy.ts';
import { catalogueVersion, vocabularyRepository } from './vocabulary-repository.ts';
import { allOf, anyIn, isExact, isGuess, oneOf, queriesOf, rarest, type Term, takenAs } from './words.ts';

const BEGUN_TITLES = 50;

/** What is looked for: words of the vocabulary, and the tags a document must have. */
export interface Wanted extends Window {
  /** None for whatever has the tags. */
  terms: readonly Term[];
  /** Which of the terms a document must hold all of: those of one of these. */
  alternatives: readonly (readonly Term[])[];
  tags: readonly string[];
  /** How many are ranked and counted. */
  most: number;
  /** In which places to look for those that have all words in title, narrator and topic, and in the text; null for everywhere. */
  places: { heads: readonly string[] | null; bodies: readonly string[] | null };
}

type Sentence = { number: number; text: string; start: number; end: number } | null;

/** A found article: which fields of its head hold one of the words, whether the head holds them all, and its best sentence. */
export interface HitRow {
  id: string;
  in_head: boolean;
  in_title: boolean;
  in_narrator: boolean;
  sentence: Sentence;
}

interface Found {
  hits: HitRow[];
  groups: Group[];
  total: number;
  /** Of which state of the catalogue this is; see `catalogueVersion`. */
  version: string;
}

/** How connections for searching differ: plans that suit words known only as they are asked for, made once. */
export const searchConnections = {
  name: 'portal search',
  maxConnections: 4,
  settings: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
};

/** What a search asks; words are never syntax, for they come from `search_text`. */
function statements(db: Database) {
  return {
    ...vocabularyRepository(db),

    /**
     * The page of hits, best first; how many there are (at most `most` + 1), and their tags. Only these are looked at: titles that
     * begin with the query, the newest that hold all words in title, narrator and topic, then the newest that hold them at all.
     */
    async find(wanted: Wanted): Promise<Found> {
      const { terms, limit, offset } = wanted;
      const any = terms.length === 0;
      const { rows } = await sql<Found>`
        with ${any ? newest(wanted) : matching(wanted)}, page as materialized (
          select article_id, number, title, head, in_head, ${any ? sql`0` : score(wanted)} as score
          from candidate d
          order by score desc, number desc
          limit ${limit} offset ${offset}
        )
        select
          ${catalogueVersion} as version,
          (select count(*) from candidate) as total,
          (
            select coalesce(json_agg(g), '[]')
            from (select tags[:6] as tags, count(*) as documents from candidate group by tags[:6]) g
          ) as groups,
          (
            select coalesce(json_agg(h order by h.score desc, h.number desc), '[]')
            from (
              select p.score, p.number, p.article_id as id, p.in_head,
                starts_with(p.title, ${takenAs(terms)}) or p.head @@ ${anyIn('A', terms)}::tsquery as in_title,
                p.head @@ ${anyIn('B', terms)}::tsquery as in_narrator,
                ${bestSentence(terms)} as sentence
              from page p
            ) h
          ) as hits
      `.execute(db);
      const [found] = rows;
      return found ?? { hits: [], groups: [], total: 0, version: '' };
    },
  };
}

const placed = (wanted: Wanted, places: readonly string[] | null) => sql`
  ${wanted.tags.length === 0 ? sql`` : sql`and search_places(d.tags, d.number) @> ${wanted.tags}::text[]`}
  ${places === null ? sql`` : sql`and search_places(d.tags, d.number) && ${places}::text[]`}`;

/** Whatever has the tags, newest first. */
const newest = (wanted: Wanted) => sql`candidate as materialized (
  select d.*, false as in_head from search_document d
  where true ${placed(wanted, wanted.places.bodies)}
  order by d.number desc limit ${sql.lit(wanted.most + 1)}
)`;

// Not as a plain column, or its index is walked through, past everything that does not match.
const byNumber = sql`d.number + 0 desc`;

function matching(wanted: Wanted) {
  const { terms, alternatives, tags, most, places } = wanted;
  const typed = takenAs(terms);
  const hasAll = (field: 'head' | 'body') =>
    sql.join(
      queriesOf(alternatives, field === 'head' ? 'forms' : 'inTexts').map(
        (query) => sql`d.${sql.ref(field)} @@ ${query}::tsquery`,
      ),
      sql` and `,
    );
  return sql`begun as materialized (
    select d.* from (
      select * from search_document where title >= ${typed} and title < ${typed} || chr(1114111)
      order by title limit ${sql.lit(BEGUN_TITLES)}
    ) d
    where d.tags @> ${tags}::text[]
  ), headed as materialized (
    select d.* from search_document d
    where ${hasAll('head')} ${placed(wanted, places.heads)}
    order by ${byNumber} limit ${sql.lit(most + 1)}
  ), bodied as materialized (
    select d.* from search_document d
    where ${hasAll('body')} and not (${hasAll('head')}) ${placed(wanted, places.bodies)}
    order by ${byNumber} limit ${sql.lit(most + 1)} - (select count(*) from headed)
  ), candidate as materialized (
    select *, true as in_head from begun
    union all select *, true from headed where article_id not in (select article_id from begun)
    union all select *, false from bodied where article_id not in (select article_id from begun)
  )`;
}

/**
 * How near each other the words are in a field, rarer than in long ones: from 0 to 1. Not by `ts_rank_cd`, which clears 32 kB
 * for each operand of each row.
 */
const nearness = (field: 'head' | 'body', words: string) =>
  sql`ts_rank('{0.1, 0.4, 0.6, 1}', d.${sql.ref(field)}, ${words}::tsquery, 33)`;

/** How good a match in the text is, from 0 to 2. A text is large and lies apart: it is read once where that is enough. */
function textScore({ terms, alternatives }: Wanted) {
  const any = nearness('body', oneOf(alternatives.map(rarest)));
  if (terms.every(isExact) || terms.some(isGuess)) return any;
  return sql`case when d.body @@ ${allOf(terms, 'surest')}::tsquery then 1 else 0 end + ${any}`;
}

/**
 * How good a match is: a title that is what was typed, begins so or holds it; all words in the head; the words themselves; near
 * each other. Where the page is full of better ones, texts are not compared.
 */
function score(wanted: Wanted) {
  const { terms, alternatives, offset, limit } = wanted;
  const typed = takenAs(terms);
  const isInTitle = sql`position(${` ${typed}`} in ' ' || d.title) > 0`;
  const isFull = sql`(select count(*) from candidate where in_head) >= ${offset + limit}`;
  return sql<number>`(
    case when d.title = ${typed} then 16 when starts_with(d.title, ${typed}) then 8
      when ${isInTitle} then 4 else 0 end
    + case
      when d.in_head then 2 + case when d.head @@ ${allOf(terms, 'surest')}::tsquery then 2 else 0 end
        + ${nearness('head', oneOf(alternatives.map(rarest)))}
      when ${isFull} and not ${isInTitle} then 0
      else ${textScore(wanted)}
    end
  )`;
}

/** The first of the sentences that hold the rarest word and most of the others; else of those that hold any. */
function bestSentence(terms: readonly Term[]) {
  const [first, ...others] = rarest(terms).map(
    ({ forms }) => sql`(s.text ~* ${`\\m${patternOf(forms)}\\M`})::integer`,
  );
  if (first === undefined) return sql<Sentence>`null`;
  const held = sql.join([first, ...others], sql` + `);
  const best = (enough: RawBuilder<unknown>) => sql`(
    select json_build_object('number', s.number, 'text', s.text, 'start', s.starts_at, 'end', s.ends_at)
    from sentence s where s.article_id = p.article_id and ${enough} > 0 order by ${held} desc, s.number limit 1
  )`;
  return sql<Sentence>`case when not p.in_head then coalesce(${best(first)}, ${best(held)}) end`;
}

/** The index of the catalogue (CAT-03), and the tracks it names. In: connections as `searchConnections` says, and any. */
export function searchRepository(searching: Database, db: Database) {
  return {
    /** Runs the statements of one search on one connection; it waits until one is free. */
    together: <Result>(work: (index: Statements) => Promise<Result>): Promise<Result> =>
      searching.connection().execute((connection) => work(statements(connection))),

    /** Tracks as one reader sees them; those of articles that are there no more are missing. */
    async findTracks(reader: string, ids: readonly string[]): Promise<TrackRow[]> {
      if (ids.length === 0) return [];
      const { rows } = await sql<TrackRow>`
        select ${trackColumns(reader)} from article a ${trackPlace(reader)} where a.id = any(${ids}::uuid[])
      `.execute(db);
      return rows;
    },
  };
}

export type Statements = ReturnType<typeof statements>;
export type SearchRepository = ReturnType<typeof searchRepository>;
