import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { openDatabase } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { createJobQueue } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { openMediaStore } from '@escucho/portal';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { loadInstance } from './instance.ts';
import { readSettings } from './settings.ts';

const directory = await mkdtemp(join(tmpdir(), 'escucho-account-'));
const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'account test', maxConnections: 1 });
const instance = await loadInstance(join(directory, 'data'));
const app = await buildApp({
  settings: readSettings({
    DATA_DIR: join(directory, 'data'),
    LOG_LEVEL: 'silent',
    // A public address that does not lead here: the services must not need it to find each other.
    PUBLIC_URL: 'https://escucho.invalid',
    IDENTITY_ALLOW: 'USER_PASSWORD_AUTH',
  }),
  instance,
  connection,
  mediaStore: await openMediaStore({ directory: join(directory, 'media') }),
  webDirectory: join(directory, 'web'),
  probes: { database: async () => undefined },
});
afterAll(async () => {
  await app.close();
  await db.destroy();
  await rm(directory, { recursive: true, force: true });
});

const operation = (name: string, body: object) =>
  app.inject({
    method: 'POST',
    url: '/identity',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
    },
    payload: JSON.stringify({ ClientId: instance.clientId, ...body }),
  });

async function ask(name: string, body: object) {
  const answer = await operation(name, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const password = 'Escucho2026';

/** Signs up, confirms, signs in, and asks for something by mail, so that every store of the provider holds something. */
async function newReader() {
  const email = `reader-${randomUUID()}@escucho.test`;
  const named = [{ Name: 'given_name', Value: 'Nora' }];
  const { UserSub } = await ask('SignUp', { Username: email, Password: password, UserAttributes: named });
  const mails = (await app.inject(`/outbox/messages?to=${email}`)).json();
  await ask('ConfirmSignUp', { Username: email, ConfirmationCode: mails[0].code });
  await ask('ForgotPassword', { Username: email });
  const { AuthenticationResult: tokens } = await ask('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: email, PASSWORD: password },
  });
  const bearer = { authorization: `Bearer ${tokens.AccessToken}` };
  const call = (endpoint: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }, payload?: object) =>
    app.inject({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      headers: bearer,
      ...(payload && { payload }),
    });
  const { user } = (await call(api.auth.signInCognito, { idToken: tokens.IdToken })).json();
  await call(api.settings.changeSettings, { level: 'B1' });
  return { email, sub: String(UserSub), id: String(user._id), call, refresh: String(tokens.RefreshToken) };
}

/** The tables of every service in whose rows a text occurs. */
async function tracesOf(...texts: string[]) {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql`
      select 1 from ${sql.table(`${schema}.${name}`)} t
      where exists (select from unnest(${texts}::text[]) as given(text) where position(given.text in t::text) > 0)
      limit 1`.execute(db);
    if (rows.length > 0) found.push(`${schema}.${name}`);
  }
  return found.sort();
}

it('[SHELL-03] an account that is erased has left nothing in any table of any service', async () => {
  const { email, sub, id, call, refresh } = await newReader();
  expect(await tracesOf(email, sub, id)).toEqual([
    'billing.subscriber',
    'identity.account',
    'identity.attempt_counter',
    'identity.outbox_mail',
    'identity.session',
    'identity.verification_code',
    'portal.subscription_sync',
    'portal.users',
  ]);
  const answer = await call(api.account.deleteAccount);
  expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
  await settleJobs(db, createJobQueue('portal'));
  expect(await tracesOf(email, sub, id)).toEqual([]);
  expect((await call(api.auth.me)).statusCode).toBe(401);
  const again = await operation('GetTokensFromRefreshToken', { RefreshToken: refresh });
  expect(again.json().__type).toBe('NotAuthorizedException');
});

it('[SHELL-03] an export holds what the portal and the identity provider keep', async () => {
  const { email, sub, id, call } = await newReader();
  const records = api.account.exportAccount.response.parse((await call(api.account.exportAccount)).json());
  expect(records.records.users).toMatchObject([{ id, email, level: 'B1' }]);
  expect(records.signIn?.attributes).toMatchObject({ sub, email, given_name: 'Nora' });
  expect(records.signIn?.sessions).toMatchObject([{ isCurrent: true }]);
});
