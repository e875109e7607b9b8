import { api, buildPath, type Endpoint } from '@escucho/contracts';
import { createValidRequests } from '../../../../services/portal/src/testing/valid-requests.ts';
import { type AccessRow, type Options, row } from './access-rules.ts';

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
export const portalRows: readonly AccessRow[] = validRequests
  .filter(([, , endpoint], index) => validRequests.findIndex(([, , other]) => other === endpoint) === index)
  .map(toRow);
