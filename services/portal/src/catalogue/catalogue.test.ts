import { api, level as levels } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { writeArticle } from '../testing/library.ts';
import { startPortal } from '../testing/portal.ts';
import { selectRelated } from './service.ts';

const { call, send, createUser, insertPlaylist, articleId, playlistId, loadLibrary, paths, db } =
  await startPortal();
const { discover } = api.catalogue;
const { findArticle } = api.catalogue;
const free = await createUser();

describe('Discover', () => {
  it('[CAT-02] has the system playlists in order and nothing to continue for a new user', async () => {
    await insertPlaylist(free.id, 'My own list', ['el-gato']);
    const { continueListening, rows } = await call(discover, free.token, {});
    expect(continueListening).toEqual([]);
    expect(rows.map(({ playlist: { name }, tracks }) => [name, tracks.length])).toEqual([
      ['Latest articles', 5],
      ['Travel', 2],
      ['Later', 0],
    ]);
  });

  it('[CAT-02] rows equal the pages of their playlists', async () => {
    const { rows } = await call(discover, free.token, {});
    const params = { id: playlistId('travel') };
    expect(rows[1]?.playlist).toEqual(await call(api.playlists.findPlaylist, free.token, { params }));
    const content = await call(api.playlists.findPlaylistContent, free.token, { params, query: {} });
    expect(rows[1]?.tracks).toEqual(content.docs);
  });

  it('[CAT-02] starts with Continue listening', async () => {
    const { id: device, token } = await createUser();
    const entry = { track: articleId('el-gato'), device, sequence: 1, position: 20, cause: 'tick' } as const;
    await call(api.listening.saveProgress, token, { body: entry });
    const { continueListening } = await call(discover, token, {});
    expect(continueListening).toMatchObject([{ _id: articleId('el-gato'), progress: 20 }]);
  });

  it('[PLAY-04] signs the first of ‘Latest articles’ for all users, all tracks for subscribers', async () => {
    const signed = async (token: string) => {
      const { rows } = await call(discover, token, {});
      return rows.map(({ tracks }) => tracks.map(({ url }) => url !== null));
    };
    expect(await signed(free.token)).toEqual([[true, false, false, false, false], [false, false], []]);
    const { token } = await createUser({ subscribed: true });
    expect(await signed(token)).toEqual([[true, true, true, true, true], [true, true], []]);
  });
});

describe('an article', () => {
  it('[CAT-01] has its text with translations and times', async () => {
    const params = { id: articleId('night-ferry') };
    const picture = expect.stringMatching(/^\/media\/.*\?expires=\d+&signature=[\w-]{22}$/);
    expect(await call(findArticle, free.token, { params })).toEqual({
      _id: articleId('night-ferry'),
      slug: 'night-ferry',
      estimated: false,
      title: 'The night-ferry',
      summary: 'All about the night-ferry.',
      kind: 'article',
      language: 'en',
      translationLanguage: 'es',
      level: 'B1',
      topic: 'travel',
      narrator: { name: 'Amelia', image: picture },
      image: picture,
      artwork: picture,
      duration: 100.5,
      publishedAt: '2026-09-14T00:00:00.000Z',
      chapters: [],
      pages: [],
      sentences: [
        {
          text: 'The first sentence.',
          translation: '(The first sentence.)',
          start: 0,
          end: 1.5,
          paragraph: 0,
          chapter: null,
          page: null,
        },
        {
          text: 'The second sentence.',
          translation: '(The second sentence.)',
          start: 1.5,
          end: 3,
          paragraph: 0,
          chapter: null,
          page: null,
        },
      ],
    });
  });

  it('[CAT-01] an audiobook has chapters, a visual book pages with signed pictures', async () => {
    const audiobook = await call(findArticle, free.token, { params: { id: articleId('long-walk') } });
    expect(audiobook.chapters).toEqual([{ title: 'One', start: 0 }]);
    expect(audiobook.sentences[0]?.chapter).toBe(0);
    const book = await call(findArticle, free.token, { params: { id: articleId('picture-book') } });
    expect(book.pages).toEqual([
      { title: 'Morning', start: 0, alt: 'A hill', image: expect.stringMatching(/\.avif\?expires=/) },
      { title: 'Evening', start: 2, alt: 'A lake', image: expect.stringMatching(/\.avif\?expires=/) },
    ]);
    expect(book.sentences.map(({ page }) => page)).toEqual([0, 1]);
  });

  it('is not found by an unknown id', async () => {
    const response = await send(findArticle, { token: free.token, params: { id: free.id } });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
  });
});

describe('lists', () => {
  const list = async (query: object) => {
    const { docs, totalDocs } = await call(api.catalogue.findArticles, free.token, { query });
    return { slugs: docs.map(({ title }) => title.replace('The ', '')), totalDocs };
  };

  it.each([
    ['all', {}, ['green-door', 'el-gato', 'long-walk', 'night-ferry', 'picture-book']],
    ['a kind', { kind: 'audiobook' }, ['long-walk']],
    ['visual books', { kind: 'visual-book' }, ['picture-book']],
    ['a level', { level: 'A2' }, ['green-door']],
    ['a topic', { topic: 'travel' }, ['green-door', 'el-gato', 'long-walk', 'night-ferry', 'picture-book']],
    [
      'a narrator',
      { narrator: 'Amelia' },
      ['green-door', 'el-gato', 'long-walk', 'night-ferry', 'picture-book'],
    ],
    ['a language', { language: 'es' }, ['el-gato']],
    ['a topic and a language', { topic: 'travel', language: 'es' }, ['el-gato']],
    ['an unknown topic', { topic: "'; drop table" }, []],
  ])('[CAT-04] of %s, newest first, with the total', async (_name, query, slugs) => {
    const { slugs: found, totalDocs } = await list(query);
    expect([found[0], [...found].sort(), totalDocs]).toEqual([slugs[0], [...slugs].sort(), slugs.length]);
  });

  it('[CAT-09] pages join without duplicates or gaps while articles are added', async () => {
    const page = (after?: string) =>
      call(api.catalogue.findArticles, free.token, { query: { limit: 2, ...(after && { after }) } });
    const whole = await call(api.catalogue.findArticles, free.token, { query: {} });
    const first = await page();
    await writeArticle(paths.content, 'just-in', { published: '2026-10-01' });
    await loadLibrary();
    const second = await page(first.docs.at(-1)?._id);
    const third = await page(second.docs.at(-1)?._id);
    const ids = [...first.docs, ...second.docs, ...third.docs].map(({ _id }) => _id);
    expect(ids).toEqual(whole.docs.map(({ _id }) => _id));
    expect([third.docs.length, third.totalDocs, whole.totalDocs]).toEqual([1, 6, 5]);
    await db.deleteFrom('article').where('id', '=', articleId('just-in')).execute();
    expect((await list({})).totalDocs).toBe(5);
  });

  it('[CAT-09] skip pages in one language or all', async () => {
    const ids = async (query: object) => {
      const { docs } = await call(api.catalogue.findArticles, free.token, { query });
      return docs.map(({ _id }) => _id);
    };
    const whole = await ids({});
    expect(await ids({ skip: 3, limit: 1 })).toEqual(whole.slice(3, 4));
    expect(await ids({ after: whole[0], skip: 2 })).toEqual(whole.slice(3));
    expect(await ids({ skip: 99 })).toEqual([]);
    const english = await ids({ language: 'en' });
    expect(await ids({ language: 'en', skip: 1 })).toEqual(english.slice(1));
  });

  it('contain the loudness of tracks', async () => {
    await db.updateTable('article').set({ loudness: -19 }).where('id', '=', articleId('el-gato')).execute();
    const { docs } = await call(api.catalogue.findArticles, free.token, { query: { language: 'es' } });
    expect(docs[0]?.loudness).toBe(-19);
  });

  it.each([['-1'], ['1.5'], ['200000'], ['x']])('[API-03] refuse to skip %s', async (skip) => {
    const response = await send(api.catalogue.findArticles, { token: free.token, query: { skip } });
    expect([response.statusCode, response.json().error.fields[0].path]).toEqual([400, 'query.skip']);
  });

  it('[CAT-04] refuse two criteria at once', async () => {
    const response = await send(api.catalogue.findArticles, {
      token: free.token,
      query: { level: 'B1', topic: 'travel' },
    });
    expect([response.statusCode, response.json().error.fields[0].path]).toEqual([400, 'query.level']);
  });

  it('[CAT-03] have facets in one language or all', async () => {
    const all = await call(api.catalogue.browse, free.token, { query: {} });
    expect(all).toMatchObject({ totalDocs: 5, facets: { topic: [{ value: 'travel', count: 5 }] } });
    const spanish = await call(api.catalogue.browse, free.token, { query: { language: 'es' } });
    expect(spanish).toMatchObject({ totalDocs: 1, facets: { topic: [{ value: 'travel', count: 1 }] } });
    // The other languages can still be chosen.
    expect(spanish.facets.language).toEqual(all.facets.language);
  });

  it('[CAT-03] have a cover for each topic, level, kind and language', async () => {
    const { facets, covers } = await call(api.catalogue.browse, free.token, { query: {} });
    const tags = (['topic', 'level', 'kind', 'language'] as const).flatMap((name) =>
      facets[name].map(({ value }) => `${name}:${value}`),
    );
    expect(Object.keys(covers).sort()).toEqual(tags.sort());
    const spanish = await call(api.catalogue.browse, free.token, { query: { language: 'es' } });
    const { article } = await call(api.catalogue.readArticle, free.token, {
      params: { id: articleId('el-gato') },
    });
    expect(spanish.covers['topic:travel']).toBe(article.image);
  });
});

describe('the page of an article', () => {
  it('[CAT-04] has its text, its track and related articles of its language', async () => {
    const params = { id: articleId('night-ferry') };
    const page = await call(api.catalogue.readArticle, free.token, { params });
    expect(page.article).toEqual(await call(findArticle, free.token, { params }));
    expect(page.track).toMatchObject({
      _id: articleId('night-ferry'),
      url: null,
      playlist: null,
      like: false,
    });
    expect(page.related.map(({ _id }) => _id)).not.toContain(articleId('night-ferry'));
    expect(page.related.length).toBe(3);
    for (const { language } of page.related) expect(language).toBe('en');
  });

  it.each([
    ['the same topic comes first', ['food A1', 'travel C2'], ['travel C2', 'food A1']],
    [
      'then the nearest level',
      ['travel C2', 'travel A2', 'travel B1'],
      ['travel B1', 'travel A2', 'travel C2'],
    ],
    ['each once, never itself', ['travel A1', 'travel A1', 'travel B1!'], ['travel A1']],
  ])('[CAT-04] related: %s', (_name, given, expected) => {
    const rows = given.map((text) => {
      const [topic = '', level = ''] = text.replace('!', '').split(' ');
      return { id: text.includes('!') ? 'self' : text, topic, level: levels.parse(level) };
    });
    const selected = selectRelated({ id: 'self', topic: 'travel', level: 'B1' }, rows, 6);
    expect(selected.map(({ id }) => id)).toEqual(expected);
  });
});

describe('articles at the user’s level', () => {
  const atLevel = async (token: string) => (await call(discover, token, {})).atLevel;

  it('[CAT-02] are a row of new articles in the learned language that were not started', async () => {
    const { id: device, token } = await createUser({ subscribed: true });
    expect(await atLevel(token)).toBeUndefined();
    await call(api.settings.changeSettings, token, { body: { level: 'B1', learningLanguage: 'en' } });
    const titles = async () => (await atLevel(token))?.tracks.map(({ title }) => title).sort();
    const all = ['The long-walk', 'The night-ferry', 'The picture-book'];
    expect(await titles()).toEqual(all);
    const entry = { track: articleId('long-walk'), device };
    await call(api.listening.saveProgress, token, {
      body: { ...entry, sequence: 1, position: 0, cause: 'skip' },
    });
    expect(await titles()).toEqual(all);
    await call(api.listening.saveProgress, token, {
      body: { ...entry, sequence: 2, position: 20, cause: 'tick' },
    });
    expect(await titles()).toEqual(['The night-ferry', 'The picture-book']);
  });
});

describe('Discover of a learner', () => {
  /** Creates a user without a subscription, unless stated otherwise, who learns something. */
  async function createLearner(learning: object, subscribed = false) {
    const user = await createUser({ subscribed });
    await call(api.settings.changeSettings, user.token, { body: learning });
    return user;
  }
  const showRows = async (token: string) => {
    const { rows } = await call(discover, token, {});
    return rows.map(({ tracks }) =>
      tracks.map(({ title, url }) => title.replace('The ', '') + (url === null ? ' locked' : '')),
    );
  };

  it.each([
    ['another language', { learningLanguage: 'es', level: 'B1' }, [['el-gato'], [], []]],
    ['levels far away', { learningLanguage: 'en', level: 'A1' }, [['green-door'], ['green-door'], []]],
    ['nothing without a level', { learningLanguage: 'es' }, [['el-gato'], [], []]],
  ])('[CAT-02] leaves out %s', async (_, learning, expected) => {
    const { token } = await createLearner(learning, true);
    expect(await showRows(token)).toEqual(expected);
  });

  it('[PLAY-04] keeps the free first of ‘Latest’ in front, and locks the rest', async () => {
    const { token } = await createLearner({ learningLanguage: 'es' });
    expect(await showRows(token)).toEqual([['night-ferry', 'el-gato locked'], [], []]);
  });

  it('[PLAY-04] locks no row of what is free at the level', async () => {
    const { token } = await createLearner({ learningLanguage: 'es', level: 'B1' });
    expect(await showRows(token)).toEqual([['night-ferry', 'el-gato'], [], []]);
  });

  it('[PLAY-04] has one free article at the level and in the language, also once it was started', async () => {
    const { id: device, token } = await createLearner({ learningLanguage: 'es', level: 'B1' });
    const atLevel = async () =>
      (await call(discover, token, {})).atLevel?.tracks.map(({ title, url }) => [title, url !== null]);
    expect(await atLevel()).toEqual([['The el-gato', true]]);
    const entry = { track: articleId('el-gato'), device, sequence: 1, position: 20, cause: 'tick' } as const;
    await call(api.listening.saveProgress, token, { body: entry });
    expect(await atLevel()).toEqual([['The el-gato', true]]);
    const page = await call(api.catalogue.readArticle, token, { params: { id: articleId('el-gato') } });
    expect(page.track.url).not.toBeNull();
  });

  it('[PLAY-04] has no further free article where the level is not chosen', async () => {
    const { token } = await createLearner({ learningLanguage: 'es' });
    const page = await call(api.catalogue.readArticle, token, { params: { id: articleId('el-gato') } });
    expect(page.track.url).toBeNull();
  });
});
