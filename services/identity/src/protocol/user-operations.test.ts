import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestPool, poolId, startPool } from '../testing/pool.ts';

const adminKey = 'key-of-other-servers-in-the-tests';
const { connection, pool } = await createTestPool({ adminKey });

const remove = (Username: string, authorization?: string, UserPoolId = poolId) =>
  pool.call(
    'AdminDeleteUser',
    { UserPoolId, Username },
    { headers: authorization === undefined ? {} : { authorization } },
  );

it('[SHELL-03] a server with the key deletes an account, with its sessions', async () => {
  const { email, sub } = await pool.createUser();
  const AccessToken = (await pool.signIn(email)).at('AuthenticationResult', 'AccessToken');
  expect((await remove(sub, `Bearer ${adminKey}`)).body).toEqual({});
  expect((await pool.call('GetUser', { AccessToken })).status).toBe(400);
  expect((await pool.signIn(email)).at('message')).toBe('Incorrect username or password.');
  expect((await remove(sub, `Bearer ${adminKey}`)).error).toBe('UserNotFoundException: User does not exist.');
});

it.each([
  ['no key', undefined, poolId, 'MissingAuthenticationTokenException'],
  ['another key', 'Bearer key-of-somebody-else', poolId, 'UnrecognizedClientException'],
  ['the key in another scheme', `Basic ${adminKey}`, poolId, 'MissingAuthenticationTokenException'],
  ['another pool', `Bearer ${adminKey}`, 'local_Other', 'ResourceNotFoundException'],
])('[IDP-03] refuses a request with %s', async (_, authorization, userPoolId, type) => {
  const { email, sub } = await pool.createUser();
  expect((await remove(sub, authorization, userPoolId)).at('__type')).toBe(type);
  expect((await pool.signIn(email)).status).toBe(200);
});

it('[IDP-03] refuses the access token of a user', async () => {
  const [ana, eva] = [await pool.createUser(), await pool.createUser()];
  const token = (await pool.signIn(ana.email)).at('AuthenticationResult', 'AccessToken');
  expect((await remove(eva.sub, `Bearer ${token}`)).at('__type')).toBe('UnrecognizedClientException');
});

it('[IDP-03] without a configured key the operation does not exist', async () => {
  const closed = await startPool(connection);
  const body = { UserPoolId: poolId, Username: randomUUID() };
  const headers = { authorization: 'Bearer undefined' };
  expect((await closed.call('AdminDeleteUser', body, { headers })).at('__type')).toBe(
    'UnknownOperationException',
  );
});
