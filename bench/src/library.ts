import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findRunningEmbedded, openDatabase } from '@escucho/database';
import { type Kysely, sql } from 'kysely';
import type { Bench } from './figure.ts';
import { type Language, pick, random, vocabularyOf, words } from './words.ts';

/** One connection to the product's tables. */
type Database = Kysely<object>;

const SENTENCES = 12;
const ARTICLES_AT_ONCE = 2000;
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
const levels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface Voice {
  language: Language;
  words: string[];
}

function titleOf({ words }: Voice, next: () => number): string {
  const length = 2 + Math.floor(next() * 4);
  return capital(Array.from({ length }, () => pick(words, next, next() < 0.25 ? 1 : 50)).join(' '));
}

const sentenceOf = ({ words }: Voice, next: () => number): string =>
  `${capital(Array.from({ length: 6 + Math.floor(next() * 9) }, () => pick(words, next)).join(' '))}.`;

const uuidOf = (number: number): string =>
  createHash('md5')
    .update(`library ${number}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

function articleOf(number: number, voice: Voice, next: () => number) {
  const kind = next() < 0.85 ? 'article' : next() < 0.8 ? 'audiobook' : 'visual-book';
  return {
    id: uuidOf(number),
    slug: `made-${number}`,
    title: titleOf(voice, next),
    summary: sentenceOf(voice, next),
    kind,
    language: voice.language,
    level: levels[Math.floor(next() * levels.length)],
    topic: topics[Math.floor(next() ** 2 * topics.length)],
    narrator: `Voice ${Math.floor(2000 ** next())}`,
    duration: 60 + Math.round(next() ** 3 * 3000),
    published_at: new Date(Date.UTC(2026, 9, 1) - Math.floor(next() * 3650) * 86_400_000).toISOString(),
    sentences: Array.from({ length: SENTENCES }, () => sentenceOf(voice, next)),
  };
}

type Made = ReturnType<typeof articleOf>;

/** Writes articles with the demo's media, and their text; then the index, as every import does. */
async function write(db: Database, made: readonly Made[]): Promise<void> {
  const given = JSON.stringify(made);
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into narrator (name) select distinct narrator from json_to_recordset(${given}::json) as made (narrator text)
      on conflict do nothing
    `.execute(transaction);
    await sql`
      insert into article (id, slug, title, summary, kind, language, level, topic, narrator, duration, published_at,
        image, artwork, audio, source_stamp, content_hash)
      select made.*, demo.image, demo.artwork, demo.audio, '', ''
      from json_to_recordset(${given}::json) as made (id uuid, slug text, title text, summary text, kind text,
          language text, level text, topic text, narrator text, duration float8, published_at timestamptz)
        cross join (select image, artwork, audio from article order by slug limit 1) demo
    `.execute(transaction);
    await sql`
      insert into sentence (article_id, number, text, starts_at, ends_at, paragraph)
      select made.id, said.number - 1, said.text, said.number * 5 - 5, said.number * 5, said.number / 4
      from json_to_recordset(${given}::json) as made (id uuid, sentences json)
        cross join json_array_elements_text(made.sentences) with ordinality as said (text, number)
    `.execute(transaction);
    await sql`select index_articles(${made.map(({ id }) => id)}::uuid[])`.execute(transaction);
  });
}

/** Does something without the indexes of the search, which are quicker made at once than word by word. */
async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'portal' and tablename in ('search_document', 'word_form') and indexdef like '%USING gin%'
  `.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  await work();
  await sql`set maintenance_work_mem = '512MB'`.execute(db);
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

/** Adds articles to a product's catalogue until it has so many made ones. Out: seconds; null where it had them. */
export async function makeLibrary(db: Database, items: number): Promise<number | null> {
  const { rows } = await sql<{
    made: number;
  }>`select count(*) as made from article where slug like 'made-%'`.execute(db);
  const before = rows[0]?.made ?? 0;
  if (before >= items) return null;
  const began = performance.now();
  await sql`set statement_timeout = 0`.execute(db);
  await sql`set synchronous_commit = off`.execute(db);
  await withoutIndexes(db, () => add(db, before, items));
  await sql`vacuum analyze`.execute(db);
  return (performance.now() - began) / 1000;
}

/** As `makeLibrary`, in the product that a measurement uses. In: what must be done with its tables before they are closed. */
export async function withLibrary<Result>(
  { dataDir }: Pick<Bench, 'dataDir'>,
  items: number,
  work: (db: Database, made: number | null) => Promise<Result>,
): Promise<Result> {
  const connection = await findRunningEmbedded(join(dataDir, 'postgres'));
  if (!connection) throw new Error('The product runs on no embedded database.');
  const db = openDatabase<object>({ connection, schema: 'portal', name: 'bench', maxConnections: 1 });
  try {
    return await work(db, await makeLibrary(db, items));
  } finally {
    await db.destroy();
  }
}

/** The data directory of a library of a size: one that is not kept, or with `data` its own. */
export const placeOf = (items: number, data: string | undefined): string | undefined =>
  data && join(data, `${items / 1000}k`);

async function add(db: Database, before: number, items: number): Promise<void> {
  const next = random(7 + before);
  const voices = (['en', 'es'] as const).map((language) => ({
    language,
    words: words(language, vocabularyOf((items / 2) * SENTENCES), next),
  }));
  for (let from = before; from < items; from += ARTICLES_AT_ONCE) {
    const made = Array.from({ length: Math.min(ARTICLES_AT_ONCE, items - from) }, (_, index) => {
      const voice = voices[(from + index) % voices.length];
      if (!voice) throw new Error('unreachable');
      return articleOf(from + index, voice, next);
    });
    await write(db, made);
  }
}

/** What people may look for in a made library: titles and their beginnings, words of one sentence, typing mistakes, voices. */
export async function queriesFor(db: Database, count: number): Promise<string[]> {
  const { rows } = await sql<{ title: string; narrator: string; text: string }>`
    select a.title, a.narrator, s.text
    from article a join sentence s on s.article_id = a.id and s.number = 5
    where a.slug like 'made-%' order by a.id limit ${count}
  `.execute(db);
  const mistyped = (word: string) => `${word.slice(0, 2)}${word.slice(3)}`;
  return rows.map(({ title, narrator, text }, index) => {
    const words = title.split(' ');
    const long = words.find(({ length }) => length > 5) ?? title;
    const said = text.slice(0, -1).split(' ');
    const kinds = [
      long.slice(0, 3),
      long.slice(0, 5),
      `${words[0]} ${words[1]?.slice(0, 2)}`,
      words.slice(0, 3).reverse().join(' '),
      mistyped(long),
      said.slice(1, 4).join(' '),
      said.slice(0, 6).join(' '),
      `${narrator} ${words[0]}`,
      words[0] ?? title,
      title,
    ];
    return kinds[index % kinds.length] ?? title;
  });
}
