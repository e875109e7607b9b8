import { watchRows } from '@escucho/database/testing';
import {
  arbitraryText,
  FUZZ_TIMEOUT_MS,
  fuzzRuns,
  isFuzzRun,
  liftRateLimits,
  sampleRequests,
  selectShard,
  sendHostileRequests,
  trackHeap,
} from '@escucho/service-kit/testing';
import fc from 'fast-check';
import { afterAll, it } from 'vitest';
import { type Role, startAccessProduct } from './testing/access-product.ts';
import { rows } from './testing/access-rows.ts';
import type { Access, AccessRow } from './testing/access-rules.ts';
import { toRequest } from './testing/access-rules.ts';

liftRateLimits();
const { app, connection, credentials, values } = await startAccessProduct({ performJobs: false });

/** Who is refused least. */
const roleByAccess: Partial<Record<Access, Role>> = {
  user: 'owner',
  owner: 'owner',
  apiKey: 'publicKey',
  publicKey: 'publicKey',
  secretKey: 'secretKey',
};

/** The routes of the server, portal, billing and operators. The identity provider has hostile requests of its own. */
const routes = selectShard(rows.filter(({ route }) => !route.includes(' /identity')));

const hostileTexts = [
  '',
  '\u0000',
  'a\u0007b\u007f',
  '\ud800',
  "' or '1'='1'; drop table users; --",
  'ñandú 💥',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  'x'.repeat(5000),
  '\r\nx-injected: 1',
  '%00%ff%zz',
  '../../../../etc/passwd',
  '{"$ne":1}',
  '-1',
  '1e308',
  'NaN',
  'undefined',
];
const arbitraryParameter = fc.oneof(fc.constantFrom(...hostileTexts), arbitraryText);
const arbitraryValue = fc.oneof(arbitraryParameter, fc.jsonValue());
const queryNames =
  'page limit after q level language kind topic narrator length timeZone filter sorter playlist track lang token'.split(
    ' ',
  );
const headerNames = [
  'authorization',
  'content-type',
  'x-purchase-token',
  'accept-language',
  'range',
  'cookie',
];

interface Mutation {
  kind: number;
  where: number;
  text: string;
  value: unknown;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.nat(5),
  where: fc.nat(),
  text: arbitraryParameter,
  value: arbitraryValue,
});

/** No client can send other characters in a header. */
const toHeader = (text: string) => text.replace(/[^ -~]/g, '');
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString());

/** Returns a row's request with a parameter, the query, the body or a header replaced. */
function mutate(row: AccessRow, { kind, where, text, value }: Mutation) {
  const request = toRequest(row, roleByAccess[row.access] ?? 'nobody', { credentials, values });
  const pick = (names: readonly string[]) => names[where % names.length] ?? '';
  const withQuery = (query: string) => `${request.url}${request.url.includes('?') ? '&' : '?'}${query}`;
  const withBody = (payload: string) => ({
    ...request,
    headers: { 'content-type': 'application/json', ...request.headers },
    payload,
  });
  if (kind === 0) {
    const parameters = [...(row.url ?? '').matchAll(/\$\w+/g)].map(([name]) => name);
    if (parameters.length === 0) return { ...request, url: withQuery(encode(text)) };
    const url = (row.url ?? '').replace(pick(parameters), encode(text));
    return {
      ...request,
      ...toRequest({ ...row, url }, roleByAccess[row.access] ?? 'nobody', { credentials, values }),
    };
  }
  if (kind === 1) return { ...request, url: withQuery(`${pick(queryNames)}=${encode(text)}`) };
  if (kind === 2) return { ...request, headers: { ...request.headers, [pick(headerNames)]: toHeader(text) } };
  if (request.method === 'GET') return { ...request, url: withQuery(`${encode(text)}=${encode(text)}`) };
  if (kind === 3) return withBody(text);
  const names = Object.keys(row.body ?? {});
  const name = kind === 4 && names.length > 0 ? pick(names) : text;
  if (row.form) {
    const form = new URLSearchParams(request.payload);
    form.set(name, String(text));
    return withBody(form.toString());
  }
  return withBody(JSON.stringify({ ...JSON.parse(request.payload ?? '{}'), [name]: value }));
}

const { listChanges, close } = await watchRows(connection, {
  schemas: ['portal', 'identity', 'billing'],
  // Purchases are also read in the background, after some minutes.
  ignoredTables: ['subscription_sync'],
});
afterAll(close);
const { measureHeap, testHeap } = trackHeap();

/** Sends a request. Returns whether it was refused. */
async function send(row: AccessRow, mutation: Mutation): Promise<boolean> {
  const request = mutate(row, mutation);
  const response = await app.inject({ ...request, payloadAsStream: row.isStream === true });
  if (row.isStream) response.stream().destroy();
  if (response.statusCode >= 500 || response.headers['x-injected'] !== undefined) {
    throw new Error(`${response.statusCode} for ${JSON.stringify(request)}`);
  }
  return response.statusCode >= 400;
}

/** As many as a service has connections to the database: in a larger batch, requests wait for one. */
const batchSize = 10;

it.each(routes.map((row) => [row.route, row] as const))(
  '[API-03] a random request to %s is not a server error, and changes nothing where refused',
  async (_route, row) => {
    await sendHostileRequests({
      requests: sampleRequests(mutations, isFuzzRun ? fuzzRuns : 10),
      send: (mutation) => send(row, mutation),
      listChanges,
      batchSize,
    });
    measureHeap();
  },
  FUZZ_TIMEOUT_MS,
);

testHeap();
