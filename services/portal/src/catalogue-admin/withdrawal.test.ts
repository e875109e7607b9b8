import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { type CatalogueAdmin, importContent } from '../content.ts';
import type { MediaStore } from '../media/media-store.ts';
import { loadLibrary as loadLibraryInto } from '../seed.ts';
import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';
import { copyRecording, markdown, write } from '../testing/recordings.ts';

const adminTest = await startCatalogueAdminTest();
const {
  db,
  call,
  send,
  connection,
  store,
  clock,
  paths,
  playlistId,
  loadLibrary,
  root,
  log,
  warnings,
  administer,
  waitForBlockedTransactions,
  ana,
  ferry,
} = adminTest;
const sent = { params: { id: ferry } };

/** Creates Ana's data about the ferry: progress, a playlist, a favourite and a bookmark. */
async function useFerryAsAna() {
  const device = crypto.randomUUID();
  const entry = { track: ferry, position: 50, device, sequence: 1, cause: 'pause' as const };
  await call(api.listening.saveProgress, ana.token, { body: entry });
  await adminTest.insertPlaylist(ana.id, 'My evenings', ['green-door', 'night-ferry', 'el-gato']);
  await adminTest.insertPlaylist(ana.id, 'default', ['night-ferry'], 'auto');
  await sql`insert into bookmark (user_id, id, article_id, position, note, created_at)
    values (${ana.id}, gen_random_uuid(), ${ferry}, 12, 'Here.', ${clock.now()})`.execute(db);
}

/** Returns what Ana sees of the ferry in each list. */
async function findTraces() {
  const tracks = async (id: string) => {
    const { docs, totalDocs } = await call(api.playlists.findPlaylistContent, ana.token, {
      params: { id },
      query: {},
    });
    return [docs.map(({ _id, title }) => (_id === ferry ? 'FERRY' : title)), totalDocs];
  };
  const own = await db
    .selectFrom('playlist')
    .select(['id', 'total_tracks', 'total_duration'])
    .where('owner_id', '=', ana.id)
    .orderBy('name')
    .execute();
  const { docs: started } = await call(api.listening.findContinueListening, ana.token, { query: {} });
  const { docs: found } = await call(api.catalogue.search, ana.token, { query: { q: 'ferry' } });
  const bookmarks = await sql`select position, note from bookmark where user_id = ${ana.id}`.execute(db);
  return {
    bookmarks: bookmarks.rows,
    latest: await tracks(playlistId('latest')),
    own: await Promise.all(
      own.map(async ({ id, total_tracks, total_duration }) => [
        await tracks(id),
        total_tracks,
        total_duration,
      ]),
    ),
    progress: started.map(({ _id, progress }) => [_id, progress]),
    found: found.map(({ track }) => track._id),
    page: (await send(api.catalogue.findArticle, { token: ana.token, ...sent })).statusCode,
    audio: (await send(api.listening.grantAudio, { token: ana.token, ...sent })).statusCode,
  };
}

describe('[CAT-10] unpublishing', () => {
  it('hides an article in lists, progress, bookmarks and search; publishing restores them', async () => {
    await useFerryAsAna();
    const before = await findTraces();
    expect(before).toMatchObject({ page: 200, audio: 200, progress: [[ferry, 50]], found: [ferry] });
    expect(before.bookmarks).toHaveLength(1);

    await administer((admin) => admin.unpublish('night-ferry'));
    const unpublished = await findTraces();
    expect(JSON.stringify(unpublished)).not.toContain('FERRY');
    expect(unpublished).toMatchObject({ page: 404, audio: 404, progress: [], found: [], bookmarks: [] });
    expect(unpublished.own).toMatchObject([
      [[['The green-door', 'The el-gato'], 2], 2, 201],
      [[[], 0], 0, 0],
    ]);

    await administer((admin) => admin.publish('night-ferry'));
    expect(await findTraces()).toEqual(before);
  });

  it.each<[string, (admin: CatalogueAdmin) => Promise<unknown>]>([
    ['edited', (admin: CatalogueAdmin) => admin.editArticle('night-ferry', { level: 'B2' })],
    ['unpublished again', (admin: CatalogueAdmin) => admin.unpublish('night-ferry')],
    ['placed in a playlist', (admin: CatalogueAdmin) => admin.prependToPlaylist('travel', ['night-ferry'])],
  ])('an unpublished article cannot be %s, with the reason', async (_, change) => {
    await administer((admin) => admin.unpublish('night-ferry'));
    await expect(administer(change)).rejects.toThrow('night-ferry is unpublished or removed');
    await administer((admin) => admin.publish('night-ferry'));
  });

  it('[PLAY-05] publishing restores no bookmark that was deleted since', async () => {
    await useFerryAsAna();
    const { docs } = await call(api.bookmarks.findBookmarks, ana.token, { query: { track: ferry } });
    const params = { id: docs[0]?._id };
    await administer((admin) => admin.unpublish('night-ferry'));
    const other = await adminTest.createUser();
    const remove = async ({ token }: { token: string }) =>
      (await send(api.bookmarks.deleteBookmark, { token, params })).statusCode;
    expect([await remove(other), await remove(ana), await remove(ana)]).toEqual([404, 200, 404]);
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findTraces()).bookmarks).toEqual([]);
  });

  it('[CAT-05] publishing restores nothing removed from the history since', async () => {
    await useFerryAsAna();
    const findHistory = async () => (await call(api.listening.findHistory, ana.token, { query: {} })).docs;
    const listed = await findHistory();
    const params = { id: ferry };
    const { removeFromHistory, restoreToHistory } = api.listening;
    const change = async (endpoint: typeof removeFromHistory | typeof restoreToHistory, token = ana.token) =>
      (await send(endpoint, { token, params })).statusCode;
    await administer((admin) => admin.unpublish('night-ferry'));
    const other = await adminTest.createUser();
    expect(await change(removeFromHistory, other.token)).toBe(404);
    expect([await change(removeFromHistory), await change(removeFromHistory)]).toEqual([200, 404]);
    await administer((admin) => admin.publish('night-ferry'));
    expect(await findHistory()).toEqual([]);
    await administer((admin) => admin.unpublish('night-ferry'));
    expect(await change(restoreToHistory)).toBe(200);
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findHistory()).map(({ _id }) => _id)).toEqual(listed.map(({ _id }) => _id));
  });

  it('[LIST-06] publishing restores no track removed from playlists since', async () => {
    await useFerryAsAna();
    const { docs } = await call(api.playlists.findPlaylists, ana.token, {
      query: { filter: JSON.stringify({ origin: 'user' }) },
    });
    const body = { _id: docs[0]?._id ?? '', 'articles.removed': ferry };
    await administer((admin) => admin.unpublish('night-ferry'));
    const other = await adminTest.createUser();
    const unlike = async ({ token }: { token: string }) =>
      (await send(api.playlists.removeFavourite, { token, ...sent })).statusCode;
    expect([await unlike(other), await unlike(ana), await unlike(ana)]).toEqual([404, 200, 404]);
    await call(api.playlists.changePlaylist, ana.token, { body });
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findTraces()).own).toMatchObject([
      [[['The green-door', 'The el-gato'], 2], 2, 201],
      [[[], 0], 0, 0],
    ]);
  });

  it('is not undone by the next load, which logs no missing articles', async () => {
    await administer((admin) => admin.unpublish('night-ferry'));
    warnings.length = 0;
    expect((await loadLibrary(log)).unchanged).not.toContain('night-ferry');
    expect(warnings).toEqual([]);
    expect((await findTraces()).page).toBe(404);
    await administer((admin) => admin.publish('night-ferry'));
    await loadLibrary();
    expect((await findTraces()).latest).toMatchObject([
      ['FERRY', expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
      5,
    ]);
  });

  it('publishing restores the order of a system playlist that was loaded since', async () => {
    const { latest } = await findTraces();
    for (const slug of ['night-ferry', 'green-door', 'el-gato', 'long-walk']) {
      await administer((admin) => admin.unpublish(slug));
      await loadLibrary();
      await administer((admin) => admin.publish(slug));
      expect((await findTraces()).latest).toEqual(latest);
      await loadLibrary();
    }
  });

  it('publishing restores no track that was removed from playlists.json since', async () => {
    await administer((admin) => admin.unpublish('night-ferry'));
    const file = join(paths.content, 'playlists.json');
    const content = await readFile(file, 'utf8');
    await writeFile(file, content.replace('"night-ferry","green-door"', '"green-door"'));
    await loadLibrary();
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findTraces()).latest).toMatchObject([{ 0: 'The green-door' }, 4]);
    await writeFile(file, content);
  });

  it.each([
    ['green-door', 'el-gato'],
    ['el-gato', 'green-door'],
  ])('publishing %s restores it behind %s, which was placed since', async (unpublished, placed) => {
    const place = (slug: string) => administer((admin) => admin.prependToPlaylist('latest', [slug]));
    await place(unpublished);
    await administer((admin) => admin.unpublish(unpublished));
    await place(placed);
    await administer((admin) => admin.publish(unpublished));
    const { latest } = await findTraces();
    expect(latest).toMatchObject([
      [`The ${placed}`, `The ${unpublished}`, 'FERRY', 'The long-walk', 'The picture-book'],
      5,
    ]);
  });

  it('is not undone by a load that runs already', async () => {
    await writeFile(join(paths.content, 'library/night-ferry/cover-320.avif'), 'another cover');
    const mediaStore: MediaStore = {
      ...store,
      async put(key, source) {
        await administer((admin) => admin.unpublish('night-ferry'));
        return store.put(key, source);
      },
    };
    const options = { connection, mediaStore, directory: paths.content, log };
    expect(await loadLibraryInto(options)).toMatchObject({ loaded: [], failed: [] });
    expect((await findTraces()).page).toBe(404);
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findTraces()).page).toBe(200);
  });

  it('keeps what a user changes at the same time', async () => {
    await useFerryAsAna();
    const { unpublishing } = await db.transaction().execute(async (transaction) => {
      await sql`update bookmark set note = 'Changed.' where article_id = ${ferry}`.execute(transaction);
      const unpublishing = administer((admin) => admin.unpublish('night-ferry'));
      await waitForBlockedTransactions(1);
      return { unpublishing };
    });
    await unpublishing;
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findTraces()).bookmarks).toMatchObject([{ note: 'Changed.' }]);
  });

  it('refuses with 404 what refers to an article that is unpublished at the same time', async () => {
    await useFerryAsAna();
    const { unpublishing, saving } = await db.transaction().execute(async (transaction) => {
      await sql`update bookmark set note = '' where article_id = ${ferry}`.execute(transaction);
      const unpublishing = administer((admin) => admin.unpublish('night-ferry'));
      await waitForBlockedTransactions(1);
      const saving = send(api.bookmarks.saveBookmark, {
        token: ana.token,
        params: { id: crypto.randomUUID() },
        body: { track: ferry, position: 1, note: '' },
      });
      const sent = saving.then((response) => response);
      await waitForBlockedTransactions(2);
      return { unpublishing, saving: sent };
    });
    await unpublishing;
    expect((await saving).statusCode).toBe(404);
  });

  it('publishing again does not bring a cleared history back', async () => {
    await useFerryAsAna();
    await administer((admin) => admin.unpublish('night-ferry'));
    await call(api.listening.clearHistory, ana.token, {});
    await administer((admin) => admin.publish('night-ferry'));
    expect((await call(api.listening.findHistory, ana.token, { query: {} })).docs).toEqual([]);
  });

  it('publishing while other articles are placed and playlists are hidden is no deadlock', async () => {
    for (let round = 0; round < 8; round += 1) {
      await administer((admin) => admin.unpublish('night-ferry'));
      await Promise.all([
        administer((admin) => admin.publish('night-ferry')),
        administer((admin) => admin.prependToPlaylist('latest', ['el-gato', 'green-door'])),
        administer((admin) => admin.setPlaylistActive('latest', true)),
      ]);
    }
    expect((await findTraces()).page).toBe(200);
  });

  it('keeps the listening events of users', async () => {
    await useFerryAsAna();
    await administer((admin) => admin.unpublish('night-ferry'));
    const { length } = await db
      .selectFrom('listening_event')
      .select('sequence')
      .where('user_id', '=', ana.id)
      .execute();
    expect(length).toBe(1);
  });

  it('refuses progress in an unpublished article with 404', async () => {
    await administer((admin) => admin.unpublish('night-ferry'));
    const entry = { track: ferry, position: 50, device: crypto.randomUUID(), sequence: 1, cause: 'pause' };
    const { statusCode } = await send(api.listening.saveProgress, { token: ana.token, body: entry });
    expect(statusCode).toBe(404);
  });

  it('publishing does not restore what was deleted in the meantime', async () => {
    await useFerryAsAna();
    const bea = await adminTest.createUser({ subscribed: true });
    await adminTest.insertPlaylist(bea.id, 'Of Bea alone', ['night-ferry']);
    await administer((admin) => admin.unpublish('night-ferry'));
    await db.deleteFrom('users').where('id', '=', bea.id).execute();
    await db.deleteFrom('playlist').where('name', '=', 'My evenings').execute();
    const { rows } = await sql`select from withdrawn_row where user_id = ${bea.id}`.execute(db);
    expect(rows).toEqual([]);
    await administer((admin) => admin.publish('night-ferry'));
    expect((await findTraces()).own).toHaveLength(1);
  });

  it('unpublishes and publishes a track with any number of listeners', async () => {
    await useFerryAsAna();
    await sql`create function time_out() returns trigger language plpgsql as $$
      begin
        if current_setting('statement_timeout') <> '0' then raise query_canceled; end if;
        return null;
      end $$`.execute(db);
    await sql`create trigger time_out after insert or delete on listening_progress
      for each statement execute function time_out()`.execute(db);
    try {
      await administer((admin) => admin.unpublish('night-ferry'));
      await administer((admin) => admin.publish('night-ferry'));
    } finally {
      await sql`drop function time_out() cascade`.execute(db);
    }
    expect((await findTraces()).progress).toHaveLength(1);
  });

  it('stores the rows of every table that refers to the article or can rebuild them', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.conrelid::regclass::text as name from pg_constraint c
      where c.contype = 'f' and c.confrelid = 'portal.article'::regclass`.execute(db);
    const referring = rows.map(({ name }) => name.replace('portal.', ''));
    expect(referring).toEqual(
      expect.arrayContaining(['sentence', 'playlist_item', 'listening_progress', 'search_document']),
    );
    await useFerryAsAna();
    await administer((admin) => admin.unpublish('night-ferry'));
    const stored = await db
      .selectFrom('withdrawn_row')
      .select('table_name')
      .distinct()
      .orderBy('table_name')
      .execute();
    expect(stored.map(({ table_name }) => table_name)).toEqual([
      'article',
      'bookmark',
      'listening_progress',
      'playlist_item',
      'sentence',
    ]);
  });
});

it.each([
  ['published', 'bookmark'],
  ['unpublished', 'withdrawn_row'],
])('[SHELL-03] the export has each note once, and the title of a track that is %s', async (state, table) => {
  const body = { track: ferry, position: 12, note: 'Canción.' };
  await call(api.bookmarks.saveBookmark, ana.token, { params: { id: crypto.randomUUID() }, body });
  if (state === 'unpublished') await administer((admin) => admin.unpublish('night-ferry'));
  const { records, articleTitles } = await call(api.account.exportAccount, ana.token, {});
  expect(records[table]).toMatchObject([{ article_id: ferry }]);
  expect(JSON.stringify(records).match(/canci[oó]n/gi)).toEqual(['Canción']);
  expect(articleTitles).toEqual({ [ferry]: 'The night-ferry' });
});

describe('[CAT-10] removing', () => {
  it.each([false, true])(
    'deletes the rows of the article only (unpublished before: %s)',
    async (isUnpublished) => {
      await loadLibrary();
      await useFerryAsAna();
      await administer(async (admin) => {
        if (isUnpublished) await admin.unpublish('night-ferry');
        return admin.remove('night-ferry');
      });
      expect(await findTraces()).toMatchObject({ page: 404, progress: [], found: [] });
      expect(await db.selectFrom('withdrawn_row').select('table_name').execute()).toEqual([]);
      expect(
        await db.selectFrom('sentence').select('number').where('article_id', '=', ferry).execute(),
      ).toEqual([]);

      expect((await loadLibrary()).loaded).toEqual([]);
      await administer((admin) => admin.publish('night-ferry'));
      expect((await loadLibrary()).loaded).toEqual(['night-ferry']);
      expect((await findTraces()).page).toBe(200);
    },
  );

  const importFolder = (source: string) =>
    importContent({
      connection,
      mediaStore: store,
      source,
      metadata: { language: 'en' },
      scratchFolder: join(root, 'scratch'),
    });

  it('a removed article is not imported again', async () => {
    const folder = join(root, 'recordings');
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    const [added] = (await importFolder(folder)).added;
    const slug = added?.slug ?? '';
    await administer((admin) => admin.remove(slug));
    const narrators = await db.selectFrom('narrator').select('name').where('name', '=', 'Ada').execute();
    expect(narrators).toEqual([]);
    expect(await importFolder(folder)).toMatchObject({ added: [], withdrawn: 1 });
    await administer((admin) => admin.publish(slug));
    expect((await importFolder(folder)).added).toHaveLength(1);
    await administer((admin) => admin.remove(slug));
  });

  it('an unpublished article is not imported again after its recording moved', async () => {
    const folder = join(root, 'before');
    await copyRecording('constant.mp3', join(folder, 'tones.mp3'));
    await write(folder, 'tones.md', markdown);
    const [added] = (await importFolder(folder)).added;
    const slug = added?.slug ?? '';
    await administer((admin) => admin.unpublish(slug));
    const moved = join(root, 'moved');
    await rename(folder, moved);
    expect(await importFolder(moved)).toMatchObject({ added: [], withdrawn: 1 });
    await administer((admin) => admin.publish(slug));
    expect(await importFolder(moved)).toMatchObject({ added: [], withdrawn: 0, unchanged: 1 });
    await administer((admin) => admin.remove(slug));
  });
});
