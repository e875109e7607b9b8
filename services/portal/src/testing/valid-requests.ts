import { randomUUID } from 'node:crypto';
import { api, type Endpoint } from '@escucho/contracts';
import type { Request } from './portal.ts';

/** Who may send a request: everybody, each signed-in user, or the owner of its data; for others there is no such data. */
type RequestAccess = 'anyone' | 'user' | 'owner';

export type ValidRequest = [name: string, access: RequestAccess, target: Endpoint, request: Request];

/** What valid requests are made of. */
export interface RequestValues {
  idToken: string;
  /** The number of an operator's subscriber, with two proofs: each is used once. */
  msisdn: string;
  proof: string;
  deletionProof: string;
  article: string;
  secondArticle: string;
  thirdArticle: string;
  systemPlaylist: string;
  /** Playlists of the user. */
  playlist: string;
  unwantedPlaylist: string;
  bookmark: string;
  device: string;
  product: string;
}

/** Creates the first entry of a device's journal. */
export const createProgressEntry = ({ article, device }: Pick<RequestValues, 'article' | 'device'>) => ({
  track: article,
  device,
  sequence: 1,
  position: 10,
  cause: 'pause',
  at: '2026-11-20T09:00:00.000Z',
});

/**
 * Returns a valid request to each endpoint, and who may send it. The tests of validation and rate limits of the portal derive
 * theirs from it, and those of access to the whole product.
 */
export function createValidRequests(values: RequestValues): ValidRequest[] {
  return [
    ['sign-in', 'user', api.auth.signInCognito, { body: { idToken: values.idToken } }],
    ['me', 'user', api.auth.me, {}],
    ['sign-out', 'user', api.auth.signOut, {}],
    ['export account', 'user', api.account.exportAccount, {}],
    ['delete account', 'user', api.account.deleteAccount, {}],
    ['security events', 'user', api.account.findSecurityEvents, { query: { after: randomUUID(), limit: 5 } }],
    [
      'operator sign-in',
      'anyone',
      api.operators.signInThirdParties,
      { body: { platform: 'bitel', msisdn: values.msisdn, proof: values.proof } },
    ],
    [
      'deletion by an operator’s link',
      'anyone',
      api.operators.deleteAccountByLink,
      { body: { platform: 'bitel', msisdn: values.msisdn, proof: values.deletionProof } },
    ],
    ['discover', 'user', api.catalogue.discover, {}],
    ['article', 'user', api.catalogue.findArticle, { params: { id: values.article } }],
    ['read', 'user', api.catalogue.readArticle, { params: { id: values.article } }],
    [
      'articles',
      'user',
      api.catalogue.findArticles,
      { query: { level: 'B1', language: 'en', after: values.article, limit: 5 } },
    ],
    ['articles of a kind', 'user', api.catalogue.findArticles, { query: { kind: 'audiobook' } }],
    ['articles of a topic', 'user', api.catalogue.findArticles, { query: { topic: 'travel' } }],
    ['articles of a narrator', 'user', api.catalogue.findArticles, { query: { narrator: 'Amelia' } }],
    ['browse', 'user', api.catalogue.browse, { query: { language: 'es' } }],
    ['showcase', 'anyone', api.visitors.findShowcase, { query: { language: 'es' } }],
    ['preview', 'anyone', api.visitors.findPreview, { params: { id: values.article } }],
    [
      'search',
      'user',
      api.catalogue.search,
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
    ['save progress', 'user', api.listening.saveProgress, { body: createProgressEntry(values) }],
    ['continue listening', 'user', api.listening.findContinueListening, { query: { page: 1, limit: 5 } }],
    ['history', 'user', api.listening.findHistory, { query: { page: 1, limit: 5 } }],
    ['remove from history', 'user', api.listening.removeFromHistory, { params: { id: values.article } }],
    ['restore to history', 'user', api.listening.restoreToHistory, { params: { id: values.article } }],
    ['clear history', 'user', api.listening.clearHistory, {}],
    ['statistics', 'user', api.listening.findStatistics, { query: { timeZone: 'America/Lima' } }],
    [
      'audio',
      'user',
      api.listening.grantAudio,
      { params: { id: values.article }, query: { playlist: values.systemPlaylist } },
    ],
    ['playlist', 'owner', api.playlists.findPlaylist, { params: { id: values.playlist } }],
    ['system playlist', 'user', api.playlists.findPlaylist, { params: { id: values.systemPlaylist } }],
    [
      'playlists',
      'user',
      api.playlists.findPlaylists,
      { query: { page: 1, limit: 5, filter: '{"origin":"user"}', sorter: '{"_created_at":-1}' } },
    ],
    [
      'playlist content',
      'owner',
      api.playlists.findPlaylistContent,
      { params: { id: values.playlist }, query: { page: 1, limit: 5 } },
    ],
    [
      'create playlist',
      'user',
      api.playlists.createPlaylist,
      {
        body: {
          name: 'Walks at noon',
          origin: 'user',
          active: 'true',
          'articles.added': [values.article],
        },
      },
    ],
    [
      'change playlist',
      'owner',
      api.playlists.changePlaylist,
      {
        body: {
          _id: values.playlist,
          name: 'Walks at night',
          origin: 'user',
          active: 'true',
          'articles.added': values.secondArticle,
          'articles.removed': values.thirdArticle,
          'articles.moved': `${values.secondArticle}:`,
        },
      },
    ],
    ['add favourite', 'user', api.playlists.addFavourite, { params: { id: values.article } }],
    ['remove favourite', 'user', api.playlists.removeFavourite, { params: { id: values.article } }],
    ['bookmarks', 'user', api.bookmarks.findBookmarks, { query: { track: values.article } }],
    ['all bookmarks', 'user', api.bookmarks.findAllBookmarks, { query: { q: 'cat', page: 1, limit: 5 } }],
    [
      'save bookmark',
      'user',
      api.bookmarks.saveBookmark,
      {
        params: { id: values.bookmark },
        body: {
          track: values.article,
          position: 1,
          note: 'here',
          createdAt: '2026-11-01T10:00:00.000Z',
        },
      },
    ],
    ['delete bookmark', 'user', api.bookmarks.deleteBookmark, { params: { id: values.bookmark } }],
    ['settings', 'user', api.settings.findSettings, {}],
    [
      'change settings',
      'user',
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
    ['subscription', 'user', api.subscription.findSubscription, {}],
    ['cancel', 'owner', api.subscription.cancelSubscription, {}],
    ['resume', 'owner', api.subscription.resumeSubscription, {}],
    ['change plan', 'owner', api.subscription.changePlan, { body: { product: values.product } }],
    ['pay renewal', 'owner', api.subscription.payRenewal, {}],
    ['create card setup', 'owner', api.subscription.createCardSetup, {}],
    ['replace card', 'owner', api.subscription.replaceCard, { body: { setup: 'seti_1' } }],
    ['create purchase token', 'user', api.subscription.createPurchaseToken, {}],
    ['receipts', 'user', api.subscription.findReceipts, {}],
    ['delete playlist', 'owner', api.playlists.deletePlaylist, { params: { id: values.unwantedPlaylist } }],
    ['restore playlist', 'owner', api.playlists.restorePlaylist, { params: { id: values.unwantedPlaylist } }],
    [
      'notifications',
      'user',
      api.notifications.findNotifications,
      { query: { page: 1, limit: 5, filter: '{}', sorter: '{"createdAt":1}' } },
    ],
    ['notification stream', 'user', api.notifications.streamNotifications, {}],
  ];
}
