import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  clientId,
  createTestLog,
  createTestPool,
  FUZZ_TIMEOUT_MS,
  fuzzRuns,
  issuer,
  password,
  poolId,
} from '../testing/pool.ts';

const { log, logger } = createTestLog();
const identityPoolId = 'local:12345678-1234-1234-1234-123456789012';
const adminKey = 'key-of-other-servers-in-the-tests';
const { pool, db } = await createTestPool({ logger, identityPoolId, adminKey });

const { email } = await pool.createUser();
const session = await pool.signIn(email);
const accessToken = session.at('AuthenticationResult', 'AccessToken');
const refreshToken = session.at('AuthenticationResult', 'RefreshToken');
await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
const resetCode = await pool.getLatestCode(email);
const begun = await pool.startSignIn(email);

const client = { ClientId: clientId, ClientMetadata: { language: 'es' } };

/** For each operation a body that would be taken, or nearly: what is hostile is put into these. */
const bodies: Record<string, object> = {
  SignUp: {
    ...client,
    Username: 'NEWCOMER@escucho.test',
    Password: password,
    UserAttributes: [
      { Name: 'given_name', Value: 'Ana' },
      { Name: 'phone_number', Value: '+51999888777' },
    ],
  },
  ConfirmSignUp: { ...client, Username: email, ConfirmationCode: '123456' },
  ResendConfirmationCode: { ...client, Username: email },
  ForgotPassword: { ...client, Username: email },
  ConfirmForgotPassword: { ...client, Username: email, ConfirmationCode: 'x', Password: 'Otra2026x' },
  InitiateAuth: {
    ...client,
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: email, SRP_A: 'abc123', REFRESH_TOKEN: 'x' },
  },
  RespondToAuthChallenge: {
    ...client,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: begun.solve('Wrong2026'),
  },
  GetTokensFromRefreshToken: { ...client, RefreshToken: `${refreshToken}x` },
  RevokeToken: { ClientId: clientId, Token: `${refreshToken}x` },
  GetUser: { AccessToken: `${accessToken}x` },
  GlobalSignOut: { AccessToken: `${accessToken}x` },
  ChangePassword: { AccessToken: accessToken, PreviousPassword: 'Wrong2026', ProposedPassword: 'Otra2026x' },
  UpdateUserAttributes: {
    AccessToken: accessToken,
    UserAttributes: [
      { Name: 'given_name', Value: 'Ana' },
      { Name: 'email', Value: 'NEWCOMER@escucho.test' },
    ],
  },
  GetUserAttributeVerificationCode: { AccessToken: accessToken, AttributeName: 'email' },
  VerifyUserAttribute: { AccessToken: accessToken, AttributeName: 'email', Code: '123456' },
  DeleteUser: { AccessToken: `${accessToken}x` },
  AdminDeleteUser: { UserPoolId: poolId, Username: randomUUID() },
  'AWSCognitoIdentityService.GetId': {
    IdentityPoolId: identityPoolId,
    Logins: { [issuer.slice('http://'.length)]: `${accessToken}x` },
  },
  'AWSCognitoIdentityService.GetCredentialsForIdentity': {
    IdentityId: identityPoolId,
    Logins: { [issuer.slice('http://'.length)]: `${accessToken}x` },
  },
};

const hostileValues: readonly unknown[] = [
  '',
  '\u0000',
  `${email}\u0000`,
  'a\u0007b\u007f',
  '\ud800',
  "' or '1'='1'; drop table account; --",
  'ñandú 💥',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '<script>alert(1)</script>',
  '0'.repeat(1024),
  'x'.repeat(20_000),
  '\r\nx-injected: 1',
  null,
  true,
  0,
  -1,
  1e308,
  [],
  {},
  [[[]]],
  { toString: 'x', valueOf: 1 },
  JSON.parse('{"__proto__":{"ClientId":"x"},"constructor":{"prototype":{}}}'),
];

/** Every path into a body, as lists of steps. */
function paths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]))];
}

function mutated(value: unknown, [step, ...rest]: string[], put: unknown): unknown {
  if (step === undefined) return put;
  const entries = Object.entries(Object(value)).map(([key, inner]) => [
    key,
    key === step ? mutated(inner, rest, put) : inner,
  ]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

const systematic = Object.entries(bodies).flatMap(([operation, body]) =>
  paths(body).flatMap((path) =>
    hostileValues.map((put) => ({ operation, body: JSON.stringify(mutated(body, path, put)) })),
  ),
);

const hostile = fc.oneof(fc.constantFrom(...hostileValues), fc.string({ unit: 'binary' }), fc.jsonValue());
/** Anything in the place of an operation's body, or of a part of it. */
const requestOf = (operation: string) =>
  fc.tuple(fc.nat(), hostile, fc.nat(9), fc.json()).map(([where, put, kind, json]) => {
    const body = bodies[operation];
    const all = paths(body);
    const path = all[where % all.length] ?? [];
    if (kind === 0) return json;
    if (kind === 1) return JSON.stringify(body).slice(0, where % 200);
    if (kind === 2) {
      const name = typeof put === 'string' ? put : 'Extra';
      return JSON.stringify({ ...body, [name]: put });
    }
    return JSON.stringify(mutated(body, path, put)) ?? '';
  });

/** What the tables hold. Limits and burnt codes would hide what lies behind them: they are lifted in the same breath. */
async function contents(): Promise<string> {
  const { rows } = await sql<{ contents: string }>`
    with lifted as (delete from attempt_counter), used as (delete from used_handshake),
      whole as (update verification_code set failed_attempts = 0 where failed_attempts > 0)
    select md5(concat(
      (select string_agg(account::text, ';' order by id) from account),
      (select string_agg(session::text, ';' order by id) from session),
      (select string_agg(refresh_token::text, ';' order by hash) from refresh_token),
      (select string_agg(signing_key::text, ';' order by id) from signing_key),
      (select string_agg(outbox_mail::text, ';' order by id) from outbox_mail)
    )) as contents`.execute(db);
  return rows[0]?.contents ?? '';
}

/** What requests that were taken have left is cleared away: ten thousand newcomers would make every look slow. */
async function clear(): Promise<void> {
  await sql`delete from outbox_mail`.execute(db);
  await sql`delete from verification_code where user_id not in (select id from account)`.execute(db);
  await sql`delete from account where email like 'new-%'`.execute(db);
}

let before = await contents();
let newcomers = 0;

/** Sends a body; a newcomer's address is a new one each time. */
async function send(operation: string, body: string) {
  newcomers += 1;
  const headers = { authorization: `Bearer ${adminKey}` };
  const reply = await pool.call(operation, body.replaceAll('NEWCOMER', `new-${newcomers}`), { headers });
  expect([200, 400], `${operation} ${body}`).toContain(reply.status);
  if (reply.status === 200) await clear();
  const after = await contents();
  if (reply.status === 400) {
    expect(reply.at('__type')).toMatch(/^[A-Z]\w+Exception$/);
    expect(after, `${operation} ${body}`).toBe(before);
  }
  before = after;
  return reply.status;
}

it('[IDP-03] every hostile value gets 200, or 4xx and changes nothing', async () => {
  const refused = new Set<string>();
  for (const { operation, body } of systematic) {
    if ((await send(operation, body)) === 400) refused.add(operation);
  }
  expect([...refused].sort()).toEqual(Object.keys(bodies).sort());
}, 120_000);

it.each(Object.keys(bodies))(
  '[IDP-03] [API-03] so is whatever else is sent to %s',
  async (operation) => {
    const sent = fc.asyncProperty(requestOf(operation), async (body) => {
      await send(operation, body);
    });
    await fc.assert(sent, { numRuns: fuzzRuns });
  },
  FUZZ_TIMEOUT_MS,
);

it('[IDP-03] the provider still works afterwards', async () => {
  expect((await pool.call('GetUser', { AccessToken: accessToken })).status).toBe(200);
});

it('[IDP-03] the log holds no secret of it', () => {
  const text = log.join('');
  expect(log.length).toBeGreaterThan(1500);
  for (const secret of [
    password,
    adminKey,
    'Otra2026x',
    accessToken,
    refreshToken,
    `"${resetCode}"`,
    email,
  ]) {
    expect(text.includes(secret)).toBe(false);
  }
});
