import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { level } from '@escucho/contracts';
import { sql } from 'kysely';
import { createSeededRandom } from '../../../e2e/support/seeded-random.ts';
import type { Environment } from '../measurement.ts';
import { type Database, findConnection, withDatabase } from './database.ts';
import { createVocabulary, estimateVocabularySize, type Language, pickByFrequency } from './vocabulary.ts';

const DEFAULT_SENTENCES = 12;
/** The index counts each different word once per transaction: larger batches take less time per article. */
const BATCH_SIZE = 100_000;
/** So many are inserted and analyzed first: the plans of larger batches would be those of an empty catalogue. */
const FIRST_BATCH_SIZE = 2000;
const TEN_YEARS_MS = 3650 * 86_400_000;
const topics = [
  'culture',
  'daily-life',
  'food',
  'history',
  'nature',
  'science',
  'stories',
  'technology',
  'travel',
];

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface Vocabulary {
  language: Language;
  words: string[];
}

function createTitle({ words }: Vocabulary, next: () => number): string {
  const length = 2 + Math.floor(next() * 4);
  return capitalize(
    Array.from({ length }, () => pickByFrequency(words, next, next() < 0.25 ? 1 : 50)).join(' '),
  );
}

const createSentence = ({ words }: Vocabulary, next: () => number): string =>
  `${capitalize(Array.from({ length: 6 + Math.floor(next() * 9) }, () => pickByFrequency(words, next)).join(' '))}.`;

const createId = (number: number): string =>
  createHash('md5')
    .update(`library ${number}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** `age` is that of its publication, in milliseconds. */
function createArticle(
  number: number,
  { sentences, age }: { sentences: number; age: number },
  vocabulary: Vocabulary,
  next: () => number,
) {
  const kind = next() < 0.85 ? 'article' : next() < 0.8 ? 'audiobook' : 'visual-book';
  return {
    id: createId(number),
    slug: `generated-${number}`,
    title: createTitle(vocabulary, next),
    summary: createSentence(vocabulary, next),
    kind,
    language: vocabulary.language,
    level: level.options[Math.floor(next() * level.options.length)],
    topic: topics[Math.floor(next() ** 2 * topics.length)],
    narrator: `Voice ${Math.floor(2000 ** next())}`,
    duration: 60 + Math.round(next() ** 3 * 3000),
    published_at: new Date(Date.UTC(2026, 9, 1) - age).toISOString(),
    sentences: Array.from({ length: sentences }, () => createSentence(vocabulary, next)),
  };
}

type GeneratedArticle = ReturnType<typeof createArticle>;

/** Inserts articles with the demo's media, and indexes them as an import does. */
async function insertArticles(db: Database, articles: readonly GeneratedArticle[]): Promise<void> {
  const json = JSON.stringify(articles);
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into narrator (name) select distinct narrator from json_to_recordset(${json}::json) as generated (narrator text)
      on conflict do nothing
    `.execute(transaction);
    await sql`
      insert into article (id, slug, title, summary, kind, language, level, topic, narrator, duration, published_at,
        image, artwork, audio, source_stamp, content_hash)
      select generated.*, demo.image, demo.artwork, demo.audio, '', ''
      from json_to_recordset(${json}::json) as generated (id uuid, slug text, title text, summary text, kind text,
          language text, level text, topic text, narrator text, duration float8, published_at timestamptz)
        cross join (select image, artwork, audio from article order by slug limit 1) demo
    `.execute(transaction);
    await sql`
      insert into sentence (article_id, number, text, starts_at, ends_at, paragraph)
      select generated.id, sentence.number - 1, sentence.text, sentence.number * 5 - 5, sentence.number * 5, sentence.number / 4
      from json_to_recordset(${json}::json) as generated (id uuid, sentences json)
        cross join json_array_elements_text(generated.sentences) with ordinality as sentence (text, number)
    `.execute(transaction);
    await sql`select index_articles(${articles.map(({ id }) => id)}::uuid[])`.execute(transaction);
  });
}

/** Runs `work` without the search indexes, which are faster to build at once. */
async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'portal' and tablename in ('search_document', 'word_form') and indexdef like '%USING gin%'
  `.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  await work();
  await sql`set maintenance_work_mem = '2GB'`.execute(db);
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

/** How many articles a catalogue has, and how many sentences each of them; 12 unless stated. */
interface CatalogueSize {
  items: number;
  sentences?: number | undefined;
}

/** Generates articles until the catalogue has as many as stated. Returns the seconds, or null if it had them. */
export async function growCatalogue(
  db: Database,
  { items, sentences = DEFAULT_SENTENCES }: CatalogueSize,
): Promise<number | null> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from article where slug like 'generated-%'`.execute(db);
  const before = rows[0]?.count ?? 0;
  if (before >= items) return null;
  const startedAt = performance.now();
  await sql`set synchronous_commit = off`.execute(db);
  await withoutIndexes(db, () => addArticles(db, before, items, sentences));
  await sql`vacuum analyze`.execute(db);
  return (performance.now() - startedAt) / 1000;
}

/** Generates articles in an environment, then runs `work` with its database. */
export async function withGeneratedCatalogue<Result>(
  environment: Pick<Environment, 'dataDir'>,
  size: CatalogueSize,
  work: (db: Database, generationSeconds: number | null) => Promise<Result>,
): Promise<Result> {
  return withDatabase(await findConnection(environment), async (db) =>
    work(db, await growCatalogue(db, size)),
  );
}

/** Returns the data directory of a catalogue of a size in the folder `data`, if there is one. */
export const getCatalogueDir = (
  { items, sentences = DEFAULT_SENTENCES }: CatalogueSize,
  data: string | undefined,
): string | undefined => data && join(data, `${items / 1000}k-${sentences}`);

async function addArticles(db: Database, before: number, items: number, sentences: number): Promise<void> {
  const next = createSeededRandom(7 + before).next;
  const vocabularies = (['en', 'es'] as const).map((language) => ({
    language,
    words: createVocabulary(language, estimateVocabularySize((items / 2) * sentences), next),
  }));
  let from = before;
  // The next batch is generated while the database inserts one.
  let insertion = Promise.resolve();
  while (from < items) {
    const batchSize = from === 0 ? FIRST_BATCH_SIZE : BATCH_SIZE;
    const articles = Array.from({ length: Math.min(batchSize, items - from) }, (_, index) => {
      const number = from + index;
      const vocabulary = vocabularies[number % vocabularies.length];
      if (!vocabulary) throw new Error('unreachable');
      // Oldest first, as a catalogue grows.
      const age = (1 - number / items) * TEN_YEARS_MS;
      return createArticle(number, { sentences, age }, vocabulary, next);
    });
    await insertion;
    insertion = insertArticles(db, articles);
    if (from === 0) {
      await insertion;
      await sql`analyze`.execute(db);
    }
    from += articles.length;
    await setImmediate();
  }
  await insertion;
}

/** Creates queries for generated articles: titles and prefixes, phrases, misspellings, narrators. */
export async function createQueries(db: Database, count: number): Promise<string[]> {
  const { rows } = await sql<{ title: string; narrator: string; text: string }>`
    select a.title, a.narrator, s.text
    from article a join sentence s on s.article_id = a.id and s.number = 0
    where a.slug like 'generated-%' order by a.id limit ${count}
  `.execute(db);
  const omitLetter = (word: string) => `${word.slice(0, 2)}${word.slice(3)}`;
  return rows.map(({ title, narrator, text }, index) => {
    const words = title.split(' ');
    const long = words.find(({ length }) => length > 5) ?? title;
    const sentenceWords = text.slice(0, -1).split(' ');
    const kinds = [
      long.slice(0, 3),
      long.slice(0, 5),
      `${words[0]} ${words[1]?.slice(0, 2)}`,
      words.slice(0, 3).reverse().join(' '),
      omitLetter(long),
      sentenceWords.slice(1, 4).join(' '),
      sentenceWords.slice(0, 6).join(' '),
      `${narrator} ${words[0]}`,
      words[0] ?? title,
      title,
    ];
    return kinds[index % kinds.length] ?? title;
  });
}
