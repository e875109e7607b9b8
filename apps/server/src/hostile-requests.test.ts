import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDatabaseSnapshot } from '@escucho/database/testing';
import {
  FUZZ_TIMEOUT_MS,
  fuzzRuns,
  isFuzzRun,
  liftRateLimits,
  sampleRequests,
  sendHostileRequests,
} from '@escucho/service-kit/testing';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { type Role, startAccessProduct } from './testing/access-product.ts';
import { toRequest } from './testing/access-request.ts';
import { rows } from './testing/access-rows.ts';
import type { Access, AccessRow } from './testing/access-rules.ts';

liftRateLimits();
const { app, connection, credentials, values } = await startAccessProduct({ performJobs: false });

declare module 'vitest' {
  interface TaskMeta {
    heapGrowthMb?: number;
  }
}

/** Who is refused least. */
const roleByAccess: Partial<Record<Access, Role>> = {
  user: 'owner',
  owner: 'owner',
  apiKey: 'publicKey',
  publicKey: 'publicKey',
  secretKey: 'secretKey',
};

/** The routes of the server, portal, billing and operators. The identity provider has hostile requests of its own. */
const routes = rows.filter(({ route }) => !route.includes(' /identity'));

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
const arbitraryText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }));
const arbitraryValue = fc.oneof(arbitraryText, fc.jsonValue());
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
  text: arbitraryText,
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

const snapshot = await createDatabaseSnapshot(connection, ['portal', 'identity', 'billing']);
afterAll(snapshot.close);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
/** The heap in bytes after the requests to each route, without garbage. */
const heap: number[] = [];

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

it.each(routes.map((row) => [row.route, row] as const))(
  '[API-03] a random request to %s is not a server error, and changes nothing where refused',
  async (_route, row) => {
    await sendHostileRequests({
      requests: sampleRequests(mutations, isFuzzRun ? fuzzRuns : 10),
      send: (mutation) => send(row, mutation),
      takeSnapshot: snapshot.take,
    });
    if (!isFuzzRun) return;
    collectGarbage();
    heap.push(process.memoryUsage().heapUsed);
  },
  FUZZ_TIMEOUT_MS,
);

it.runIf(isFuzzRun)('[API-03] random requests do not fill the memory', ({ task }) => {
  // The first routes fill caches of a limited size.
  const [start = 0, end = 0] = [heap[Math.floor(heap.length / 3)], heap.at(-1)];
  task.meta.heapGrowthMb = (end - start) / 1e6;
  expect(task.meta.heapGrowthMb).toBeLessThan(50);
});
