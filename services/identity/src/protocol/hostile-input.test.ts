import { randomUUID } from 'node:crypto';
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
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createSearchedLog, watchIdentityRows } from '../testing/hostile-input.ts';
import { clientId, createTestPool, issuer, password, poolId } from '../testing/pool.ts';

liftRateLimits();
const log = createSearchedLog();
const identityPoolId = 'local:12345678-1234-1234-1234-123456789012';
const adminKey = 'key-of-other-servers-in-the-tests';
const { pool, db, connection } = await createTestPool({
  logger: log.logger,
  identityPoolId,
  adminKey,
  customAuth: true,
  passkeys: { id: 'escucho.test', name: 'Escucho', origins: ['https://escucho.test'] },
});

const { email } = await pool.createUser();
const session = await pool.signIn(email);
const accessToken = session.at('AuthenticationResult', 'AccessToken');
const refreshToken = session.at('AuthenticationResult', 'RefreshToken');
await pool.call('ForgotPassword', { ClientId: clientId, Username: email });
const resetCode = await pool.getLatestCode(email);
log.addSecrets([password, adminKey, 'Otra2026x', accessToken, refreshToken, `"${resetCode}"`, email]);
const srpSignIn = await pool.startSignIn(email);
const customChallenge = await pool.call('InitiateAuth', {
  ClientId: clientId,
  AuthFlow: 'CUSTOM_AUTH',
  AuthParameters: { USERNAME: email },
});

const passkeyChallenge = await pool.call('InitiateAuth', {
  ClientId: clientId,
  AuthFlow: 'USER_AUTH',
  AuthParameters: { PREFERRED_CHALLENGE: 'WEB_AUTHN' },
});
const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} };

const client = { ClientId: clientId, ClientMetadata: { language: 'es' } };

/** Bodies by operation that are accepted or nearly so; hostile values replace their members. */
const bodies: Record<string, object> = {
  SignUp: {
    ...client,
    Username: 'NEW_USER@escucho.test',
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
    ChallengeResponses: srpSignIn.solve('Wrong2026'),
  },
  'InitiateAuth CUSTOM_AUTH': { ...client, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: email } },
  'RespondToAuthChallenge CUSTOM_CHALLENGE': {
    ...client,
    ChallengeName: 'CUSTOM_CHALLENGE',
    ChallengeResponses: { USERNAME: email, ANSWER: 'wrong' },
    Session: customChallenge.at('Session'),
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
      { Name: 'email', Value: 'NEW_USER@escucho.test' },
    ],
  },
  GetUserAttributeVerificationCode: { AccessToken: accessToken, AttributeName: 'email' },
  VerifyUserAttribute: { AccessToken: accessToken, AttributeName: 'email', Code: '123456' },
  DeleteUser: { AccessToken: `${accessToken}x` },
  'InitiateAuth USER_AUTH': {
    ...client,
    AuthFlow: 'USER_AUTH',
    AuthParameters: { USERNAME: email, PREFERRED_CHALLENGE: 'WEB_AUTHN' },
  },
  'RespondToAuthChallenge WEB_AUTHN': {
    ...client,
    ChallengeName: 'WEB_AUTHN',
    ChallengeResponses: {
      CREDENTIAL: JSON.stringify({ ...credential, response: { clientDataJSON: 'e30' } }),
    },
    Session: passkeyChallenge.at('Session'),
  },
  AssociateSoftwareToken: { AccessToken: accessToken },
  VerifySoftwareToken: { AccessToken: accessToken, UserCode: '123456', FriendlyDeviceName: 'Phone' },
  SetUserMFAPreference: { AccessToken: accessToken, SoftwareTokenMfaSettings: { Enabled: true } },
  CreateRecoveryCodes: { AccessToken: accessToken },
  GetRecoveryCodes: { AccessToken: `${accessToken}x` },
  StartWebAuthnRegistration: { AccessToken: `${accessToken}x` },
  CompleteWebAuthnRegistration: {
    AccessToken: accessToken,
    Credential: { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'e30' } },
    FriendlyCredentialName: 'Phone',
  },
  ListWebAuthnCredentials: { AccessToken: `${accessToken}x` },
  DeleteWebAuthnCredential: { AccessToken: accessToken, CredentialId: 'AAAA' },
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

/** Returns every path into a body. */
function listPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...path, key]))];
}

function replaceAt(value: unknown, [step, ...rest]: string[], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  const entries = Object.entries(Object(value)).map(([key, inner]) => [
    key,
    key === step ? replaceAt(inner, rest, replacement) : inner,
  ]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

const systematic = Object.entries(bodies).flatMap(([operation, body]) =>
  listPaths(body).flatMap((path) =>
    hostileValues.map((value) => ({ operation, body: JSON.stringify(replaceAt(body, path, value)) })),
  ),
);

const hostile = fc.oneof(fc.constantFrom(...hostileValues), arbitraryText, fc.jsonValue());
/** Creates arbitrary bodies of an operation: any JSON, or the valid body with a member replaced or added. */
const createBodyArbitrary = (operation: string) =>
  fc.tuple(fc.nat(), hostile, fc.nat(9), fc.json()).map(([where, value, kind, json]) => {
    const body = bodies[operation];
    const all = listPaths(body);
    const path = all[where % all.length] ?? [];
    if (kind === 0) return json;
    if (kind === 1) return JSON.stringify(body).slice(0, where % 200);
    if (kind === 2) {
      const name = typeof value === 'string' ? value : 'Extra';
      return JSON.stringify({ ...body, [name]: value });
    }
    return JSON.stringify(replaceAt(body, path, value)) ?? '';
  });

const rows = await watchIdentityRows(connection);
afterAll(rows.close);
const { measureHeap, testHeap } = trackHeap();

const ACCEPTED_UNTIL_DELETED = 200;
let accepted = 0;

/** Returns the rows that were changed since the last call, and deletes at times what accepted requests have created. */
async function listChanges(): Promise<string[]> {
  const changes = await rows.listChanges();
  if (accepted < ACCEPTED_UNTIL_DELETED) return changes;
  accepted = 0;
  await sql`delete from outbox_mail`.execute(db);
  await sql`delete from verification_code where user_id not in (select id from account)`.execute(db);
  await sql`delete from account where email like 'new-%'`.execute(db);
  await rows.listChanges();
  return changes;
}

interface TestRequest {
  operation: string;
  body: string;
}
let signUps = 0;

/** Sends a body, with another address at each sign-up. Returns whether it was refused. */
async function send({ operation, body }: TestRequest): Promise<boolean> {
  signUps += 1;
  const headers = { authorization: `Bearer ${adminKey}` };
  const [target = ''] = operation.split(' ');
  const reply = await pool.call(target, body.replaceAll('NEW_USER', `new-${signUps}`), { headers });
  const isRefused = reply.status === 400;
  if (reply.status === 200) accepted += 1;
  else if (!isRefused || !/^[A-Z]\w+Exception$/.test(reply.at('__type'))) {
    throw new Error(`${reply.status} ${reply.at('__type')} for ${operation} ${body}`);
  }
  return isRefused;
}

/** Wrong codes are counted, and reset between batches: in a larger one, more requests find the count used up. */
const batchSize = 8;

it('[IDP-03] a hostile value gets 200, or 400 and changes nothing', async () => {
  const refused = new Set<string>();
  await sendHostileRequests({
    requests: systematic,
    async send(request) {
      const isRefused = await send(request);
      if (isRefused) refused.add(request.operation);
      return isRefused;
    },
    listChanges,
    batchSize,
  });
  expect([...refused].sort()).toEqual(Object.keys(bodies).sort());
}, 120_000);

it.each(selectShard(Object.keys(bodies)))(
  '[IDP-03] [API-03] a random body of %s gets 200, or 400 and changes nothing',
  async (operation) => {
    const requests = sampleRequests(createBodyArbitrary(operation)).map((body) => ({ operation, body }));
    await sendHostileRequests({ requests, send, listChanges, batchSize });
    measureHeap();
  },
  FUZZ_TIMEOUT_MS,
);

it('[IDP-03] a valid request still succeeds', async () => {
  expect((await pool.call('GetUser', { AccessToken: accessToken })).status).toBe(200);
});

testHeap();

it('[IDP-03] the log contains no password, token or code', () => {
  expect(log.countLines()).toBeGreaterThan(1500);
  expect(log.findSecrets()).toEqual([]);
});
