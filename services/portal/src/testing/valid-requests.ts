import { randomUUID } from 'node:crypto';
import { api, type Endpoint } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { createProof, startFakeGateway } from './fakes/operator-gateway.ts';
import { type Request, startPortal } from './portal.ts';

export type ValidRequest = [name: string, target: Endpoint, request: Request];

export const locations = ['params', 'query', 'body'] as const;
export type Location = (typeof locations)[number];

/** Starts a portal with two users and their data, and returns a valid request to each endpoint. */
export async function startRequestTest() {
  // The stream of notifications ends at once, so that it can be requested like the other endpoints.
  const { gateways, subscribers } = await startFakeGateway();
  const portal = await startPortal({
    streams: { perUser: 100, total: 100, heartbeatMs: 5, maxHeartbeats: 1 },
    operators: { gateways },
  });
  const {
    send,
    createUser,
    issuer,
    log,
    secret,
    articleId,
    playlistId,
    insertPlaylist,
    tableChecksums,
    clock,
  } = portal;
  const me = await createUser({ subscribed: true });
  const other = await createUser({ subscribed: true });
  const leaver = await createUser();
  const myPlaylist = await insertPlaylist(me.id, 'Mine alone', ['el-gato']);
  const unwanted = await insertPlaylist(me.id, 'Mine no more', ['el-gato']);
  const othersPlaylist = await insertPlaylist(other.id, 'Not yours at all', ['el-gato']);
  const othersFavourites = await insertPlaylist(other.id, 'default', ['el-gato'], 'auto');
  const idToken = await issuer.id(me.subject, {
    claims: { email: me.email, given_name: 'Ana', family_name: 'Ruiz' },
  });

  const msisdn = '51930000001';
  subscribers.set(msisdn, { id: 'rosa', msisdn, status: 'active' });
  const proof = createProof(clock, { platform: 'bitel', msisdn });

  const progressEntry = {
    track: articleId('el-gato'),
    device: randomUUID(),
    sequence: 1,
    position: 10,
    cause: 'pause',
    at: '2026-11-20T09:00:00.000Z',
  };
  const bookmark = randomUUID();
  await send(api.listening.saveProgress, { token: me.token, body: progressEntry });

  /** A valid request to each endpoint. */
  const validRequests: ValidRequest[] = [
    ['sign-in', api.auth.signInCognito, { body: { idToken } }],
    ['me', api.auth.me, {}],
    ['sign-out', api.auth.signOut, {}],
    ['export account', api.account.exportAccount, {}],
    ['delete account', api.account.deleteAccount, {}],
    ['security events', api.securityEvents.findSecurityEvents, { query: { after: randomUUID(), limit: 5 } }],
    ['operator sign-in', api.operators.signInThirdParties, { body: { platform: 'bitel', msisdn, proof } }],
    [
      'deletion by an operator’s link',
      api.operators.deleteAccountByLink,
      { body: { platform: 'bitel', msisdn, proof: createProof(clock, { platform: 'bitel', msisdn }) } },
    ],
    ['discover', api.catalogue.discover, {}],
    ['article', api.articles.findArticle, { params: { id: articleId('el-gato') } }],
    ['read', api.articles.readArticle, { params: { id: articleId('el-gato') } }],
    [
      'articles',
      api.articles.findArticles,
      { query: { level: 'B1', language: 'en', after: articleId('el-gato'), limit: 5 } },
    ],
    ['articles of a kind', api.articles.findArticles, { query: { kind: 'audiobook' } }],
    ['articles of a topic', api.articles.findArticles, { query: { topic: 'travel' } }],
    ['articles of a narrator', api.articles.findArticles, { query: { narrator: 'Amelia' } }],
    ['browse', api.articles.browse, { query: { language: 'es' } }],
    ['showcase', api.visitors.findShowcase, { query: { language: 'es' } }],
    ['preview', api.visitors.findPreview, { params: { id: articleId('el-gato') } }],
    [
      'search',
      api.search.search,
      {
        query: {
          q: 'door',
          language: 'en',
          level: 'B1',
          kind: 'article',
          topic: 'travel',
          length: 'short',
          page: 1,
          limit: 5,
        },
      },
    ],
    ['save progress', api.listening.saveProgress, { body: progressEntry }],
    ['continue listening', api.listening.findContinueListening, { query: { page: 1, limit: 5 } }],
    ['history', api.history.findHistory, { query: { page: 1, limit: 5 } }],
    ['remove from history', api.history.removeFromHistory, { params: { id: articleId('el-gato') } }],
    ['restore to history', api.history.restoreToHistory, { params: { id: articleId('el-gato') } }],
    ['clear history', api.history.clearHistory, {}],
    ['statistics', api.history.findStatistics, { query: { timeZone: 'America/Lima' } }],
    ['remove from continue', api.listening.removeContinueListening, { params: { id: articleId('el-gato') } }],
    [
      'audio',
      api.listening.grantAudio,
      { params: { id: articleId('el-gato') }, query: { playlist: playlistId('latest') } },
    ],
    ['playlist', api.playlists.findPlaylist, { params: { id: playlistId('latest') } }],
    [
      'playlists',
      api.playlists.findPlaylists,
      { query: { page: 1, limit: 5, filter: '{"origin":"user"}', sorter: '{"_created_at":-1}' } },
    ],
    [
      'playlist content',
      api.playlists.findPlaylistContent,
      { params: { id: playlistId('latest') }, query: { page: 1, limit: 5 } },
    ],
    [
      'create playlist',
      api.playlists.createPlaylist,
      {
        body: {
          name: 'Walks at noon',
          origin: 'user',
          active: 'true',
          'articles.added': [articleId('el-gato')],
        },
      },
    ],
    [
      'change playlist',
      api.playlists.changePlaylist,
      {
        body: {
          _id: myPlaylist,
          name: 'Walks at night',
          origin: 'user',
          active: 'true',
          'articles.added': articleId('long-walk'),
          'articles.removed': articleId('green-door'),
          'articles.moved': `${articleId('long-walk')}:`,
        },
      },
    ],
    ['add favourite', api.favourites.addFavourite, { params: { id: articleId('el-gato') } }],
    ['remove favourite', api.favourites.removeFavourite, { params: { id: articleId('el-gato') } }],
    ['bookmarks', api.bookmarks.findBookmarks, { query: { track: articleId('el-gato') } }],
    ['all bookmarks', api.bookmarks.findAllBookmarks, { query: { q: 'cat', page: 1, limit: 5 } }],
    [
      'save bookmark',
      api.bookmarks.saveBookmark,
      {
        params: { id: bookmark },
        body: {
          track: articleId('el-gato'),
          position: 1,
          note: 'here',
          createdAt: '2026-11-01T10:00:00.000Z',
        },
      },
    ],
    ['delete bookmark', api.bookmarks.deleteBookmark, { params: { id: bookmark } }],
    ['settings', api.settings.findSettings, {}],
    [
      'change settings',
      api.settings.changeSettings,
      {
        body: {
          firstName: 'Ana',
          lastName: 'Ruiz',
          language: 'es',
          theme: 'dark',
          level: 'B1',
          learningLanguage: 'en',
        },
      },
    ],
    ['subscription', api.subscription.findSubscription, {}],
    ['cancel', api.subscription.cancelSubscription, {}],
    ['resume', api.subscription.resumeSubscription, {}],
    ['change plan', api.subscription.changePlan, { body: { product: 'monthly' } }],
    ['pay renewal', api.subscription.payRenewal, {}],
    ['create card setup', api.subscription.createCardSetup, {}],
    ['replace card', api.subscription.replaceCard, { body: { setup: 'seti_1' } }],
    ['create purchase token', api.subscription.createPurchaseToken, {}],
    ['receipts', api.subscription.findReceipts, {}],
    ['delete playlist', api.playlists.deletePlaylist, { params: { id: unwanted } }],
    ['restore playlist', api.playlists.restorePlaylist, { params: { id: unwanted } }],
    [
      'notifications',
      api.notifications.findNotifications,
      { query: { page: 1, limit: 5, filter: '{}', sorter: '{"createdAt":1}' } },
    ],
    ['notification stream', api.notifications.streamNotifications, {}],
  ];

  /** Returns a request of the first user with another value in a field. */
  const setField = (request: Request, location: Location, field: string, value: unknown): Request => ({
    ...request,
    token: me.token,
    [location]: { ...Object(request[location]), [field]: value },
  });

  /** Runs the work and expects that no table has changed. */
  async function expectNoChange(work: () => Promise<void>): Promise<void> {
    const before = await tableChecksums();
    await work();
    expect(await tableChecksums()).toEqual(before);
  }

  /** Defines the tests of the log of a file's requests. Call it at the end of the file. */
  function testLog(): void {
    describe('the log', () => {
      it('[API-03] has every request, but no token, signature, query or secret', async () => {
        const text = log.join('');
        expect(text).toContain('/api/auth/sign-in-cognito');
        const forgeries = Object.values(await issuer.forgeries(me.subject)).map(({ token }) => token);
        const secrets = [
          me.token,
          idToken,
          other.token,
          secret,
          'signature=',
          'filter=',
          me.email,
          ...forgeries,
        ];
        for (const hidden of secrets.filter((hidden) => hidden !== '')) expect(text).not.toContain(hidden);
        for (const segment of me.token.split('.')) expect(text).not.toContain(segment);
        expect(text).not.toContain('drop table');
      });

      it('[API-03] has no server error', () => {
        const failures = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
        expect(failures).toEqual([]);
      });
    });
  }

  return {
    ...portal,
    me,
    other,
    leaver,
    idToken,
    msisdn,
    proof,
    progressEntry,
    myPlaylist,
    othersPlaylist,
    othersFavourites,
    validRequests,
    setField,
    expectNoChange,
    testLog,
  };
}
