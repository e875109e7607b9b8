import { api } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { call, send, reader, playlistOf, article, playlist } = await startPortal();
const { discover } = api.catalogue;
const { findArticle } = api.articles;
const free = await reader();

describe('Discover', () => {
  it('[CAT-02] gives a row for each system playlist, in their order, and nothing begun to a newcomer', async () => {
    await playlistOf(free.id, 'My own list', ['el-gato']);
    const { continueListening, rows } = await call(discover, free.token, {});
    expect(continueListening).toEqual([]);
    expect(rows.map(({ playlist: { name }, tracks }) => [name, tracks.length])).toEqual([
      ['Latest articles', 5],
      ['Travel', 2],
      ['Later', 0],
    ]);
  });

  it('[CAT-02] says of a row what the row’s own page says', async () => {
    const { rows } = await call(discover, free.token, {});
    const params = { id: playlist('travel') };
    expect(rows[1]?.playlist).toEqual(await call(api.playlists.findPlaylist, free.token, { params }));
    const content = await call(api.playlists.findPlaylistContent, free.token, { params, query: {} });
    expect(rows[1]?.tracks).toEqual(content.docs);
  });

  it('[CAT-02] begins with what the reader has begun', async () => {
    const { id: device, token } = await reader();
    const entry = { track: article('el-gato'), device, sequence: 1, position: 20, cause: 'tick' } as const;
    await call(api.listening.saveProgress, token, { body: entry });
    const { continueListening } = await call(discover, token, {});
    expect(continueListening).toMatchObject([{ _id: article('el-gato'), progress: 20 }]);
  });

  it('[PLAY-04] signs the first of ‘Latest articles’ for anyone, and everything for a subscriber', async () => {
    const signed = async (token: string) => {
      const { rows } = await call(discover, token, {});
      return rows.map(({ tracks }) => tracks.map(({ url }) => url !== null));
    };
    expect(await signed(free.token)).toEqual([[true, false, false, false, false], [false, false], []]);
    const { token } = await reader({ subscribed: true });
    expect(await signed(token)).toEqual([[true, true, true, true, true], [true, true], []]);
  });
});

describe('an article', () => {
  it('[CAT-01] comes with its text, translated and timed', async () => {
    const params = { id: article('night-ferry') };
    const picture = expect.stringMatching(/^\/media\/.*\?expires=\d+&signature=[\w-]{43}$/);
    expect(await call(findArticle, free.token, { params })).toEqual({
      _id: article('night-ferry'),
      slug: 'night-ferry',
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
          ...{ text: 'The first sentence.', translation: '(The first sentence.)', start: 0, end: 1.5 },
          ...{ paragraph: 0, chapter: null, page: null },
        },
        {
          ...{ text: 'The second sentence.', translation: '(The second sentence.)', start: 1.5, end: 3 },
          ...{ paragraph: 0, chapter: null, page: null },
        },
      ],
    });
  });

  it('[CAT-01] an audiobook has chapters, a visual book pages with signed pictures', async () => {
    const audiobook = await call(findArticle, free.token, { params: { id: article('long-walk') } });
    expect(audiobook.chapters).toEqual([{ title: 'One', start: 0 }]);
    expect(audiobook.sentences[0]?.chapter).toBe(0);
    const book = await call(findArticle, free.token, { params: { id: article('picture-book') } });
    expect(book.pages).toEqual([
      { title: 'Morning', start: 0, alt: 'A hill', image: expect.stringMatching(/\.avif\?expires=/) },
      { title: 'Evening', start: 2, alt: 'A lake', image: expect.stringMatching(/\.avif\?expires=/) },
    ]);
    expect(book.sentences.map(({ page }) => page)).toEqual([0, 1]);
  });

  it('an unknown one is not found', async () => {
    const answer = await send(findArticle, { token: free.token, params: { id: free.id } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found']);
  });
});
