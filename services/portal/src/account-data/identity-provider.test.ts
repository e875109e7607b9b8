import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { AppError } from '@escucho/contracts';
import { listenOnLoopback } from '@escucho/database/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createCognitoProvider } from './identity-provider.ts';

const asked: { target: unknown; signature: string; body: unknown }[] = [];
const providerResponse = { status: 200, body: {} };
const amazon = createServer(async (request, response) => {
  const { 'x-amz-target': target, authorization = '' } = request.headers;
  // Up to the access key, which the scope of the signature follows.
  const [signature = ''] = authorization.split('/', 1);
  asked.push({ target, signature, body: await json(request) });
  response.writeHead(providerResponse.status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(providerResponse.body));
});
const port = await listenOnLoopback(amazon);
beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => vi.unstubAllEnvs());

const options = {
  endpoint: `http://127.0.0.1:${port}`,
  userPoolId: 'eu-west-1_Ab12Cd34E',
  listsSessions: false,
  adminKey: undefined,
};
const provider = createCognitoProvider(options);

it.each([
  ['the credentials of the environment', undefined, 'AKIATEST'],
  ['keys of the settings', { accessKeyId: 'AKIAFILE', secretAccessKey: 'other' }, 'AKIAFILE'],
])('[SHELL-03] deletes an account at Amazon with %s', async (_name, awsKeys, accessKeyId) => {
  Object.assign(providerResponse, { status: 200, body: {} });
  asked.length = 0;
  await createCognitoProvider({ ...options, awsKeys }).deleteAccount('google_1234');
  expect(asked).toEqual([
    {
      target: 'AWSCognitoIdentityProviderService.AdminDeleteUser',
      signature: `AWS4-HMAC-SHA256 Credential=${accessKeyId}`,
      body: { UserPoolId: 'eu-west-1_Ab12Cd34E', Username: 'google_1234' },
    },
  ]);
});

it('[SHELL-03] an account unknown to Amazon counts as deleted', async () => {
  Object.assign(providerResponse, { status: 400, body: { __type: 'UserNotFoundException', message: '' } });
  await provider.deleteAccount('nobody');
});

it('[SHELL-03] fails without a retry when Amazon refuses', async () => {
  Object.assign(providerResponse, { status: 400, body: { __type: 'NotAuthorizedException', message: '' } });
  asked.length = 0;
  await expect(provider.deleteAccount('ana')).rejects.toEqual(new AppError('unavailable'));
  expect(asked).toHaveLength(1);
});
