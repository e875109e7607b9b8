import { describe, expect, it } from 'vitest';
import { oauthOptions } from '../testing/browser.ts';
import { clientId, createTestPool, issuer, password, poolId } from '../testing/pool.ts';

const { pool } = await createTestPool({ oauth: oauthOptions });

const target = (operation: string) => ({ 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` });

describe('the envelope', () => {
  it.each(['/identity', '/identity/'])('[IDP-01] operations are at %s', async (url) => {
    const reply = await pool.call('GetUser', { AccessToken: 'x' }, { url });
    expect(reply.at('message')).toBe('Invalid Access Token');
  });

  it('[IDP-01] an error is in headers and body, readable by any origin', async () => {
    const reply = await pool.call('SignUp', {
      ClientId: clientId,
      Username: 'ana@escucho.test',
      Password: 'weak',
    });
    const message = 'Password did not conform with policy: Password not long enough';
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ __type: 'InvalidPasswordException', message });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-errortype': 'InvalidPasswordException:',
      'x-amzn-errormessage': message,
      'x-amzn-requestid': expect.stringMatching(/.{8,}/),
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'x-amzn-errortype, x-amzn-errormessage, x-amzn-requestid, retry-after, ratelimit, ratelimit-policy',
    });
  });

  it('[IDP-01] responses are JSON of the protocol, not cached, readable by any origin', async () => {
    const reply = await pool.call('ForgotPassword', { ClientId: clientId, Username: 'ana@escucho.test' });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
  });

  it.each([
    '/identity',
    '/identity/',
    `/identity/${poolId}/.well-known/jwks.json`,
    '/identity/oauth2/token',
    '/identity/oauth2/revoke',
    '/identity/oauth2/userInfo',
    '/identity/sessions',
  ])("[IDP-01] browsers of other origins may send the clients' headers to %s", async (url) => {
    const response = await pool.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://other.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'cache-control,content-type,x-amz-target,x-amz-user-agent',
      },
    });
    expect(response.statusCode).toBe(204);
    const allowed = String(response.headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['cache-control', 'content-type', 'x-amz-target', 'x-amz-user-agent']),
    );
    expect(response.headers['access-control-allow-methods']).toContain('POST');
    expect(response.headers['access-control-allow-origin']).toBe('*');
  });

  it('[IDP-01] CORS allows any header of the AWS SDKs', async () => {
    const response = await pool.app.inject({
      method: 'OPTIONS',
      url: '/identity',
      headers: {
        origin: 'https://other.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'X-Amz-Date, x-amz-content-sha256,amz-sdk-retry,x-other,cookie',
      },
    });
    const allowed = String(response.headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['x-amz-date', 'x-amz-content-sha256', 'amz-sdk-retry']));
    expect(allowed).not.toContain('x-other');
    expect(allowed).not.toContain('cookie');
    expect(response.headers.vary).toMatch(/access-control-request-headers/i);
  });

  // Trying each space as the first one before a comma takes a minute.
  it('[IDP-01] CORS splits 200,000 spaces at once', { timeout: 10_000 }, async () => {
    const requested = `x-other${' '.repeat(200_000)}cookie`;
    const response = await pool.app.inject({
      method: 'OPTIONS',
      url: '/identity',
      headers: { 'access-control-request-headers': requested },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers['access-control-allow-headers']).not.toMatch(/x-other|cookie/);
  });

  it('[IDP-01] accepts application/json too', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const body = { ClientId: clientId, Username: 'ana@escucho.test' };
    expect((await pool.call('ForgotPassword', body, { headers })).status).toBe(200);
  });

  it.each([
    ['no operation', {}, '{}', 400, 'UnknownOperationException'],
    ['an unknown operation', target('AdminDeleteUser'), '{}', 400, 'UnknownOperationException'],
    ['an inherited property', target('constructor'), '{}', 400, 'UnknownOperationException'],
    [
      'a target of another service',
      { 'x-amz-target': 'AWSCognitoIdentityService.SignUp' },
      '{}',
      400,
      'UnknownOperationException',
    ],
    ['no target', {}, '{}', 400, 'UnknownOperationException'],
    [
      'no media type',
      { ...target('SignUp'), 'content-type': '' },
      '{}',
      415,
      'UnsupportedMediaTypeException',
    ],
    ['no JSON', target('SignUp'), '{"ClientId"', 400, 'SerializationException'],
    ['an empty body', target('SignUp'), '', 400, 'SerializationException'],
    ['a list', target('SignUp'), '[]', 400, 'SerializationException'],
    ['null', target('SignUp'), 'null', 400, 'SerializationException'],
    ['a text', target('SignUp'), '"x"', 400, 'SerializationException'],
    [
      'a form',
      { ...target('SignUp'), 'content-type': 'application/x-www-form-urlencoded' },
      'a=b',
      415,
      'UnsupportedMediaTypeException',
    ],
    [
      'a body of 257 kB',
      target('SignUp'),
      JSON.stringify('x'.repeat(257 * 1024)),
      413,
      'RequestEntityTooLargeException',
    ],
  ])('[IDP-01] %s is refused', async (_, headers, payload, status, type) => {
    const response = await pool.app.inject({
      method: 'POST',
      url: '/identity',
      headers: { 'content-type': 'application/x-amz-json-1.1', ...headers },
      payload,
    });
    expect([response.statusCode, response.json().__type]).toEqual([status, type]);
  });

  it.each([
    ['GET', '/identity', 405],
    ['PUT', '/identity', 405],
    ['GET', '/identity/nothing/here', 404],
    ['GET', `/identity/${poolId}/.well-known/constructor`, 404],
    ['GET', '/identity/local_Other/.well-known/jwks.json', 404],
  ] as const)('[IDP-01] %s %s is refused with %i, in the same envelope', async (method, url, status) => {
    const response = await pool.app.inject({ method, url });
    expect(response.statusCode).toBe(status);
    expect(response.json().__type).toMatch(/Exception$/);
    expect(response.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('constraints', () => {
  const signUp = { ClientId: clientId, Username: 'ana@escucho.test', Password: password };

  it.each<[object, string]>([
    [
      { ...signUp, Username: undefined },
      "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must not be null",
    ],
    [
      { ...signUp, Username: null },
      "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must not be null",
    ],
    [
      { ...signUp, Username: '' },
      "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must have length greater than or equal to 1; Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: /^[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+$/u",
    ],
    [
      { ...signUp, Password: 'x'.repeat(257) },
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must have length less than or equal to 256",
    ],
    [
      { ...signUp, UserAttributes: [{ Value: 'x' }] },
      "1 validation error detected: Value at 'userAttributes.1.member.name' failed to satisfy constraint: Member must not be null",
    ],
  ])('[IDP-01] %o', async (body, message) => {
    expect((await pool.call('SignUp', body)).error).toBe(`InvalidParameterException: ${message}`);
  });

  it.each([
    ['with 50 violations', { ...signUp, UserAttributes: Array.from({ length: 50 }, () => ({ Name: '' })) }],
    ['with a long name', { ...signUp, ClientMetadata: { ['x'.repeat(100_000)]: 'x' } }],
  ])('[IDP-03] the error of a body %s is short, as it is also a header', async (_, body) => {
    const reply = await pool.call('SignUp', body);
    expect(reply.error).toMatch(/^InvalidParameterException: \d+ validation errors? detected/);
    expect(String(reply.headers['x-amzn-errormessage']).length).toBeLessThan(4000);
  });

  it('[IDP-01] the error of an unknown flow lists the flows', async () => {
    const reply = await pool.call('InitiateAuth', { ClientId: clientId, AuthFlow: 'MAGIC' });
    expect(reply.error).toMatch(
      /^InvalidParameterException: 1 validation error detected: Value at 'authFlow' failed .* enum value set: \[USER_SRP_AUTH, /,
    );
  });

  it.each<object>([
    { ...signUp, Username: 5 },
    { ...signUp, Password: ['Escucho2026'] },
    { ...signUp, UserAttributes: 'x' },
    { ...signUp, UserAttributes: [5] },
    { ...signUp, ClientMetadata: [] },
  ])('[IDP-01] refuses a body with a wrong type: %o', async (body) => {
    expect((await pool.call('SignUp', body)).at('__type')).toBe('SerializationException');
  });

  it('[IDP-01] ignores members that the operations do not use', async () => {
    const body = {
      ...signUp,
      ValidationData: null,
      AnalyticsMetadata: { AnalyticsEndpointId: 'x' },
      UserContextData: {},
      SecretHash: 'x',
      ClientMetadata: null,
    };
    expect((await pool.call('SignUp', body)).status).toBe(200);
  });
});

describe('discovery', () => {
  it('[IDP-01] the key set contains public keys only', async () => {
    const response = await pool.app.inject(`/identity/${poolId}/.well-known/jwks.json`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('public, max-age=300');
    for (const key of response.json().keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(key).toMatchObject({ alg: 'RS256', kty: 'RSA', use: 'sig', e: 'AQAB' });
    }
  });

  it('[IDP-01] the configuration has the issuer whatever the Host header is', async () => {
    const response = await pool.app.inject({
      url: `/identity/${poolId}/.well-known/openid-configuration`,
      headers: { host: 'other.test' },
    });
    expect(response.json()).toMatchObject({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` });
  });
});
