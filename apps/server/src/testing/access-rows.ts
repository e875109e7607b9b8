import { type AccessRow, type Options, row } from './access-rules.ts';
import { finalIdentityRows, identityRows } from './identity-access-rows.ts';

const ownerOf = (route: string, value: string, options: Options = {}) =>
  row('owner', route, { url: route.split(' ')[1]?.replace(/:\w+/, `$${value}`) ?? '', ...options });

const track = { track: '$article', position: 1 };
const manage = '/billing/v1/subscribers/$user';

/** Rows run in this order, and each row by the order of the roles: the owner is last. */
export const rows: readonly AccessRow[] = [
  // The server and the web app.
  row('anyone', 'GET /metrics'),
  row('anyone', 'GET /status'),
  row('anyone', 'GET *', { url: '/discover' }),
  row('anyone', 'GET /sw.js'),
  row('anyone', 'GET /favicon.ico', { outcome: '302' }),
  row('anyone', 'GET /robots.txt'),
  row('anyone', 'GET /sitemap.xml'),
  row('anyone', 'GET /health'),
  row('anyone', 'GET /health/ready'),
  row('anyone', 'GET /config.json'),
  row('anyone', 'GET /api/openapi.json'),

  // Demo mode: the outbox and the simulators of operators and cards.
  row('anyone', 'GET /outbox'),
  row('anyone', 'GET /outbox/messages'),
  row('anyone', 'GET /operators'),
  row('anyone', 'GET /operators/:platform', { url: '/operators/bitel' }),
  row('anyone', 'POST /operators/:platform/gateway/subscribers/find', {
    url: '/operators/bitel/gateway/subscribers/find',
    body: { msisdn: '51930000001' },
    outcome: '401 unauthorized',
  }),
  row('anyone', 'POST /billing/sandbox/confirm', { body: {}, outcome: '400 7226' }),
  row('anyone', 'POST /billing/sandbox/card', { body: {}, outcome: '400 7226' }),
  row('anyone', 'POST /billing/sandbox/authenticate', { body: {}, outcome: '400 7226' }),
  row('anyone', 'POST /billing/sandbox/advance', { body: {}, outcome: '400 7226' }),
  row('anyone', 'POST /billing/sandbox/dispute', { body: {}, outcome: '400 7226' }),

  // The portal.
  row('user', 'POST /api/auth/sign-in-cognito', {
    body: { idToken: '$idToken' },
    operatorUser: '400 invalid_request',
    otherUser: '400 invalid_request',
  }),
  row('anyone', 'POST /api/auth/sign-in-third-parties', {
    body: { platform: 'bitel', msisdn: '51930000001', proof: 'x' },
    outcome: '400 invalid_request',
  }),
  row('anyone', 'POST /api/account/delete-by-link', {
    body: { platform: 'bitel', msisdn: '51930000001', proof: 'x' },
    outcome: '400 invalid_request',
  }),
  row('anyone', 'POST /api/billing/events', { body: {}, outcome: '401 unauthorized' }),
  row('user', 'GET /api/auth/me'),
  row('user', 'GET /api/account/export'),
  row('user', 'GET /api/account/security-events'),
  row('user', 'GET /api/settings'),
  row('user', 'PUT /api/settings', { body: { level: 'B1' } }),
  row('user', 'GET /api/subscription'),
  row('user', 'GET /api/subscription/receipts'),
  row('user', 'POST /api/subscription/purchase-token', { operatorUser: '404 not_found' }),
  row('owner', 'POST /api/subscription/cancel'),
  row('owner', 'POST /api/subscription/resume'),
  row('owner', 'PUT /api/subscription/plan', { body: { product: 'escucho_monthly' } }),
  row('owner', 'POST /api/subscription/payment'),
  row('owner', 'POST /api/subscription/card'),
  row('owner', 'PUT /api/subscription/card', { body: { setup: 'seti_1' }, outcome: '409 conflict' }),
  row('user', 'GET /api/catalogue/discover'),
  row('user', 'GET /api/catalogue/articles'),
  row('user', 'GET /api/catalogue/articles/:id', { url: '/api/catalogue/articles/$article' }),
  row('user', 'GET /api/catalogue/read/:id', { url: '/api/catalogue/read/$article' }),
  row('user', 'GET /api/catalogue/browse'),
  row('anyone', 'GET /api/catalogue/showcase', { url: '/api/catalogue/showcase?language=en' }),
  row('anyone', 'GET /api/catalogue/preview/:id', { url: '/api/catalogue/preview/$article' }),
  row('user', 'GET /api/catalogue/search', { url: '/api/catalogue/search?q=ferry' }),
  row('user', 'GET /api/notifications/find-paginated'),
  row('user', 'GET /api/notifications/stream', { isStream: true }),
  row('user', 'GET /api/playlist/find-paginated'),
  row('user', 'POST /api/playlist', { body: { name: 'Walks at noon' }, form: true }),
  ownerOf('GET /api/playlist/find-by-id/:id', 'playlist'),
  ownerOf('GET /api/playlist/find-playlist-content/:id', 'playlist'),
  row('owner', 'PUT /api/playlist', { body: { _id: '$playlist', name: 'Mine now' }, form: true }),
  ownerOf('DELETE /api/playlist/:id', 'playlist'),
  ownerOf('POST /api/playlist/:id/restore', 'playlist'),
  row('user', 'PUT /api/favourites/:id', { url: '/api/favourites/$article' }),
  row('user', 'DELETE /api/favourites/:id', { url: '/api/favourites/$article' }),
  row('user', 'GET /api/bookmarks', { url: '/api/bookmarks?track=$article' }),
  row('user', 'GET /api/bookmarks/find-paginated'),
  // Clients choose the ids of bookmarks, which are unique for one user only.
  row('user', 'PUT /api/bookmarks/:id', {
    url: '/api/bookmarks/$bookmark',
    body: { ...track, note: 'here' },
  }),
  row('user', 'DELETE /api/bookmarks/:id', { url: '/api/bookmarks/$bookmark' }),
  row('user', 'POST /api/listening/progress', {
    body: { ...track, device: '$uuid', sequence: 2, cause: 'pause', at: '2026-11-20T09:00:00.000Z' },
  }),
  row('user', 'GET /api/listening/audio/:id', {
    url: '/api/listening/audio/$article',
    otherUser: '403 subscription_required',
  }),
  row('user', 'GET /api/listening/continue'),
  row('user', 'DELETE /api/listening/continue/:id', { url: '/api/listening/continue/$article' }),
  row('user', 'GET /api/listening/statistics', { url: '/api/listening/statistics?timeZone=America/Lima' }),
  row('user', 'GET /api/listening/history'),
  row('user', 'DELETE /api/listening/history/:id', { url: '/api/listening/history/$article' }),
  row('user', 'PUT /api/listening/history/:id', { url: '/api/listening/history/$article' }),
  row('user', 'DELETE /api/listening/history'),

  // The billing provider: requests of pages, then of servers.
  row('apiKey', 'GET /billing/v1/subscribers/:user|:appUserId', { url: manage }),
  row('apiKey', 'GET /billing/v1/subscribers/:user|:appUserId/offerings', { url: `${manage}/offerings` }),
  row('apiKey', 'GET /billing/rcbilling/v1/subscribers/:user/products', {
    url: '/billing/rcbilling/v1/subscribers/$user/products',
  }),
  row('apiKey', 'GET /billing/rcbilling/v1/branding'),
  row('apiKey', 'GET /billing/rcbilling/v1/checkout/:id', {
    url: '/billing/rcbilling/v1/checkout/$uuid',
    outcome: '404 7226',
  }),
  row('publicKey', 'POST /billing/rcbilling/v1/subscribe', { body: {}, outcome: '400 7226' }),
  row('secretKey', 'POST /billing/v1/subscribers/:user|:appUserId/purchase-tokens', {
    url: `${manage}/purchase-tokens`,
  }),
  row('secretKey', 'GET /billing/v1/subscribers/:user|:appUserId/management', {
    url: `${manage}/management`,
  }),
  row('secretKey', 'GET /billing/v1/subscribers/:user|:appUserId/receipts', { url: `${manage}/receipts` }),
  row('secretKey', 'POST /billing/v1/subscribers/:user|:appUserId/management/cancel', {
    url: `${manage}/management/cancel`,
  }),
  row('secretKey', 'POST /billing/v1/subscribers/:user|:appUserId/management/resume', {
    url: `${manage}/management/resume`,
  }),
  row('secretKey', 'PUT /billing/v1/subscribers/:user|:appUserId/management/plan', {
    url: `${manage}/management/plan`,
    body: { product: 'escucho_monthly' },
  }),
  row('secretKey', 'POST /billing/v1/subscribers/:user|:appUserId/management/payment', {
    url: `${manage}/management/payment`,
  }),
  row('secretKey', 'POST /billing/v1/subscribers/:user|:appUserId/management/card', {
    url: `${manage}/management/card`,
  }),
  row('secretKey', 'PUT /billing/v1/subscribers/:user|:appUserId/management/card', {
    url: `${manage}/management/card`,
    body: { setup: 'seti_1' },
    outcome: '409 7226',
  }),
  row('secretKey', 'POST /billing/v1/subscribers/:user|:appUserId/transactions/:receipt/refund', {
    url: `${manage}/transactions/$uuid/refund`,
    outcome: '404 7226',
  }),
  row('anyone', 'GET /billing/manage', { url: '/billing/manage?token=x', outcome: '303' }),
  ...identityRows,

  // What ends sessions and accounts is last.
  ...finalIdentityRows,
  row('user', 'POST /api/auth/sign-out', { replacesUsers: true }),
  row('user', 'DELETE /api/account', { replacesUsers: true }),
  row('secretKey', 'DELETE /billing/v1/subscribers/:user|:appUserId', { url: manage }),
];
