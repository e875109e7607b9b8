import { api, limits } from '@escucho/contracts';
import { JsonText } from '@escucho/service-kit';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFrom } from '../catalogue/reads.ts';
import { createSharedResponses } from '../catalogue/shared-responses.ts';
import { openPortalDatabase } from '../database.ts';
import { createLinks } from '../media/links.ts';
import { createPlaylistRepository } from '../playlists/repository.ts';
import { loadDemoLibrary } from '../testing/library.ts';
import { startPortal } from '../testing/portal.ts';
import { searchConnections } from './repository.ts';
import { createSearchService } from './service.ts';

const { call, send, createUser, db, articleId, connection, tableChecksums } = await startPortal();
const { token } = await createUser({ subscribed: true });
const free = await createUser();
beforeAll(async () => {
  await db.deleteFrom('playlist_item').execute();
  await db.deleteFrom('article').execute();
  await loadDemoLibrary(db);
});

const search = (q: string, query: object = {}) =>
  call(api.catalogue.search, token, { query: { q, ...query } });
const found = async (q: string, query: object = {}) =>
  (await search(q, query)).docs.map(({ track }) => track._id);

describe('a hit', () => {
  it('[CAT-03] in the text has its sentence, its time and the matched words', async () => {
    const { docs } = await search('willow leaf');
    expect(docs[0]).toMatchObject({
      where: 'text',
      track: { _id: articleId('an-appointment-in-the-sargasso') },
    });
    const { sentence } = docs[0] ?? {};
    expect(sentence?.text).toMatch(/^A transparent little thing shaped like a willow leaf/);
    expect(sentence?.start).toBeGreaterThan(0);
    expect(sentence?.marks.map(([from, to]) => sentence.text.slice(from, to))).toEqual(['willow', 'leaf']);
  });

  it.each([
    ['giraffe', 'title'],
    ['carmen', 'narrator'],
    ['naturaleza', 'topic'],
    ['capsaicina', 'text'],
  ])('[CAT-03] of %s reports the field: %s', async (q, where) => {
    expect((await search(q)).docs[0]?.where).toBe(where);
  });

  it('[CAT-03] of a word with soft hyphens is that of the word', async () => {
    expect(await found('gi\u00adraffe')).toEqual(await found('giraffe'));
  });

  it.each(["o'clock", 'o’clock', 'oclock'])('[CAT-03] in the text has the sentence of %s', async (q) => {
    const { docs } = await search(q);
    expect(docs.length).toBeGreaterThan(0);
    for (const { where, sentence } of docs) {
      expect([where, sentence?.text]).toEqual(['text', expect.stringMatching(/o['’]clock/i)]);
      expect(sentence?.marks).not.toEqual([]);
    }
  });

  it('[CAT-03] in a title has the matched words with their accents', async () => {
    const { docs } = await search('montana barco');
    const matched = docs[0]?.titleMarks.map(([from, to]) => docs[0]?.track.title.slice(from, to));
    expect(matched).toEqual(['barco', 'montaña']);
  });

  it('[PLAY-04] is signed for subscribers only', async () => {
    const query = { q: 'giraffe' };
    const [own] = (await call(api.catalogue.search, token, { query })).docs;
    const [other] = (await call(api.catalogue.search, free.token, { query })).docs;
    expect([typeof own?.track.url, other?.track.url]).toEqual(['string', null]);
  });

  it('[PLAY-04] is signed for a learner where it is free at their level', async () => {
    const learner = await createUser();
    await call(api.settings.changeSettings, learner.token, {
      body: { level: 'A1', learningLanguage: 'es' },
    });
    const { docs } = await call(api.catalogue.search, learner.token, {
      query: { language: 'es', level: 'A1' },
    });
    const { atLevel } = await call(api.catalogue.discover, learner.token, {});
    const isFree = ({ url }: { url: string | null }) => url !== null;
    expect(docs.map(({ track }) => track).filter(isFree)).toMatchObject([{ _id: atLevel?.tracks[0]?._id }]);
  });
});

describe('a misspelled query', () => {
  it('[CAT-03] is corrected to the nearest word, and the response reports it', async () => {
    const { docs, corrected } = await search('girrafe');
    expect([docs[0]?.track._id, corrected]).toEqual([
      articleId('the-giraffe-who-walked-to-paris'),
      'giraffe',
    ]);
    expect((await search('giraffe')).corrected).toBeNull();
  });

  it('[CAT-03] omits a word that nothing is similar to, if there are others', async () => {
    const { docs, corrected } = await search('giraffe xqzwvkjh');
    expect([docs[0]?.track._id, corrected]).toEqual([
      articleId('the-giraffe-who-walked-to-paris'),
      'giraffe',
    ]);
  });

  it.each([
    ['the name of a language', 'spanish luna', 'luna'],
    ['the correction of one of two words that no article has together', 'giraffe galo', 'giraffe'],
  ])('[CAT-03] omits %s', async (_, q, rest) => {
    const { docs, corrected } = await search(q);
    expect([docs.map(({ track }) => track._id), corrected]).toEqual([await found(rest), rest]);
  });

  it('[CAT-03] finds a phrase with one word too many by the others', async () => {
    expect(await found('some trains are really three trains')).toEqual([
      articleId('the-wrong-half-of-the-train'),
    ]);
  });

  it('[CAT-03] suggests similar words when nothing is found', async () => {
    expect(await search('xqzwvkjh')).toMatchObject({ docs: [], totalDocs: 0, near: [] });
    const { docs, near } = await search('giraffe gallo');
    expect(docs).toEqual([]);
    expect(near).toEqual(expect.arrayContaining(['giraffe', 'gallo']));
  });

  it('[CAT-03] suggests no other words for those that only the filters exclude', async () => {
    expect(await search('giraffe', { language: 'es' })).toMatchObject({ totalDocs: 0, near: [] });
  });
});

describe('filters', () => {
  const filters = { language: 'es', level: 'A1', kind: 'article', topic: 'food', length: 'short' } as const;

  it.each(Object.entries(filters))('[CAT-03] by %s %s returns matching tracks only', async (name, value) => {
    const all = await search('');
    const some = await search('', { [name]: value });
    expect(some.totalDocs).toBeLessThan(all.totalDocs);
    expect(some.totalDocs).toBe(
      Object.entries(all.facets)
        .find(([facet]) => facet === name)?.[1]
        .find((counted) => counted.value === value)?.count,
    );
    if (name !== 'length') for (const { track } of some.docs) expect(track).toMatchObject({ [name]: value });
  });

  it('[CAT-03] combine with each other and with a term', async () => {
    expect(await found('papa', filters)).toEqual([articleId('una-papa-para-cada-dia')]);
    expect(await found('papa', { ...filters, language: 'en' })).toEqual([]);
  });

  it('[CAT-03] count what another value would find', async () => {
    const { facets } = await search('rana', { level: 'A2' });
    const { facets: open } = await search('rana');
    expect(facets.level).toEqual(open.level);
    for (const { value, count } of facets.level)
      expect((await search('rana', { level: value })).totalDocs).toBe(count);
  });

  it('[CAT-03] that exclude what has all words find nothing that has only some of them', async () => {
    const { docs, facets } = await search('the otters pocket', { level: 'A2' });
    expect([docs, facets.level]).toEqual([[], [{ value: 'A1', count: 1 }]]);
  });
});

describe('pages', () => {
  it('[CAT-03] of the hits join without duplicates or gaps', async () => {
    const whole = await found('the', { limit: 100 });
    const { totalDocs, isMore } = await search('the');
    expect([whole.length, isMore]).toEqual([totalDocs, false]);
    const pages: string[] = [];
    for (let page = 1; page <= Math.ceil(totalDocs / 4); page += 1)
      pages.push(...(await found('the', { page, limit: 4 })));
    expect(pages).toEqual(whole);
    expect(new Set(pages).size).toBe(whole.length);
    expect(await found('the', { page: 99 })).toEqual([]);
  });
});

const hostile = [
  '%',
  '_',
  "'",
  '"',
  '\\',
  "' | 'a",
  "a' & !'b",
  'a:*',
  '!a',
  '(a',
  '<->',
  '$1',
  '\\m(a+)+$',
  '[a',
  '{1,9}',
  '*',
  "'; drop table article; --",
  '🐙🐙',
  '...',
  '¿?',
  '\u202e',
  'ﬃ',
  'İ',
  '日本語',
  'ا',
  '\ud800',
  ' ',
  'a '.repeat(60),
  'x'.repeat(limits.search.maxLength),
  'ñ'.repeat(limits.search.maxLength),
];

describe('hostile queries', () => {
  it('[API-03] are treated as text: they succeed and change nothing', async () => {
    const before = await tableChecksums();
    for (const q of hostile) {
      const response = await send(api.catalogue.search, { token, query: { q } });
      expect([q, response.statusCode]).toEqual([q, 200]);
    }
    expect(await tableChecksums()).toEqual(before);
    expect((await search('🐙')).docs).toEqual([]);
    expect((await search("giraffe' | 'bus")).docs).toEqual([]);
  });

  it.each([['a'.repeat(10_000)], ['giraffe\u0000']])(
    '[API-03] are refused when too long or with NUL: query %#',
    async (q) => {
      const response = await send(api.catalogue.search, { token, query: { q } });
      expect([response.statusCode, response.json().error.fields[0].path]).toEqual([400, 'query.q']);
    },
  );
});

describe('an aborted search', () => {
  it('[CAT-03] finds nothing', async () => {
    const searchDb = openPortalDatabase(connection, searchConnections);
    const clock = () => new Date();
    const links = createLinks({ secret: 'x', baseUrl: '/media', clock });
    const service = createSearchService({
      read: readFrom(searchDb),
      access: { findAccess: async () => ({ mayPlay: () => false, mayPlayAnywhere: () => false }) },
      links,
      findShared: createSharedResponses({ playlists: createPlaylistRepository(db), links, clock }),
    });
    const subscription = { isActive: false, store: null, willRenew: false, expiresAt: null };
    const user = { id: free.id, subscription, learning: { language: null, level: null } };
    const countDocs = async (isAborted: boolean) => {
      const response = await service.search(user, { q: 'giraffe', page: 1, limit: 5 }, () => isAborted);
      return (response instanceof JsonText ? JSON.parse(response.text) : response).totalDocs;
    };
    expect([await countDocs(true), await countDocs(false)]).toEqual([0, 1]);
    await searchDb.destroy();
  });
});

describe('the search index', () => {
  const id = articleId('the-otters-pocket');
  const counts = () =>
    db
      .selectFrom('vocabulary')
      .select((eb) => [
        eb.fn.sum<string>('documents').as('documents'),
        eb.fn.sum<string>('heads').as('heads'),
      ])
      .executeTakeFirstOrThrow();

  it('[CAT-10] follows an article that is loaded again, and one that is removed', async () => {
    const before = await counts();
    await loadDemoLibrary(db);
    expect(await counts()).toEqual(before);
    await db.deleteFrom('article').where('id', '=', id).execute();
    expect(await found('otter')).not.toContain(id);
    expect((await search('pocket')).corrected).not.toBe('pocket');
    const { totalDocs } = await call(api.catalogue.findArticles, token, { query: { narrator: 'Grace' } });
    await loadDemoLibrary(db);
    expect(await found('otter')).toContain(id);
    expect((await call(api.catalogue.findArticles, token, { query: { narrator: 'Grace' } })).totalDocs).toBe(
      totalDocs + 1,
    );
    expect(await counts()).toEqual(before);
  });

  it('[CAT-10] follows a changed text despite cached words', async () => {
    expect((await search('otter xqzwvkjh')).corrected).toBe('otter');
    await db.updateTable('sentence').set({ text: 'Xqzwvkjh!' }).where('article_id', '=', id).execute();
    await sql`select index_articles(array[${id}::uuid])`.execute(db);
    const { docs, corrected } = await search('otter xqzwvkjh');
    expect([docs[0]?.track._id, docs[0]?.sentence?.text, corrected]).toEqual([id, 'Xqzwvkjh!', null]);
  });

  it('[CAT-03] suggests other numbers than that of a query, but does not search for them', async () => {
    await db.updateTable('sentence').set({ text: 'In 1984.' }).where('article_id', '=', id).execute();
    await sql`select index_articles(array[${id}::uuid])`.execute(db);
    expect(await found('1984')).toEqual([id]);
    expect(await search('1985')).toMatchObject({ docs: [], corrected: null, near: ['1984'] });
  });
});
