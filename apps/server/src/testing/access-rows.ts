import { api, buildPath, type Endpoint } from '@escucho/contracts';
import { createValidRequests } from '../../../../services/portal/src/testing/valid-requests.ts';
import { type AccessRow, type Options, row } from './access-rules.ts';
import { finalIdentityRows, identityRows } from './identity-access-rows.ts';

const validRequests = createValidRequests({
  idToken: '$idToken',
  msisdn: '51930000001',
  proof: 'x',
  deletionProof: 'x',
  article: '$article',
  secondArticle: '$secondArticle',
  thirdArticle: '$thirdArticle',
  systemPlaylist: '$uuid',
  playlist: '$playlist',
  unwantedPlaylist: '$playlist',
  bookmark: '$bookmark',
  device: '$uuid',
  product: 'escucho_monthly',
});

/** What is not so in the product of these tests, or for some roles, by endpoint. */
const differences = new Map<Endpoint, Options>([
  [api.auth.signInCognito, { operatorUser: '400 invalid_request', otherUser: '400 invalid_request' }],
  [api.auth.signOut, { replacesUsers: true }],
  [api.account.deleteAccount, { replacesUsers: true }],
  // No operator signs the link.
  [api.operators.signInThirdParties, { outcome: '400 invalid_request' }],
  [api.operators.deleteAccountByLink, { outcome: '400 invalid_request' }],
  [api.subscription.createPurchaseToken, { operatorUser: '404 not_found' }],
  // No card form was completed.
  [api.subscription.replaceCard, { outcome: '409 conflict' }],
  [api.listening.grantAudio, { otherUser: '403 subscription_required' }],
]);

const toRow = ([, access, endpoint, { params, query, body }]: (typeof validRequests)[number]): AccessRow =>
  row(access, `${endpoint.method} /api${endpoint.path}`, {
    url: `/api${buildPath(endpoint, { ...(params && { params }), ...(query && { query }) })}`.replaceAll(
      '%24',
      '$',
    ),
    ...(body !== undefined && { body: Object(body) }),
    ...(endpoint.form && { form: true }),
    ...(endpoint.events && { isStream: true }),
    ...differences.get(endpoint),
  });

/** The portal: one valid request to each endpoint. */
const portalRows: readonly AccessRow[] = validRequests
  .filter(([, , endpoint], index) => validRequests.findIndex(([, , other]) => other === endpoint) === index)
  .map(toRow);

const manage = '/billing/v1/subscribers/$user';

/** Rows run in this order, and each row by the order of the roles: the owner is last. */
export const rows: readonly AccessRow[] = [
  // The server and the web app.
  row('anyone', 'GET /metrics'),
  row('anyone', 'GET /status'),
  row('anyone', 'GET *', { url: '/discover' }),
  row('anyone', 'GET /sw.js'),
  row('anyone', 'GET /favicon.ico', { outcome: '302' }),
  row('anyone', 'GET /.well-known/change-password', { outcome: '302' }),
  row('anyone', 'GET /.well-known/passkey-endpoints'),
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

  row('anyone', 'POST /api/billing/events', { body: {}, outcome: '401 unauthorized' }),
  ...portalRows.filter(({ replacesUsers }) => !replacesUsers),

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
  ...portalRows.filter(({ replacesUsers }) => replacesUsers),
  row('secretKey', 'DELETE /billing/v1/subscribers/:user|:appUserId', { url: manage }),
];
