import { limits } from '@escucho/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { type TrackColumns, trackColumnsSql } from '../playlists/repository.ts';
import type { TagGroup } from './policy.ts';
import {
  isExact,
  isGuess,
  pickRarest,
  type Term,
  toAllTermsQuery,
  toAnyAlternativeQuery,
  toCorrectedText,
  toIndexQueries,
  toWeightedQuery,
} from './query-terms.ts';
import { createVocabularyRepository } from './vocabulary-repository.ts';

const MAX_TITLE_PREFIX_MATCHES = 50;
/** How many matches are ranked and counted. */
export const MAX_MATCHES = limits.search.hits;

/** A query for documents. */
export interface DocumentQuery {
  offset: number;
  limit: number;
  /** Empty to find all documents that have the tags. */
  terms: readonly Term[];
  /** A document must hold all terms of one of these. */
  alternatives: readonly (readonly Term[])[];
  tags: readonly string[];
  /** `tag` counts the documents of each tag, which is less to read; `tags` those of each combination of tags. */
  groupsBy: 'tag' | 'tags';
  /** Where documents are searched whose heads, or whose texts, hold all terms; null for everywhere. See `selectPartitions`. */
  partitions: { heads: readonly string[] | null; bodies: readonly string[] | null };
}

type Sentence = { number: number; text: string; start: number; end: number } | null;

/** A matching article: its track, whether its head holds all terms, which fields of it hold one of them, and its best sentence. */
export interface HitRow {
  track: TrackColumns;
  in_head: boolean;
  in_title: boolean;
  in_narrator: boolean;
  sentence: Sentence;
}

interface DocumentMatches {
  hits: HitRow[];
  groups: TagGroup[];
  /** At most `MAX_MATCHES` + 1. */
  total: number;
}

/** Settings of the connections that search: without knowing the words, the planner would often scan whole tables. */
export const searchConnections = {
  name: 'portal search',
  maxConnections: 4,
  settings: { enable_seqscan: 'off' },
};

const letterVariants: Record<string, string> = {
  a: 'aáàâäãåā',
  c: 'cçćč',
  e: 'eéèêëēę',
  i: 'iíìîïī',
  n: 'nñńň',
  o: 'oóòôöõøō',
  s: 'sśš',
  u: 'uúùûüū',
  y: 'yýÿ',
  z: 'zźžż',
};

/** Returns a regular expression of PostgreSQL for a word with any accents, and with an apostrophe: o'clock, don't, you're. */
function toAccentPattern(word: string): string {
  const letters = [...word];
  return letters
    .map((letter, index) => {
      const variants = letterVariants[letter] ? `[${letterVariants[letter]}]` : letter;
      return index === 1 || (index > 1 && index >= letters.length - 2) ? `['’]?${variants}` : variants;
    })
    .join('');
}

const toWordPattern = (words: readonly string[]): string =>
  `\\m(?:${words.map(toAccentPattern).join('|')})\\M`;

const inPartitions = ({ tags }: DocumentQuery, partitions: readonly string[] | null) => sql`
  ${tags.length === 0 ? sql`` : sql`and search_partitions(d.tags, d.number) @> ${tags}::text[]`}
  ${partitions === null ? sql`` : sql`and search_partitions(d.tags, d.number) && ${partitions}::text[]`}`;

/** All documents that have the tags, newest first. */
const newestCandidates = (query: DocumentQuery) => sql`candidate as materialized (
  select d.*, false as in_head from search_document d
  where true ${inPartitions(query, query.partitions.bodies)}
  order by d.number desc limit ${sql.lit(MAX_MATCHES + 1)}
)`;

// An expression, because on the plain column the planner would scan the index on number past everything that does not match.
const newestFirst = sql`d.number + 0 desc`;

function matchingCandidates(query: DocumentQuery) {
  const { terms, alternatives, tags, partitions } = query;
  const typed = toCorrectedText(terms);
  const holdsAll = (field: 'head' | 'body') =>
    sql.join(
      toIndexQueries(alternatives, field === 'head' ? 'forms' : 'bodyForms').map(
        (tsquery) => sql`d.${sql.ref(field)} @@ ${tsquery}::tsquery`,
      ),
      sql` and `,
    );
  return sql`title_match as materialized (
    select d.* from (
      select * from search_document where title >= ${typed} and title < ${typed} || chr(1114111)
      order by title limit ${sql.lit(MAX_TITLE_PREFIX_MATCHES)}
    ) d
    where d.tags @> ${tags}::text[]
  ), head_match as materialized (
    select d.* from search_document d
    where ${holdsAll('head')} ${inPartitions(query, partitions.heads)}
    order by ${newestFirst} limit ${sql.lit(MAX_MATCHES + 1)}
  ), body_match as materialized (
    select d.* from search_document d
    where ${holdsAll('body')} and not (${holdsAll('head')}) ${inPartitions(query, partitions.bodies)}
    order by ${newestFirst} limit ${sql.lit(MAX_MATCHES + 1)} - (select count(*) from head_match)
  ), candidate as materialized (
    select *, true as in_head from title_match
    union all select *, true from head_match where article_id not in (select article_id from title_match)
    union all select *, false from body_match where article_id not in (select article_id from title_match)
  )`;
}

/**
 * Returns how near the words are to each other in a field, relative to its length, from 0 to 1. It does not use
 * `ts_rank_cd`, which clears 32 kB for each operand of each row.
 */
const rankProximity = (field: 'head' | 'body', tsquery: string) =>
  sql`ts_rank('{0.1, 0.4, 0.6, 1}', d.${sql.ref(field)}, ${tsquery}::tsquery, 33)`;

/** Returns the score of a match in the text, from 0 to 3. Texts are large and stored out of line, so they are read only once where that is enough. */
function scoreBody({ terms, alternatives }: DocumentQuery) {
  const proximity = rankProximity('body', toAnyAlternativeQuery(alternatives.map(pickRarest)));
  if (terms.some(isGuess)) return proximity;
  if (terms.every(isExact)) return sql`2 + ${proximity}`;
  return sql`case when d.body @@ ${toAllTermsQuery(terms, 'exactForms')}::tsquery then 2 else 0 end + ${proximity}`;
}

/**
 * Returns the score of a match, by which hits are ordered: a title that equals the query, starts with it or holds it;
 * exact forms of all terms in the head; in the text; other forms in the head; in the text; proximity. Texts are not
 * compared when the page is full of exact matches in heads.
 */
function scoreMatch(query: DocumentQuery) {
  const { terms, alternatives, offset, limit } = query;
  const typed = toCorrectedText(terms);
  const isInTitle = sql`position(${` ${typed}`} in ' ' || d.title) > 0`;
  const isExactHead = sql`d.in_head and d.head @@ ${toAllTermsQuery(terms, 'exactForms')}::tsquery`;
  const isPageFull = sql`(select count(*) from candidate d where ${isExactHead}) >= ${offset + limit}`;
  return sql<number>`(
    case when d.title = ${typed} then 16 when starts_with(d.title, ${typed}) then 8
      when ${isInTitle} then 4 else 0 end
    + case
      when d.in_head then 1 + case when ${isExactHead} then 3 else 0 end
        + ${rankProximity('head', toAnyAlternativeQuery(alternatives.map(pickRarest)))}
      when ${isPageFull} and not ${isInTitle} then 0
      else ${scoreBody(query)}
    end
  )`;
}

/** Returns the first of the sentences that hold the rarest term and most of the others, or else most of any. */
function findBestSentence(terms: readonly Term[]) {
  const [first, ...others] = pickRarest(terms).map(
    ({ forms }) => sql`(s.text ~* ${toWordPattern(forms)})::integer`,
  );
  if (first === undefined) return sql<Sentence>`null`;
  const termCount = sql.join([first, ...others], sql` + `);
  const bestWhere = (condition: RawBuilder<unknown>) => sql`(
    select json_build_object('number', s.number, 'text', s.text, 'start', s.starts_at, 'end', s.ends_at)
    from sentence s where s.article_id = p.article_id and ${condition} > 0 order by ${termCount} desc, s.number limit 1
  )`;
  return sql<Sentence>`case when not p.in_head then coalesce(${bestWhere(first)}, ${bestWhere(termCount)}) end`;
}

/** The track of a hit as JSON, with the hit as `p`. */
const trackJson = sql`(
  select to_json(t) from (
    select ${trackColumnsSql} from article a where a.id = p.article_id
  ) t
)`;

const groupByTags = sql`select tags[:6] as tags, count(*) as documents from candidate group by tags[:6]`;
const groupByTag = sql`
  select array[tag] as tags, count(*) as documents from candidate cross join unnest(tags[:6]) tag group by tag`;

/** Creates the repository of the search index (CAT-03). Words are never syntax, because they come from `search_text`. */
export function createSearchRepository(db: Database) {
  return {
    ...createVocabularyRepository(db),

    /**
     * Returns a page of hits, best first, with the total and the tags of all matches. Considers only titles that start
     * with the query, then the newest documents whose heads hold all terms, then the newest whose texts do.
     */
    async findDocuments(query: DocumentQuery): Promise<DocumentMatches> {
      const { terms, groupsBy, limit, offset } = query;
      const hasTerms = terms.length > 0;
      const { rows } = await sql<DocumentMatches>`
        with ${hasTerms ? matchingCandidates(query) : newestCandidates(query)}, page as materialized (
          select article_id, number, title, head, in_head, ${hasTerms ? scoreMatch(query) : sql`0`} as score
          from candidate d
          order by score desc, number desc
          limit ${limit} offset ${offset}
        )
        select
          (select count(*) from candidate) as total,
          (
            select coalesce(json_agg(g), '[]')
            from (${groupsBy === 'tag' ? groupByTag : groupByTags}) g
          ) as groups,
          (
            select coalesce(json_agg(h order by h.score desc, h.number desc), '[]')
            from (
              select p.score, p.number, ${trackJson} as track, p.in_head,
                starts_with(p.title, ${toCorrectedText(terms)}) or p.head @@ ${toWeightedQuery('A', terms)}::tsquery as in_title,
                p.head @@ ${toWeightedQuery('B', terms)}::tsquery as in_narrator,
                ${findBestSentence(terms)} as sentence
              from page p
            ) h
          ) as hits
      `.execute(db);
      const [matches] = rows;
      return matches ?? { hits: [], groups: [], total: 0 };
    },
  };
}

export type SearchRepository = ReturnType<typeof createSearchRepository>;
