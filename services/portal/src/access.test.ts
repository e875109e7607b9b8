import { randomUUID } from 'node:crypto';
import { api, type Endpoint } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import type { Request } from './testing/portal.ts';
import { locations, startRequestTest } from './testing/request-test.ts';

const requestTest = await startRequestTest();
const {
  app,
  send,
  issuer,
  articleId,
  me,
  other,
  leaver,
  progressEntry,
  myPlaylist,
  othersPlaylist,
  othersFavourites,
  validRequests,
  setField,
  expectNoChange,
} = requestTest;

describe('valid requests', () => {
  it.each(validRequests)('[API-01] %s succeeds', async (_name, target, request) => {
    const { token } = target === api.account.deleteAccount ? leaver : me;
    expect((await send(target, { ...request, token })).statusCode).toBe(200);
  });

  it('cover every endpoint of the contracts', () => {
    const all = Object.values(api).flatMap((noun) => Object.values(noun));
    expect(new Set(validRequests.map(([, target]) => target))).toEqual(new Set(all));
  });

  it.each([
    ['GET', `/playlist/find-by-id/${randomUUID()}`],
    ['GET', '/playlist/find-paginated'],
    ['GET', `/playlist/find-playlist-content/${randomUUID()}`],
    ['POST', '/playlist'],
    ['PUT', '/playlist'],
    ['DELETE', `/playlist/${randomUUID()}`],
    ['GET', '/notifications/find-paginated'],
    ['POST', '/auth/sign-in-cognito'],
  ] as const)('[API-01] %s %s is at the specified path, for signed-in users only', async (method, url) => {
    expect((await app.inject({ method, url: `/api${url}` })).statusCode).toBe(401);
  });
});

describe('unauthenticated requests', async () => {
  const forgeries = await issuer.forgeries(me.subject);

  const userRequests = validRequests.filter(([, { access }]) => access === 'user');
  it.each(userRequests)(
    '[API-02] %s refuses every invalid token and changes nothing',
    async (_name, target, request) => {
      await expectNoChange(async () => {
        for (const [kind, { token, code }] of Object.entries(forgeries)) {
          const response = await send(target, { ...request, token });
          expect([kind, response.statusCode, response.json().error.code]).toEqual([kind, 401, code]);
        }
        const without = await send(target, request);
        expect([without.statusCode, without.json().error.code]).toEqual([401, 'unauthorized']);
      });
    },
  );

  it.each([
    ['playlist', api.playlists.findPlaylist, { params: { id: othersPlaylist } }],
    ['playlist content', api.playlists.findPlaylistContent, { params: { id: othersPlaylist } }],
    ['playlist to rename', api.playlists.changePlaylist, { body: { _id: othersPlaylist, name: 'Mine now' } }],
    [
      'playlist to add a track to',
      api.playlists.changePlaylist,
      { body: { _id: othersPlaylist, 'articles.added': articleId('long-walk') } },
    ],
    [
      'playlist to remove a track from',
      api.playlists.changePlaylist,
      { body: { _id: othersPlaylist, 'articles.removed': articleId('el-gato') } },
    ],
    ['playlist to delete', api.playlists.deletePlaylist, { params: { id: othersPlaylist } }],
    ['playlist to restore', api.playlists.restorePlaylist, { params: { id: othersPlaylist } }],
    ['change by a user’s id', api.playlists.changePlaylist, { body: { _id: other.id, name: 'Mine now' } }],
    ['deletion by a user’s id', api.playlists.deletePlaylist, { params: { id: other.id } }],
    [
      'new playlist with a user’s id in it',
      api.playlists.createPlaylist,
      { body: { name: 'Mine now', 'articles.added': other.id } },
    ],
    [
      'change with a user’s id in it',
      api.playlists.changePlaylist,
      { body: { _id: myPlaylist, 'articles.added': other.id } },
    ],
    ['playlist by a user’s id', api.playlists.findPlaylist, { params: { id: other.id } }],
    ['page by a user’s id', api.catalogue.readArticle, { params: { id: other.id } }],
    ['article by a user’s id', api.catalogue.findArticle, { params: { id: other.id } }],
    ['favourite added by a user’s id', api.playlists.addFavourite, { params: { id: other.id } }],
    ['favourite removed by a user’s id', api.playlists.removeFavourite, { params: { id: other.id } }],
    ['history by a user’s id', api.listening.removeFromHistory, { params: { id: other.id } }],
    ['audio by a user’s id', api.listening.grantAudio, { params: { id: other.id } }],
    ['progress in a user’s id', api.listening.saveProgress, { body: { ...progressEntry, track: other.id } }],
  ] as [string, Endpoint, Request][])(
    '[LIST-07] another’s %s is not found',
    async (_name, target, request) => {
      await expectNoChange(async () => {
        const response = await send(target, { ...request, token: me.token });
        expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
      });
    },
  );
});

describe('another user’s ids', () => {
  const otherIds = { self: other.id, playlist: othersPlaylist, favourites: othersFavourites };
  const all = Object.entries(otherIds);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  // Clients choose the ids of devices and bookmarks; removing an absent track is no error; a playlist as the source of
  // playback gives no access (PLAY-04); a list of an unknown track is empty.
  const harmless = ['body.device', 'body.articles.removed', 'query.after', 'query.playlist', 'query.track'];
  const clientChosenId = api.bookmarks.saveBookmark;
  const requestsWithOtherIds = validRequests.flatMap(([name, target, request]) =>
    locations.flatMap((location) =>
      Object.entries(Object(request[location]))
        .filter(([field, value]) => isId.test(String(value)) && !harmless.includes(`${location}.${field}`))
        .filter(([field]) => target !== clientChosenId || field !== 'id')
        .flatMap(([field]) =>
          all.map(([whose, id]) => ({
            name,
            target,
            whose,
            path: `${location}.${field}`,
            request: setField(request, location, field, id),
          })),
        ),
    ),
  );

  it.each(requestsWithOtherIds)(
    '[LIST-07] $name: $path, another’s $whose, is not found',
    async ({ target, request }) => {
      await expectNoChange(async () => {
        const response = await send(target, request);
        expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found']);
      });
    },
  );

  const paths = [...new Set(validRequests.map(([, { path }]) => path))].filter((path) => path.includes(':'));
  it.each(paths)('[LIST-07] %s: no method reads or changes them', async (path) => {
    const headers = { authorization: `Bearer ${me.token}` };
    await expectNoChange(async () => {
      for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const) {
        for (const [whose, id] of all) {
          const url = `/api${path.replace(/:\w+/g, id)}`;
          if (path === clientChosenId.path && method === clientChosenId.method) continue;
          const { statusCode } = await app.inject({ method, url, headers });
          expect([method, whose, [404, 405].includes(statusCode)]).toEqual([method, whose, true]);
        }
      }
    });
  });

  it.each(validRequests.filter(([, { method }]) => method === 'GET'))(
    '[LIST-07] %s contains none of them',
    async (...call) => {
      const [, target, request] = call;
      const { body } = await send(target, { ...request, token: me.token });
      for (const [, id] of all) expect(body).not.toContain(id);
    },
  );
});

requestTest.testLog();
