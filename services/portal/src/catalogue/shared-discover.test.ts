import { api, type ResponseBody, type Track } from '@escucho/contracts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startCatalogueAdminTest } from '../testing/catalogue-admin.ts';

type Discover = ResponseBody<typeof api.catalogue.discover>;

const { app, startOtherProcess, call, createUser, administer, ana, ferry, articleId, playlistId, db, clock } =
  await startCatalogueAdminTest();
const processes = [app, await startOtherProcess()];

/** Returns the ferry’s title in each row of Discover that has it, as each process responds. */
async function findTitles() {
  const responses = await Promise.all(
    processes.map((one) =>
      one.inject({ url: '/api/catalogue/discover', headers: { authorization: `Bearer ${ana.token}` } }),
    ),
  );
  return responses.map((response) =>
    response
      .json<Discover>()
      .rows.flatMap(({ tracks }) => tracks.filter(({ _id }) => _id === ferry).map(({ title }) => title)),
  );
}

const everywhere = (title: string) => [
  [title, title],
  [title, title],
];

it('[CAT-10] Discover follows editing, unpublishing and publishing at once in every process', async () => {
  expect(await findTitles()).toEqual(everywhere('The night-ferry'));
  await administer((admin) => admin.editArticle('night-ferry', { title: 'The day-ferry' }));
  expect(await findTitles()).toEqual(everywhere('The day-ferry'));
  await administer((admin) => admin.unpublish('night-ferry'));
  expect(await findTitles()).toEqual([[], []]);
  await administer((admin) => admin.publish('night-ferry'));
  expect(await findTitles()).toEqual(everywhere('The day-ferry'));
});

it('[CAT-10] Discover follows changes of a system playlist at once in every process', async () => {
  await findTitles();
  const travel = playlistId('travel');
  await db
    .deleteFrom('playlist_item')
    .where('playlist_id', '=', travel)
    .where('article_id', '=', ferry)
    .execute();
  expect(await findTitles()).toEqual([['The night-ferry'], ['The night-ferry']]);
  await administer((admin) => admin.prependToPlaylist('travel', ['night-ferry']));
  expect(await findTitles()).toEqual(everywhere('The night-ferry'));
  await administer((admin) => admin.setPlaylistActive('travel', false));
  expect(await findTitles()).toEqual([['The night-ferry'], ['The night-ferry']]);
  await administer((admin) => admin.setPlaylistActive('travel', true));
});

it.each([
  ['a page of a list', '/api/catalogue/articles?limit=100'],
  ['a search', '/api/catalogue/search?q=ferry&limit=100'],
  ['a system playlist', `/api/playlist/find-playlist-content/${playlistId('latest')}?limit=100`],
])('[CAT-10] %s follows editing and own progress at once in every process', async (_, url) => {
  const other = await createUser({ subscribed: true });
  const find = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const responses = await Promise.all(processes.map((one) => one.inject({ url, headers })));
    return responses.map((response) => {
      const { docs } = response.json<{ docs: (Track | { track: Track })[] }>();
      const tracks = docs.map((doc) => ('track' in doc ? doc.track : doc));
      const { title, progress, like, url: audio } = tracks.find(({ _id }) => _id === ferry) ?? {};
      return { title, progress, like, isLocked: audio === null };
    });
  };
  const shown = { title: 'A ferry', progress: 0, like: false, isLocked: false };
  await find(other.token);
  await administer((admin) => admin.editArticle('night-ferry', { title: 'A ferry' }));
  expect(await find(other.token)).toEqual([shown, shown]);
  await call(api.playlists.addFavourite, other.token, { params: { id: ferry } });
  await call(api.listening.saveProgress, other.token, {
    body: { track: ferry, device: other.id, sequence: 1, position: 17, cause: 'tick' },
  });
  const own = { ...shown, progress: 17, like: true };
  expect(await find(other.token)).toEqual([own, own]);
  const third = await createUser({ subscribed: true });
  expect(await find(third.token)).toEqual([shown, shown]);
  await administer((admin) => admin.editArticle('night-ferry', { title: 'The night-ferry' }));
  expect(await find(third.token)).toEqual(Array(2).fill({ ...shown, title: 'The night-ferry' }));
});

it('[CAT-10] a system playlist is not found in any process while it is inactive', async () => {
  const url = `/api/playlist/find-playlist-content/${playlistId('travel')}`;
  const headers = { authorization: `Bearer ${ana.token}` };
  const findStatus = async () =>
    (await Promise.all(processes.map((one) => one.inject({ url, headers })))).map(
      ({ statusCode }) => statusCode,
    );
  expect(await findStatus()).toEqual([200, 200]);
  await administer((admin) => admin.setPlaylistActive('travel', false));
  expect(await findStatus()).toEqual([404, 404]);
  await administer((admin) => admin.setPlaylistActive('travel', true));
  expect(await findStatus()).toEqual([200, 200]);
});

it('changes of a user do not rebuild what all users see', async () => {
  const version = () => db.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow();
  const before = await version();
  const user = await createUser();
  await call(api.playlists.addFavourite, user.token, { params: { id: ferry } });
  await call(api.listening.saveProgress, user.token, {
    body: { track: ferry, device: user.id, sequence: 1, position: 9, cause: 'tick' },
  });
  expect(await version()).toEqual(before);
});

it('[CAT-02] Discover has each user’s own progress and favourites, at once', async () => {
  const other = await createUser({ subscribed: true });
  const findFerry = async (token: string) => {
    const { rows } = await call(api.catalogue.discover, token, {});
    return rows.flatMap(({ tracks }) => tracks.filter(({ _id }) => _id === ferry));
  };
  await findFerry(other.token);
  await call(api.playlists.addFavourite, ana.token, { params: { id: ferry } });
  const entry = { track: ferry, device: ana.id, sequence: 1, position: 31, cause: 'tick' as const };
  await call(api.listening.saveProgress, ana.token, { body: entry });
  const [own, others] = await Promise.all([findFerry(ana.token), findFerry(other.token)]);
  expect(own).toHaveLength(2);
  for (const track of own) expect(track).toMatchObject({ progress: 31, like: true });
  for (const track of others) expect(track).toMatchObject({ progress: 0, like: false });
  await call(api.playlists.removeFavourite, ana.token, { params: { id: ferry } });
  for (const track of await findFerry(ana.token)) expect(track).toMatchObject({ progress: 31, like: false });
});

it('[CAT-02] Discover has rows while the catalogue changes, as of the request', async () => {
  const edits = Array.from({ length: 5 }, (_, index) => index);
  await Promise.all([
    ...edits.map((index) =>
      sql`update article set title = ${`Edit ${index}`} where id = ${articleId('el-gato')}`.execute(db),
    ),
    ...edits.map(() => findTitles()),
  ]);
  const [{ title } = { title: '' }] = await db
    .selectFrom('article')
    .select('title')
    .where('id', '=', articleId('el-gato'))
    .execute();
  const { rows } = await call(api.catalogue.discover, ana.token, {});
  const shown = rows.flatMap(({ tracks }) => tracks.filter(({ _id }) => _id === articleId('el-gato')));
  expect(shown.map((track) => track.title)).toEqual(shown.map(() => title));
  expect(shown.length).toBeGreaterThan(0);
});

it('[PLAY-04] links of cached rows are renewed before they expire', async () => {
  const findExpiry = async () => {
    const { rows } = await call(api.catalogue.discover, ana.token, {});
    const urls = rows.flatMap(({ tracks }) =>
      tracks.map(({ url }) => new URL(url ?? '', 'http://portal.test')),
    );
    return Math.min(...urls.map(({ searchParams }) => Number(searchParams.get('expires'))));
  };
  await findExpiry();
  for (const seconds of [59, 600, 1800]) {
    clock.advance(seconds);
    const now = clock.now().getTime() / 1000;
    expect(await findExpiry()).toBeGreaterThan(now + 29 * 60);
  }
});
