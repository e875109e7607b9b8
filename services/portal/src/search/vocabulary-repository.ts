import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database.ts';
import type { DocumentCounts, QueryWord, SimilarWord, WordStatistics } from './query-terms.ts';

/** Further words of a query are ignored. */
const MAX_QUERY_WORDS = 16;
const MAX_COMPLETIONS = 12;
const MAX_SIMILAR_WORDS = 60;
const MAX_CACHED_WORDS = 5000;

/** The vocabulary's statistics for a query. */
interface QueryStatistics {
  words: QueryWord[];
  /** The number of the newest document. */
  newest: number;
  counts: DocumentCounts;
  /** How many documents have each of the requested tags. */
  tagCounts: number[];
}

const aggregateStatistics = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`coalesce(json_agg(json_build_object('word', ${column('word')}, 'language', ${column('language')},
    'documents', ${column('documents')}, 'heads', ${column('heads')})), '[]')`;
};

/** The plural of a Spanish word in z, or the singular of one in -ces, whose stems differ: luz, luces. Any other word itself. */
const otherNumber = sql`case right(typed.word, 3) when 'ces' then left(typed.word, -3) || 'z'
  else regexp_replace(typed.word, 'z$', 'ces') end`;

/** What the statistics of all queries with the same tags have in common. */
export type CatalogueTotals = Omit<QueryStatistics, 'words'>;

/** Reads the words of all documents, in both languages. */
export function createVocabularyRepository(db: Database) {
  return {
    /**
     * Returns the statistics of a query's words.
     *
     * @param isOpen - whether the last word may be unfinished
     */
    async findStatistics(
      query: string,
      { isOpen, tags }: { isOpen: boolean; tags: readonly string[] },
    ): Promise<QueryStatistics> {
      const { rows } = await sql<QueryStatistics>`
        with typed as materialized (
          select word collate "C" as word, number, ${isOpen} and number = count(*) over () as is_last
          from unnest((string_to_array(search_text(${query}), ' '))[:${sql.lit(MAX_QUERY_WORDS)}]) with ordinality w (word, number)
        )
        select
          coalesce((select max(number) from search_document), 0) as newest,
          (
            select json_build_object('en', coalesce(sum(documents) filter (where language = 'en'), 0),
              'es', coalesce(sum(documents) filter (where language = 'es'), 0))
            from catalogue_count where tag = ''
          ) as counts,
          array(
            select coalesce(sum(c.documents), 0)::integer from unnest(${tags}::text[]) tag
              left join catalogue_count c using (tag) group by tag
          ) as "tagCounts",
          (select coalesce(json_agg(w order by w.number), '[]') from (select number, word,
          (select ${aggregateStatistics('v')} from vocabulary v where v.word = typed.word and v.documents > 0) as exact,
          (
            select ${aggregateStatistics('v')}
            from unnest('{en,es}'::text[]) spoken (language)
              join word_form f on f.language = spoken.language and f.stem in (
                search_stem(spoken.language, typed.word),
                search_stem(spoken.language, case spoken.language when 'es' then ${otherNumber} else typed.word end)
              )
              join vocabulary v on v.word = f.word and v.language = f.language
            where v.word <> typed.word and v.documents > 0 and (
              exists (select from vocabulary k where k.word = typed.word and k.language = spoken.language)
              or not exists (select from vocabulary k where k.word = typed.word)
            )
          ) as inflected,
          (
            select ${aggregateStatistics('c')}
            from (
              select * from vocabulary v
              where typed.is_last and v.word > typed.word and v.word < typed.word || chr(1114111) and v.documents > 0
              order by v.heads > 0 desc, v.documents desc limit ${sql.lit(MAX_COMPLETIONS)}
            ) c
          ) as completions
        from typed) w) as words
      `.execute(db);
      const [statistics] = rows;
      return statistics ?? { words: [], newest: 0, counts: { en: 0, es: 0 }, tagCounts: [] };
    },

    /** Returns words that are one mistake from an unknown word, or sound like it. */
    async findOneMistakeAway(word: string): Promise<SimilarWord[]> {
      const { rows } = await sql<SimilarWord>`
        select word, language, documents, heads, search_sound(word) = search_sound(${word}) as "soundsAlike"
        from word_form join vocabulary using (word, language)
        where keys && search_keys(${word}) and documents > 0
        order by documents desc limit ${sql.lit(MAX_SIMILAR_WORDS)}
      `.execute(db);
      return rows;
    },

    /**
     * Returns words that look like a word by trigrams, in addition to those one mistake away. Ten times as expensive.
     *
     * @param isLast - whether the word may be unfinished, so that longer words are similar too
     */
    async findSimilar(word: string, isLast: boolean): Promise<SimilarWord[]> {
      const { rows } = await sql<SimilarWord>`
        select word, language, documents, heads, search_sound(word) = search_sound(${word}) as "soundsAlike"
        from (
          (
            select word, language from word_form join vocabulary using (word, language)
            where keys && search_keys(${word}) order by documents desc limit ${sql.lit(MAX_SIMILAR_WORDS)}
          ) union (
            select word, language from word_form where word % ${word} ${isLast ? sql`or ${word} <% word` : sql``}
            order by word_similarity(${word}, word) + similarity(${word}, word) desc limit ${sql.lit(MAX_SIMILAR_WORDS)}
          )
        ) similar_word join vocabulary using (word, language)
        where documents > 0
      `.execute(db);
      return rows;
    },
  };
}

type Vocabulary = Pick<ReturnType<typeof createVocabularyRepository>, 'findStatistics'>;

/** Returns whether `search_text` leaves each word as one word; everything else is not cached. */
const isPlain = (words: readonly string[]): boolean => words.every((word) => /^[a-z0-9áéíóúüñ]+$/.test(word));

const toKey = (word: string, isLast: boolean): string => (isLast ? `${word}…` : word);

/** Creates a cache of the statistics and corrections of query words, for searches of one version of the catalogue. */
export function createTermStatisticsCache() {
  const words = new LRUCache<string, QueryWord>({ max: MAX_CACHED_WORDS });
  const corrections = new LRUCache<string, readonly WordStatistics[]>({ max: MAX_CACHED_WORDS });
  const totals = new LRUCache<string, CatalogueTotals>({ max: MAX_CACHED_WORDS });

  return {
    /** Returns the statistics of a query; requests only those words that are not cached. */
    async findStatistics(
      query: string,
      tags: readonly string[],
      vocabulary: Vocabulary,
    ): Promise<QueryStatistics> {
      const typed = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_QUERY_WORDS);
      if (!isPlain(typed)) return vocabulary.findStatistics(query, { isOpen: true, tags });
      const last = typed.length - 1;
      const keys = typed.map((word, index) => toKey(word, index === last));
      const known = keys.map((key) => words.get(key));
      const missing = typed.flatMap((word, index) => (known[index] ? [] : [{ word, index }]));
      let current = totals.get(tags.join(' '));
      if (!current || missing.length > 0) {
        const isOpen = missing.at(-1)?.index === last;
        const requested = missing.map(({ word }) => word).join(' ');
        const { words: found, ...rest } = await vocabulary.findStatistics(requested, { isOpen, tags });
        current = rest;
        totals.set(tags.join(' '), current);
        for (const [order, { index }] of missing.entries()) {
          known[index] = found[order];
          words.set(keys[index] ?? '', found[order]);
        }
      }
      return { ...current, words: known.flatMap((word) => word ?? []) };
    },

    /** Returns the corrections of an unknown word; computes them only once. */
    async findCorrections(
      word: string,
      isLast: boolean,
      compute: () => Promise<readonly WordStatistics[]>,
    ): Promise<readonly WordStatistics[]> {
      const key = toKey(word, isLast);
      const found = corrections.get(key) ?? (await compute());
      corrections.set(key, found);
      return found;
    },
  };
}

export type TermStatisticsCache = ReturnType<typeof createTermStatisticsCache>;
