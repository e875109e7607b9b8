import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
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
import {
  clientId,
  createTestLog,
  createTestPool,
  FUZZ_TIMEOUT_MS,
  fuzzRuns,
  password,
} from '../testing/pool.ts';

const { log, logger } = createTestLog();
const { pool, db } = await createTestPool({
  oauth: { ...oauthOptions, simulateProviders: true, implicit: true },
  logger,
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
const visitState = getLocation(await browser.get(federated)).searchParams.get('state') ?? '';
const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const authorizing = Object.fromEntries(new URLSearchParams(buildAuthorizationQuery(challenge)));

interface Sent {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Requests that are taken, or nearly: what is hostile is put into these. */
const requests: readonly Sent[] = [
  { method: 'GET', path: '/oauth2/authorize', query: authorizing },
  { method: 'GET', path: '/oauth2/authorize', query: { ...authorizing, identity_provider: 'Facebook' } },
  {
    method: 'GET',
    path: '/oauth2/authorize',
    query: { ...authorizing, response_type: 'token', prompt: 'none' },
  },
  { method: 'GET', path: '/login', query: { ...authorizing, login_hint: email, lang: 'es', nonce: 'n' } },
  {
    method: 'POST',
    path: '/login',
    query: authorizing,
    form: { ...loginForm.fields, email, password: 'Wrong2026' },
  },
  { method: 'GET', path: '/logout', query: { client_id: clientId, logout_uri: `${logoutUri}x` } },
  { method: 'GET', path: '/oauth2/idpresponse', query: { state: `${visitState}x`, code: 'x' } },
  { method: 'GET', path: '/stand-in', query: { state: visitState } },
  {
    method: 'POST',
    path: '/stand-in',
    query: { state: visitState },
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

/** What the tables hold; limits, which would hide what lies behind them, are lifted in the same breath. */
async function contents(): Promise<string> {
  const { rows } = await sql<{ contents: string }>`
    with lifted as (delete from attempt_counter)
    select md5(concat(
      (select string_agg(account::text, ';' order by id) from account),
      (select string_agg(session::text, ';' order by id) from session),
      (select string_agg(refresh_token::text, ';' order by hash) from refresh_token),
      (select string_agg(hosted_session::text, ';' order by hash) from hosted_session),
      (select string_agg(authorization_code::text, ';' order by hash) from authorization_code),
      (select string_agg(federated_sign_in::text, ';' order by hash) from federated_sign_in where hash != ${visit.hash}),
      (select string_agg(outbox_mail::text, ';' order by id) from outbox_mail)
    )) as contents`.execute(db);
  return rows[0]?.contents ?? '';
}

const visit = await db.selectFrom('federated_sign_in').selectAll().executeTakeFirstOrThrow();

/** Whether the visit to the stand-in goes on. Once it has ended it is begun again, as it was. */
async function visitGoesOn(): Promise<boolean> {
  const added = await db
    .insertInto('federated_sign_in')
    .values(visit)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 0n;
}

const own = (await db.selectFrom('session').select('id').execute()).map(({ id }) => id);

/** What requests that were taken have left is cleared away: thousands of them would make every look slow. */
async function clear(): Promise<void> {
  await db.deleteFrom('federated_sign_in').where('hash', '!=', visit.hash).execute();
  await db.deleteFrom('authorization_code').where('session_id', 'is', null).execute();
  await db.deleteFrom('account').where('provider', 'is not', null).execute();
  await db.deleteFrom('session').where('id', 'not in', own).execute();
}

let before = await contents();

/** Where an answer may lead: to our own pages, to the app, to the stand-in. */
const ours = (location: string) =>
  location.startsWith('/identity/') ||
  location.startsWith(`${baseUrl}/`) ||
  [redirectUri, logoutUri].some((known) => location === known || /^[?#]/.test(location.slice(known.length)));

const refused = (answer: LightMyRequestResponse) =>
  answer.statusCode >= 400 || /[?&#]error=/.test(String(answer.headers.location));

/** Coming back with what ends a visit uses it up, whatever the answer; nothing else is used up by a refusal. */
const mayEndVisit = (path: string, location: unknown) =>
  (path === '/stand-in' || path === '/oauth2/idpresponse') &&
  String(location).startsWith(`${redirectUri}?error=`);

async function send({ method, path, query, form, headers }: Sent, raw?: { query?: string; body?: string }) {
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
  const answer = await pool.app.inject(sent);
  const message = `${method} ${sent.url} ${JSON.stringify(sent.payload)} ${JSON.stringify(headers)}`;
  expect(answer.statusCode, message).toBeLessThan(500);
  expect(answer.headers['x-injected'], message).toBeUndefined();
  expect(answer.body, message).not.toContain('<script');
  const { location } = answer.headers;
  if (location !== undefined) expect(ours(String(location)), `${message} -> ${location}`).toBe(true);
  if (!refused(answer)) await clear();
  const after = await contents();
  const goesOn = await visitGoesOn();
  if (refused(answer)) {
    expect(after, message).toBe(before);
    expect(goesOn || mayEndVisit(path, location), message).toBe(true);
  }
  before = after;
  return answer;
}

/** A request with a text in the place of one of its parts. */
function mutated(request: Sent, where: number, text: string): Sent {
  const places = (['query', 'form', 'headers'] as const).flatMap((part) =>
    Object.keys(request[part] ?? {}).map((name) => ({ part, name })),
  );
  const place = places[where % Math.max(places.length, 1)];
  if (!place) return request;
  // What no client can put into a header is not sent.
  const value = place.part === 'headers' ? text.replace(/[^ -~]/g, '') : text;
  return { ...request, [place.part]: { ...request[place.part], [place.name]: value } };
}

const placesIn = ({ query, form, headers }: Sent) =>
  Object.keys({ ...query }).length + Object.keys({ ...form }).length + Object.keys({ ...headers }).length;

it('[IDP-02] every hostile text is refused and changes nothing, or leads to the app', async () => {
  for (const request of requests) {
    let refusals = 0;
    for (let where = 0; where < placesIn(request); where += 1) {
      for (const text of hostileTexts) {
        if (refused(await send(mutated(request, where, text)))) refusals += 1;
      }
    }
    expect(refusals, `${request.method} ${request.path}`).toBeGreaterThan(0);
  }
}, 180_000);

const anything = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }));
const named = requests.map((request) => [`${request.method} ${request.path}`, request] as const);

it.each(named)(
  '[IDP-02] [API-03] so is whatever else is sent to %s',
  async (_name, request) => {
    const search = new URLSearchParams(request.query).toString();
    const body = new URLSearchParams(request.form).toString();
    const sent = fc.asyncProperty(fc.nat(), anything, fc.nat(5), async (where, text, kind) => {
      const bare = encodeURI(Buffer.from(text).toString()).replace(/#/g, '%23');
      if (kind === 0) await send(request, { query: `${search}&${bare}` });
      else if (kind === 1)
        await send(request, { query: search.slice(0, where % 200), body: body.slice(where % 99) });
      else if (kind === 2) await send(request, { body: text });
      else await send(mutated(request, where, text));
    });
    await fc.assert(sent, { numRuns: fuzzRuns });
  },
  FUZZ_TIMEOUT_MS,
);

it('[IDP-02] and the pages go on', async () => {
  const info = await pool.app.inject({
    url: '/identity/oauth2/userInfo',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(info.statusCode).toBe(200);
});

it('[IDP-02] other methods and media types are refused', async () => {
  for (const { path } of requests) {
    for (const method of ['PUT', 'PATCH', 'HEAD'] as const) {
      const answer = await pool.app.inject({ method, url: `/identity${path}` });
      expect(answer.statusCode, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, `${method} ${path}`).toBeLessThan(500);
    }
  }
  for (const path of ['/oauth2/token', '/oauth2/revoke', `/login?${buildAuthorizationQuery(challenge)}`]) {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const headers = { 'content-type': type, cookie };
      const answer = await pool.app.inject({
        method: 'POST',
        url: `/identity${path}`,
        headers,
        payload: '{}',
      });
      expect(answer.statusCode, `${type} ${path}`).toBe(415);
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie };
    const payload = `a=${'x'.repeat(70_000)}`;
    const answer = await pool.app.inject({ method: 'POST', url: `/identity${path}`, headers, payload });
    expect(answer.statusCode, path).toBe(413);
  }
});

it('[IDP-02] the log holds no code, token, state or cookie of it', () => {
  const text = log.join('');
  expect(log.length).toBeGreaterThan(1000);
  const secrets = [code, visitState, email, password, tokens.access_token, tokens.refresh_token];
  for (const secret of [...secrets, ...browser.cookies.values()])
    expect(text.includes(secret ?? 'none')).toBe(false);
});
