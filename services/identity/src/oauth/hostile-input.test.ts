import {
  arbitraryText,
  FUZZ_TIMEOUT_MS,
  liftRateLimits,
  sampleRequests,
  selectShard,
  sendHostileRequests,
  trackHeap,
} from '@escucho/service-kit/testing';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, expect, it } from 'vitest';
import {
  baseUrl,
  buildAuthorizationQuery,
  createBrowser,
  createPkce,
  exchangeCode,
  getLocation,
  logoutUri,
  oauthOptions,
  parseForm,
  redirectUri,
} from '../testing/browser.ts';
import { createSearchedLog, watchIdentityRows } from '../testing/hostile-input.ts';
import { clientId, createTestPool, password } from '../testing/pool.ts';

liftRateLimits();
const log = createSearchedLog();
const { pool, db, connection } = await createTestPool({
  oauth: { ...oauthOptions, simulateProviders: true, implicit: true },
  logger: log.logger,
});

const { email } = await pool.createUser();
const { challenge, verifier } = createPkce();
const browser = createBrowser(pool.app);
const back = getLocation(await browser.signIn(buildAuthorizationQuery(challenge), email, password));
const code = back.searchParams.get('code') ?? '';
const tokens: Record<string, string> = (await exchangeCode(pool.app, code, verifier)).json();
const loginForm = parseForm(
  (await browser.get(`/identity/login?${buildAuthorizationQuery(challenge)}`)).body,
);
const federated = `${baseUrl}/oauth2/authorize?${buildAuthorizationQuery(challenge, { identity_provider: 'Google' })}`;
const federationState = getLocation(await browser.get(federated)).searchParams.get('state') ?? '';
const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const secrets = [code, federationState, email, password, tokens.access_token, tokens.refresh_token];
log.addSecrets([...secrets, ...browser.cookies.values()].map((secret) => secret ?? 'none'));
const authorizationParameters = Object.fromEntries(new URLSearchParams(buildAuthorizationQuery(challenge)));

interface TestRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

const createAuthorization = (parameters: Record<string, string>): TestRequest => ({
  method: 'GET',
  path: '/oauth2/authorize',
  query: { ...authorizationParameters, ...parameters },
});
const createSubmission = (path: string, fields: Record<string, string>): TestRequest => ({
  method: 'POST',
  path,
  query: authorizationParameters,
  form: { ...loginForm.fields, ...fields },
});

/** Requests that are accepted or nearly so; hostile texts replace their parameters. */
const requests: readonly TestRequest[] = [
  createAuthorization({}),
  createAuthorization({ identity_provider: 'Facebook' }),
  createAuthorization({ response_type: 'token', prompt: 'none' }),
  {
    method: 'GET',
    path: '/login',
    query: { ...authorizationParameters, login_hint: email, lang: 'es', nonce: 'n' },
  },
  createSubmission('/login', { email, password: 'Wrong2026' }),
  createSubmission('/mfa', { challenge: 'SOFTWARE_TOKEN_MFA', session: 'x', code: '123456' }),
  createSubmission('/passkey', { session: 'x', credential: '{"id":"AAAA"}' }),
  { method: 'GET', path: '/logout', query: { client_id: clientId, logout_uri: `${logoutUri}x` } },
  { method: 'GET', path: '/oauth2/idpresponse', query: { state: `${federationState}x`, code: 'x' } },
  { method: 'GET', path: '/stand-in', query: { state: federationState } },
  {
    method: 'POST',
    path: '/stand-in',
    query: { state: federationState },
    form: { ...loginForm.fields, person: 'other', name: 'Zoe', email: 'zoe@reader.test', choice: 'accept' },
  },
  {
    method: 'POST',
    path: '/oauth2/token',
    form: {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code: `${code}x`,
      code_verifier: verifier,
    },
  },
  {
    method: 'POST',
    path: '/oauth2/token',
    form: { grant_type: 'refresh_token', client_id: clientId, refresh_token: `${tokens.refresh_token}x` },
  },
  {
    method: 'POST',
    path: '/oauth2/revoke',
    form: { client_id: clientId, token: `${tokens.refresh_token}x` },
  },
  { method: 'GET', path: '/oauth2/userInfo', headers: { authorization: `Bearer ${tokens.access_token}x` } },
  { method: 'GET', path: '/sessions', headers: { authorization: `Bearer ${tokens.access_token}x` } },
  { method: 'DELETE', path: '/sessions/x', headers: { authorization: `Bearer ${tokens.access_token}x` } },
];

const hostileTexts: readonly string[] = [
  '',
  '\u0000',
  'a\u0007b\u007f',
  "' or '1'='1'; drop table account; --",
  'ñandú 💥',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  'x'.repeat(6000),
  '\r\nx-injected: 1',
  'javascript:alert(1)',
  '//evil.example',
  'https://evil.example/\\@localhost:3000/auth/sign-in',
  '%00%ff%zz',
  '../../etc/passwd',
  '{"a":1}',
];

const pendingSignIn = await db.selectFrom('federated_sign_in').selectAll().executeTakeFirstOrThrow();
const rows = await watchIdentityRows(connection);
afterAll(rows.close);
const { measureHeap, testHeap } = trackHeap();

const sessionIds = (await db.selectFrom('session').select('id').execute()).map(({ id }) => id);

const ACCEPTED_UNTIL_DELETED = 200;
let accepted = 0;
/** A callback that fails may have completed the pending sign-in. */
let mayBeCompleted = false;

/**
 * Returns the rows that were changed since the last call, and stores the pending sign-in again where one of them may be it.
 * Deletes at times what accepted requests have created.
 */
async function listChanges(): Promise<string[]> {
  const changes = await rows.listChanges();
  const wasCompleted = mayBeCompleted;
  mayBeCompleted = false;
  if (accepted >= ACCEPTED_UNTIL_DELETED) await deleteCreatedRows();
  else if (changes.length === 0) return changes;
  await db
    .insertInto('federated_sign_in')
    .values(pendingSignIn)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
  await rows.listChanges();
  return wasCompleted
    ? changes.filter((change) => !change.startsWith('delete identity.federated_sign_in'))
    : changes;
}

async function deleteCreatedRows(): Promise<void> {
  accepted = 0;
  await db.deleteFrom('federated_sign_in').where('hash', '!=', pendingSignIn.hash).execute();
  await db.deleteFrom('authorization_code').where('sessionId', 'is', null).execute();
  await db.deleteFrom('account').where('provider', 'is not', null).execute();
  await db.deleteFrom('session').where('id', 'not in', sessionIds).execute();
}

/** Returns whether a redirect leads to the provider's own pages or to the app. */
const isOwnUrl = (location: string) =>
  location.startsWith('/identity/') ||
  location.startsWith(`${baseUrl}/`) ||
  [redirectUri, logoutUri].some((known) => location === known || /^[?#]/.test(location.slice(known.length)));

const isRefused = (response: LightMyRequestResponse) =>
  response.statusCode >= 400 || /[?&#]error=/.test(String(response.headers.location));

/** Returns whether a response may have completed the pending sign-in: a callback does even where it fails. */
const mayCompleteSignIn = (path: string, location: unknown) =>
  (path === '/stand-in' || path === '/oauth2/idpresponse') &&
  String(location).startsWith(`${redirectUri}?error=`);

interface SentRequest {
  request: TestRequest;
  /** What is sent instead of the request's query and form. */
  raw?: { query?: string; body?: string };
}

/** Sends a request. Returns whether it was refused. */
async function send({ request: { method, path, query, form, headers }, raw }: SentRequest): Promise<boolean> {
  const search = raw?.query ?? new URLSearchParams(query).toString();
  const sent = {
    method,
    url: `/identity${path}?${search}`,
    headers: {
      host: 'localhost:3000',
      cookie,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(method === 'POST' && { payload: raw?.body ?? new URLSearchParams(form).toString() }),
  };
  const response = await pool.app.inject(sent);
  const { location } = response.headers;
  const isUnsafe =
    response.statusCode >= 500 ||
    response.headers['x-injected'] !== undefined ||
    response.body.includes('<script') ||
    (location !== undefined && !isOwnUrl(String(location)));
  if (isUnsafe) {
    const message = `${method} ${sent.url} ${JSON.stringify(sent.payload)} ${JSON.stringify(headers)}`;
    throw new Error(`${response.statusCode} ${location} for ${message}: ${response.body}`);
  }
  if (!isRefused(response)) accepted += 1;
  mayBeCompleted ||= isRefused(response) && mayCompleteSignIn(path, location);
  return isRefused(response);
}

/** Requests that use the pending sign-in up are sent one by one: it is stored again after each. */
const getBatchSize = ({ path }: TestRequest) =>
  path === '/stand-in' || path === '/oauth2/idpresponse' ? 1 : 16;

/** Returns a request with one of its parameters or headers replaced. */
function replaceAt(request: TestRequest, where: number, text: string): TestRequest {
  const fields = (['query', 'form', 'headers'] as const).flatMap((kind) =>
    Object.keys(request[kind] ?? {}).map((name) => ({ kind, name })),
  );
  const field = fields[where % Math.max(fields.length, 1)];
  if (!field) return request;
  // No client can send other characters in a header.
  const value = field.kind === 'headers' ? text.replace(/[^ -~]/g, '') : text;
  return { ...request, [field.kind]: { ...request[field.kind], [field.name]: value } };
}

const countFields = ({ query, form, headers }: TestRequest) =>
  Object.keys({ ...query }).length + Object.keys({ ...form }).length + Object.keys({ ...headers }).length;

it('[IDP-02] a hostile text is refused and changes nothing, or leads to the app', async () => {
  for (const request of requests) {
    let refusals = 0;
    const places = Array.from({ length: countFields(request) }, (_, where) => where);
    await sendHostileRequests({
      requests: places.flatMap((where) =>
        hostileTexts.map((text) => ({ request: replaceAt(request, where, text) })),
      ),
      async send(sent) {
        const wasRefused = await send(sent);
        if (wasRefused) refusals += 1;
        return wasRefused;
      },
      listChanges,
      batchSize: getBatchSize(request),
    });
    expect(refusals, `${request.method} ${request.path}`).toBeGreaterThan(0);
  }
}, 180_000);

const arbitraryParameter = fc.oneof(fc.constantFrom(...hostileTexts), arbitraryText);
const requestsByName = requests.map((request) => [`${request.method} ${request.path}`, request] as const);

it.each(selectShard(requestsByName))(
  '[IDP-02] [API-03] a random parameter of %s changes nothing, or leads to the app',
  async (_name, request) => {
    const search = new URLSearchParams(request.query).toString();
    const body = new URLSearchParams(request.form).toString();
    const mutations = fc
      .tuple(fc.nat(), arbitraryParameter, fc.nat(5))
      .map(([where, text, kind]): SentRequest => {
        const rawQuery = encodeURI(Buffer.from(text).toString()).replace(/#/g, '%23');
        if (kind === 0) return { request, raw: { query: `${search}&${rawQuery}` } };
        if (kind === 1)
          return { request, raw: { query: search.slice(0, where % 200), body: body.slice(where % 99) } };
        if (kind === 2) return { request, raw: { body: text } };
        return { request: replaceAt(request, where, text) };
      });
    await sendHostileRequests({
      requests: sampleRequests(mutations),
      send,
      listChanges,
      batchSize: getBatchSize(request),
    });
    measureHeap();
  },
  FUZZ_TIMEOUT_MS,
);

it('[IDP-02] a valid request still succeeds', async () => {
  const info = await pool.app.inject({
    url: '/identity/oauth2/userInfo',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(info.statusCode).toBe(200);
});

it('[IDP-02] other methods and media types are refused', async () => {
  for (const { path } of requests) {
    for (const method of ['PUT', 'PATCH', 'HEAD'] as const) {
      const response = await pool.app.inject({ method, url: `/identity${path}` });
      expect(response.statusCode, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      expect(response.statusCode, `${method} ${path}`).toBeLessThan(500);
    }
  }
  for (const path of ['/oauth2/token', '/oauth2/revoke', `/login?${buildAuthorizationQuery(challenge)}`]) {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const headers = { 'content-type': type, cookie };
      const response = await pool.app.inject({
        method: 'POST',
        url: `/identity${path}`,
        headers,
        payload: '{}',
      });
      expect(response.statusCode, `${type} ${path}`).toBe(415);
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie };
    const payload = `a=${'x'.repeat(70_000)}`;
    const response = await pool.app.inject({ method: 'POST', url: `/identity${path}`, headers, payload });
    expect(response.statusCode, path).toBe(413);
  }
});

testHeap();

it('[IDP-02] the log contains no code, token, state or cookie', () => {
  expect(log.countLines()).toBeGreaterThan(1000);
  expect(log.findSecrets()).toEqual([]);
});
