import { api } from '@escucho/contracts';
import { silentLog as log } from '@escucho/database/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { withCatalogueAdmin } from '../content.ts';
import { startPortal } from '../testing/portal.ts';

const { call, createUser, connection, store, db } = await startPortal();
const { token } = await createUser();
const lists = [
  {},
  { language: 'es' },
  { topic: 'travel' },
  { level: 'A1', language: 'en' },
  { narrator: 'Rare' },
] as const;
type List = (typeof lists)[number];

/** Inserts articles of `days` days, so that many are of the same moment, in an order unlike that of the list. */
const insertArticles = (from: number, count: number, days: number) =>
  sql`
    insert into article (id, slug, title, summary, kind, language, level, topic, narrator, duration, published_at,
      image, artwork, audio, source_stamp, content_hash)
    select md5(n::text)::uuid, 'deep-' || n, 'Deep', '', 'article', case when n % 3 = 0 then 'es' else 'en' end,
      case when n % 2 = 0 then 'A1' else 'B2' end, case when n % 5 = 0 then 'travel' else 'food' end,
      case when n % 97 = 0 then 'Rare' else 'Amelia' end, 60, '2026-01-01'::timestamptz - (n * 7 % ${days}) * interval '1 day',
      'i.avif', 'a.webp', 'a.mp3', '', ''
    from generate_series(${from}::integer, ${from + count - 1}::integer) n`.execute(db);

const findPage = async (query: object) => {
  const { docs } = await call(api.catalogue.findArticles, token, { query: { limit: 3, ...query } });
  return docs.map(({ _id }) => _id);
};

/** Returns the ids of a list in its order, without the counts of segments. */
async function findWhole(list: List): Promise<string[]> {
  let query = db.selectFrom('article').select('id').orderBy('published_at', 'desc').orderBy('id', 'desc');
  if ('language' in list) query = query.where('language', '=', list.language);
  if ('topic' in list) query = query.where('topic', '=', list.topic);
  if ('level' in list) query = query.where('level', '=', list.level);
  if ('narrator' in list) query = query.where('narrator', '=', list.narrator);
  return (await query.execute()).map(({ id }) => id);
}

/** Expects jumps to many places of every list, from its beginning and from a track, to land exactly. */
async function expectExactJumps() {
  for (const list of lists) {
    const whole = await findWhole(list);
    for (const share of [0, 0.001, 0.2, 0.45, 0.7, 0.9999, 1.2]) {
      const skip = Math.max(1, Math.floor(whole.length * share));
      expect(await findPage({ ...list, skip })).toEqual(whole.slice(skip, skip + 3));
      for (const from of [Math.floor(whole.length / 3), whole.length - 5]) {
        const page = await findPage({ ...list, after: whole[from], skip });
        expect(page).toEqual(whole.slice(from + 1 + skip, from + 4 + skip));
      }
    }
  }
}

await sql`insert into narrator (name) values ('Rare'), ('Amelia') on conflict do nothing`.execute(db);
// A statement that inserts all of them would exceed its time limit on a slow machine.
for (const from of [0, 1000, 2000, 3000, 4000]) await insertArticles(from, 1000, 40);

it('[CAT-09] a jump lands exactly in lists of any length', expectExactJumps);

it('[CAT-09] a jump lands exactly after deleting, changing and adding articles', async () => {
  await sql`delete from article where slug like 'deep-%7'`.execute(db);
  await sql`update article set published_at = published_at + interval '90 days', level = 'C1', language = 'es'
    where slug like 'deep-%3'`.execute(db);
  await sql`update narrator set name = 'Scarce' where name = 'Rare'`.execute(db);
  await sql`insert into narrator (name) values ('Rare')`.execute(db);
  // More than a segment may have, of one moment, by several writers at once.
  await Promise.all([5000, 5800, 6600].map((from) => insertArticles(from, 800, 1)));
  await expectExactJumps();
  const { rows } = await sql<{ articles: number }>`
    select max(articles) as articles from catalogue_segment`.execute(db);
  expect(rows[0]?.articles).toBeLessThanOrEqual(2000);
});

it.each([
  ['unpublished', 'unpublish'],
  ['removed', 'remove'],
] as const)('[CAT-09] pages continue after a track that was %s', async (_state, withdraw) => {
  const whole = await findWhole({});
  const [before, cursor] = whole.slice(1200);
  const { slug } = await db
    .selectFrom('article')
    .select('slug')
    .where('id', '=', cursor ?? '')
    .executeTakeFirstOrThrow();
  await withCatalogueAdmin({ connection, mediaStore: store, log }, (admin) => admin[withdraw](slug));
  expect(await findPage({ after: cursor })).toEqual(whole.slice(1202, 1205));
  expect(await findPage({ after: cursor, skip: 900 })).toEqual(whole.slice(2102, 2105));
  expect(await findPage({ after: before, skip: 900 })).toEqual(whole.slice(2102, 2105));
});
