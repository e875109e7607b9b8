import { randomUUID } from 'node:crypto';
import { api } from '@escucho/contracts';
import { openDatabase } from '@escucho/database';
import { createJobQueue } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import {
  callOperation,
  password,
  prepareProduct,
  requestOperation,
  signInByPassword,
} from './testing/product.ts';

const { connection, instance, build } = await prepareProduct();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'account test', maxConnections: 1 });
const env = {
  // A public URL that does not lead here: the services must not need it to reach each other.
  PUBLIC_URL: 'https://escucho.invalid',
  DEMO: 'true',
  IDENTITY_ALLOW: 'USER_PASSWORD_AUTH',
};
const { app } = await build(env);
afterAll(() => db.destroy());
const { clientId: ClientId } = instance;

/** Signs up, confirms, signs in and requests a reset code, so that every table of the provider has a row. */
async function createUser() {
  const email = `user-${randomUUID()}@escucho.test`;
  const attributes = [{ Name: 'given_name', Value: 'Nora' }];
  const { UserSub } = await callOperation(app, 'SignUp', {
    ClientId,
    Username: email,
    Password: password,
    UserAttributes: attributes,
  });
  const mails = (await app.inject(`/outbox/messages?to=${email}`)).json();
  await callOperation(app, 'ConfirmSignUp', { ClientId, Username: email, ConfirmationCode: mails[0].code });
  await callOperation(app, 'ForgotPassword', { ClientId, Username: email });
  const tokens = await signInByPassword(app, ClientId, email);
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
  const token = String(tokens.AccessToken);
  const refresh = String(tokens.RefreshToken);
  return { email, sub: String(UserSub), id: String(user._id), call, token, refresh };
}

/** Finds the tables of all services that contain one of the texts. */
async function findTablesWith(...texts: string[]) {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql`
      select 1 from ${sql.table(`${schema}.${name}`)} t
      where exists (select from unnest(${texts}::text[]) as searched(text) where position(searched.text in t::text) > 0)
      limit 1`.execute(db);
    if (rows.length > 0) found.push(`${schema}.${name}`);
  }
  return found.sort();
}

type TestUser = Awaited<ReturnType<typeof createUser>>;

it.each([
  ['the portal', ({ call }: TestUser) => call(api.account.deleteAccount)],
  ['the provider', ({ token }: TestUser) => requestOperation(app, 'DeleteUser', { AccessToken: token })],
])('[SHELL-03] an account deleted at %s leaves no row in any service', async (_at, deleteAccount) => {
  const user = await createUser();
  const { email, sub, id, call, refresh } = user;
  expect(await findTablesWith(email, sub, id)).toEqual([
    'audit.event',
    'billing.subscriber',
    'identity.account',
    'identity.attempt_counter',
    'identity.outbox_mail',
    'identity.session',
    'identity.verification_code',
    'portal.subscription_sync',
    'portal.users',
  ]);
  const response = await deleteAccount(user);
  expect([response.statusCode, response.json()]).toEqual([200, {}]);
  await settleJobs(db, createJobQueue('portal'));
  expect(await findTablesWith(email, sub, id)).toEqual([]);
  expect((await call(api.auth.me)).statusCode).toBe(401);
  const refreshed = await requestOperation(app, 'GetTokensFromRefreshToken', {
    ClientId,
    RefreshToken: refresh,
  });
  expect(refreshed.json().__type).toBe('NotAuthorizedException');
});

it('[SHELL-03] DeleteUser deletes nothing where the portal cannot be reached', async () => {
  const { call, token: AccessToken } = await createUser();
  const DATABASE_URL = 'postgres://escucho@localhost/escucho';
  const { app: identityOnly } = await build({ ...env, ROLES: 'identity', DATABASE_URL });
  const response = await requestOperation(identityOnly, 'DeleteUser', { AccessToken });
  expect([response.statusCode, response.json().__type]).toEqual([503, 'ServiceUnavailableException']);
  expect((await requestOperation(app, 'GetUser', { AccessToken })).statusCode).toBe(200);
  expect((await call(api.auth.me)).statusCode).toBe(200);
});

it('[SHELL-03] an export contains the data of the portal and the identity provider', async () => {
  const { email, sub, id, call } = await createUser();
  const exported = api.account.exportAccount.response.parse((await call(api.account.exportAccount)).json());
  expect(exported.records.users).toMatchObject([{ id, email, level: 'B1' }]);
  expect(exported.signIn?.attributes).toMatchObject({ sub, email, given_name: 'Nora' });
  expect(exported.signIn?.sessions).toMatchObject([{ isCurrent: true }]);
});

it('[AUTH-09] the API refuses a session after its global sign-out', async () => {
  const { call, refresh } = await createUser();
  expect((await call(api.auth.me)).statusCode).toBe(200);
  const refreshed = await callOperation(app, 'GetTokensFromRefreshToken', {
    ClientId,
    RefreshToken: refresh,
  });
  const token: string = refreshed.AuthenticationResult.AccessToken;
  await callOperation(app, 'GlobalSignOut', { AccessToken: token });
  // This token was not used before, so its state is not cached.
  const response = await app.inject({
    url: `/api${api.auth.me.path}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
});

it('[IDP-03] a refresh returns another refresh token', async () => {
  const { refresh } = await createUser();
  const refreshed = await callOperation(app, 'GetTokensFromRefreshToken', {
    ClientId,
    RefreshToken: refresh,
  });
  expect(refreshed.AuthenticationResult.RefreshToken).toMatch(/^[\w-]{64}$/);
  expect(refreshed.AuthenticationResult.RefreshToken).not.toBe(refresh);
});
