import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Amounts, Asked, Near } from './words.ts';

/** A query's words beyond these are not looked for. */
export const MOST_WORDS = 16;
const MOST_BEGUN = 12;
const MOST_NEAR = 60;

/** What is known of a query before it is asked. */
export interface Understood {
  words: Asked[];
  /** Of which state of the catalogue this is; see `catalogueVersion`. */
  version: string;
  /** The newest document's number. */
  newest: number;
  /** How many documents there are, and how many have each of the tags. */
  amounts: Amounts;
  tagged: number[];
}

/** Differs from what it was whenever an article has come, changed or gone: which transactions wrote the amounts. */
export const catalogueVersion = sql<string>`coalesce(
  (select string_agg(xmin::text, ' ' order by language) from catalogue_count where tag = ''), ''
)`;

const knownAs = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`coalesce(json_agg(json_build_object('word', ${column('word')}, 'language', ${column('language')},
    'documents', ${column('documents')}, 'heads', ${column('heads')})), '[]')`;
};

/** The words of all documents, in both languages, by which a query is understood. */
export function vocabularyRepository(db: Database) {
  return {
    /** A query's words with what the vocabulary has for each, and how much there is to search. In: whether its last word may be unfinished. */
    async understand(
      query: string,
      { isOpen, tags }: { isOpen: boolean; tags: readonly string[] },
    ): Promise<Understood> {
      const { rows } = await sql<Understood>`
        with asked as materialized (
          select word collate "C" as word, number, ${isOpen} and number = count(*) over () as is_last
          from unnest((string_to_array(search_text(${query}), ' '))[:${sql.lit(MOST_WORDS)}]) with ordinality w (word, number)
        )
        select
          ${catalogueVersion} as version,
          coalesce((select max(number) from search_document), 0) as newest,
          (
            select json_build_object('en', coalesce(sum(documents) filter (where language = 'en'), 0),
              'es', coalesce(sum(documents) filter (where language = 'es'), 0))
            from catalogue_count where tag = ''
          ) as amounts,
          array(
            select coalesce(sum(c.documents), 0)::integer from unnest(${tags}::text[]) tag
              left join catalogue_count c using (tag) group by tag
          ) as tagged,
          (select coalesce(json_agg(w order by w.number), '[]') from (select number, word,
          (select ${knownAs('v')} from vocabulary v where v.word = asked.word and v.documents > 0) as same,
          (
            select ${knownAs('v')}
            from unnest('{en,es}'::text[]) spoken (language)
              join word_form f on f.stem = search_stem(spoken.language, asked.word) and f.language = spoken.language
              join vocabulary v on v.word = f.word and v.language = f.language
            where v.word <> asked.word and v.documents > 0 and (
              exists (select from vocabulary k where k.word = asked.word and k.language = spoken.language)
              or not exists (select from vocabulary k where k.word = asked.word)
            )
          ) as inflected,
          (
            select ${knownAs('b')}
            from (
              select * from vocabulary v
              where asked.is_last and v.word > asked.word and v.word < asked.word || chr(1114111) and v.documents > 0
              order by v.heads > 0 desc, v.documents desc limit ${sql.lit(MOST_BEGUN)}
            ) b
          ) as begun
        from asked) w) as words
      `.execute(db);
      const [understood] = rows;
      return understood ?? { words: [], version: '', newest: 0, amounts: { en: 0, es: 0 }, tagged: [] };
    },

    /** Words of the vocabulary that are one mistake from a word which is not in it, or sound like it. */
    async findAlike(word: string): Promise<Near[]> {
      const { rows } = await sql<Near>`
        select word, language, documents, heads, search_sound(word) = search_sound(${word}) as sounds
        from word_form join vocabulary using (word, language)
        where keys && search_keys(${word}) and documents > 0
        order by documents desc limit ${sql.lit(MOST_NEAR)}
      `.execute(db);
      return rows;
    },

    /** As `findAlike`, with words that look like it; of an unfinished one also longer words. Ten times as dear. */
    async findNear(word: string, isLast: boolean): Promise<Near[]> {
      const { rows } = await sql<Near>`
        select word, language, documents, heads, search_sound(word) = search_sound(${word}) as sounds
        from (
          (
            select word, language from word_form join vocabulary using (word, language)
            where keys && search_keys(${word}) order by documents desc limit ${sql.lit(MOST_NEAR)}
          ) union (
            select word, language from word_form where word % ${word} ${isLast ? sql`or ${word} <% word` : sql``}
            order by word_similarity(${word}, word) + similarity(${word}, word) desc limit ${sql.lit(MOST_NEAR)}
          )
        ) near join vocabulary using (word, language)
        where documents > 0
      `.execute(db);
      return rows;
    },
  };
}
