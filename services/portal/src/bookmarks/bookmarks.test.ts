import { randomUUID } from 'node:crypto';
import { api, limits, type RequestInput } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { createBookmarkRepository } from './repository.ts';

const { call, send, createUser, articleId, tableChecksums, db, clock } = await startPortal();
const { findBookmarks, findAllBookmarks, saveBookmark, deleteBookmark } = api.bookmarks;

/** Creates a user who sets bookmarks. */
async function createBookmarkUser() {
  const { token, id } = await createUser();
  const save = (bookmark: string, position: number, note = '', slug = 'el-gato') =>
    call(saveBookmark, token, {
      params: { id: bookmark },
      body: { track: articleId(slug), position, note },
    });
  /** Saves a bookmark that was created at a time. */
  const saveWithDate = (bookmark: string, createdAt: string) =>
    call(saveBookmark, token, {
      params: { id: bookmark },
      body: { track: articleId('el-gato'), position: 1, note: '', createdAt },
    });
  const find = async (slug = 'el-gato') =>
    (await call(findBookmarks, token, { query: { track: articleId(slug) } })).docs;
  return { token, id, save, saveWithDate, find };
}

describe('bookmarks', () => {
  it('[PLAY-05] are positions of a track with a note, in order', async () => {
    const { save, find } = await createBookmarkUser();
    const [late, early] = [randomUUID(), randomUUID()];
    await save(late, 3.5, 'the cat speaks');
    const saved = await save(early, 1);
    await save(randomUUID(), 2, '', 'long-walk');
    expect(saved).toEqual({
      _id: early,
      track: articleId('el-gato'),
      position: 1,
      note: '',
      createdAt: clock.now().toISOString(),
    });
    expect((await find()).map(({ _id, note }) => [_id, note])).toEqual([
      [early, ''],
      [late, 'the cat speaks'],
    ]);
  });

  it('[PLAY-05] are replaced when saved again', async () => {
    const { save, find } = await createBookmarkUser();
    const id = randomUUID();
    await Promise.all([save(id, 2, 'once'), save(id, 2, 'once')]);
    await save(id, 2.5, 'better');
    expect(await find()).toMatchObject([{ _id: id, position: 2.5, note: 'better' }]);
  });

  it('a position after the end becomes the end', async () => {
    const { save } = await createBookmarkUser();
    expect((await save(randomUUID(), 5000, '', 'long-walk')).position).toBe(4000);
  });

  it('[PLAY-05] can be deleted once', async () => {
    const { token, save, find } = await createBookmarkUser();
    const id = randomUUID();
    await save(id, 2);
    expect(await call(deleteBookmark, token, { params: { id } })).toEqual({ _id: id });
    expect(await find()).toEqual([]);
    expect((await send(deleteBookmark, { token, params: { id } })).statusCode).toBe(404);
  });

  it('[PLAY-05] have their former date and place when a deletion is undone', async () => {
    const { token, save, saveWithDate } = await createBookmarkUser();
    const [older, newer] = [randomUUID(), randomUUID()];
    const { createdAt } = await save(older, 1);
    clock.advance(60);
    await save(newer, 2);
    await call(deleteBookmark, token, { params: { id: older } });
    expect((await saveWithDate(older, createdAt)).createdAt).toBe(createdAt);
    const { docs } = await call(findAllBookmarks, token, { query: {} });
    expect(docs.map(({ bookmark }) => bookmark._id)).toEqual([newer, older]);
  });

  it('keep their date when they are changed, and have none of the future', async () => {
    const { saveWithDate } = await createBookmarkUser();
    const id = randomUUID();
    const now = clock.now().toISOString();
    expect((await saveWithDate(id, '2999-01-01T00:00:00.000Z')).createdAt).toBe(now);
    expect((await saveWithDate(id, '2020-01-01T00:00:00.000Z')).createdAt).toBe(now);
  });

  it('[PLAY-05] are separate for each user, even with the same id', async () => {
    const [one, two] = [await createBookmarkUser(), await createBookmarkUser()];
    const id = randomUUID();
    await one.save(id, 2, 'mine');
    expect(await two.find()).toEqual([]);
    const before = await tableChecksums();
    expect((await send(deleteBookmark, { token: two.token, params: { id } })).statusCode).toBe(404);
    expect(await tableChecksums()).toEqual(before);
    await two.save(id, 3, 'mine too');
    expect(await one.find()).toMatchObject([{ position: 2, note: 'mine' }]);
  });

  it('of an unknown track are refused', async () => {
    const { token } = await createBookmarkUser();
    const body = { track: randomUUID(), position: 1, note: '' };
    const response = await send(saveBookmark, { token, params: { id: randomUUID() }, body });
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
  });

  it('have a limit, at which existing ones can still be changed', async () => {
    const { token, id: owner, save } = await createBookmarkUser();
    const id = randomUUID();
    await save(id, 1);
    await sql`
      insert into bookmark (user_id, id, article_id, position, note, created_at)
      select ${owner}, gen_random_uuid(), ${articleId('long-walk')}, 1, '', now()
      from generate_series(2, ${limits.bookmarks.perUser})`.execute(db);
    const body = { track: articleId('el-gato'), position: 1, note: '' };
    const response = await send(saveBookmark, { token, params: { id: randomUUID() }, body });
    expect([response.statusCode, response.json().error.code]).toEqual([409, 'limit_reached']);
    expect((await save(id, 1, 'still')).note).toBe('still');
  });
});

describe('the bookmarks in all tracks', () => {
  const findAll = (token: string, query: RequestInput<typeof findAllBookmarks>['query'] = {}) =>
    call(findAllBookmarks, token, { query });

  it('[PLAY-05] are listed newest first, in pages, with track and sentence', async () => {
    const { token, save } = await createBookmarkUser();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, id] of ids.entries()) {
      clock.advance(1);
      await save(id, index, `note ${index}`, index === 1 ? 'long-walk' : 'el-gato');
    }
    const { docs, totalDocs } = await findAll(token);
    expect([docs.map(({ bookmark }) => bookmark._id), totalDocs]).toEqual([ids.toReversed(), 3]);
    expect(docs[0]).toMatchObject({
      bookmark: { track: articleId('el-gato'), position: 2, note: 'note 2' },
      track: { _id: articleId('el-gato'), title: 'The el-gato', url: null, playlist: null },
      sentence: 'The second sentence.',
    });
    const second = await findAll(token, { page: 2, limit: 2 });
    expect([second.docs.map(({ bookmark }) => bookmark._id), second.totalDocs]).toEqual([[ids[0]], 3]);
    expect(await findAll(token, { page: 3, limit: 2 })).toEqual({ docs: [], totalDocs: 3 });
  });

  it('[PLAY-05] have the sentence at whose start they are, also where it was read a little early', async () => {
    const { token, save } = await createBookmarkUser();
    await save(randomUUID(), 1.499999, 'tapped');
    expect((await findAll(token)).docs[0]?.sentence).toBe('The second sentence.');
    await save(randomUUID(), 1.49, 'before');
    const { docs } = await findAll(token, { q: 'before' });
    expect(docs[0]?.sentence).toBe('The first sentence.');
  });

  it.each([
    ['a word of the note', 'cafe', ['El CAFÉ, otra vez']],
    ['several words', 'otra VEZ', ['El CAFÉ, otra vez']],
    ['a title', 'long walk', ['⭐️ why']],
    ['nothing', 'tea', []],
    ['the end of a note and the beginning of a title', 'why the long', ['⭐️ why']],
    ['characters with a meaning in patterns', '%_%', []],
    ['an emoji', '⭐️', ['⭐️ why']],
  ])('are found by %s', async (_, q, expected) => {
    const { token, save } = await createBookmarkUser();
    await save(randomUUID(), 1, 'El CAFÉ, otra vez');
    clock.advance(1);
    await save(randomUUID(), 1, '⭐️ why', 'long-walk');
    expect((await findAll(token, { q })).docs.map(({ bookmark }) => bookmark.note)).toEqual(expected);
  });

  it('are found by their changed note only, and by titles that are not in the search index', async () => {
    const { token, save } = await createBookmarkUser();
    const id = randomUUID();
    await save(id, 1, 'before');
    await save(id, 1, 'después');
    await sql`delete from search_document where article_id = ${articleId('el-gato')}`.execute(db);
    const count = async (q: string) => (await findAll(token, { q })).totalDocs;
    expect([await count('before'), await count('DESPUES'), await count('El-Gato')]).toEqual([0, 1, 1]);
  });

  it('are found when they are restored as they were before the column of normalized notes', async () => {
    const { token, id, save } = await createBookmarkUser();
    await save(randomUUID(), 1, 'Camión');
    await sql`
      with removed as (delete from bookmark where user_id = ${id} returning *),
        stored as (select to_jsonb(removed) - 'search_note' as "row" from removed)
      insert into bookmark select (jsonb_populate_record(null::bookmark, "row")).* from stored`.execute(db);
    expect((await findAll(token, { q: 'camion' })).totalDocs).toBe(1);
  });

  it('are listed without normalizing any text when nothing is searched', async () => {
    const { id } = await createBookmarkUser();
    const findStatements = async (text: string) => {
      const statements: string[] = [];
      const recorded = db.withPlugin({
        transformQuery({ node }) {
          statements.push(JSON.stringify(node));
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await createBookmarkRepository(recorded).findPage(id, text, { page: 1, limit: 20 });
      return statements.join();
    };
    expect(await findStatements('cat')).toContain('search_text');
    expect(await findStatements('')).not.toContain('search_text');
  });

  it('[PLAY-04] have URLs only of tracks that the user may play', async () => {
    const { token, save } = await createBookmarkUser();
    await save(randomUUID(), 1, '', 'night-ferry');
    clock.advance(1);
    await save(randomUUID(), 1);
    expect((await findAll(token)).docs.map(({ track }) => track.url !== null)).toEqual([false, true]);
  });

  it('[PLAY-05] are those of the user only', async () => {
    const [one, two] = [await createBookmarkUser(), await createBookmarkUser()];
    await one.save(randomUUID(), 2, 'mine');
    expect(await findAll(two.token)).toEqual({ docs: [], totalDocs: 0 });
  });
});
