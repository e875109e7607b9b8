import { publicConfig } from '@escucho/contracts';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createInjectFetch } from './services.ts';
import { prepareProduct } from './testing/product.ts';

const { instance, createApp } = await prepareProduct();
const app = await createApp();

describe('public URLs', () => {
  it('/config.json has the URLs of the request’s origin, and one issuer', async () => {
    const response = await app.inject({ url: '/config.json', headers: { host: '127.0.0.1:3000' } });
    const config = publicConfig.parse(response.json());
    expect(config.api).toBe('http://127.0.0.1:3000/api');
    expect(config.identity.endpoint).toBe('http://127.0.0.1:3000/identity');
    expect(config.identity.issuer).toBe(`http://localhost:3000/identity/${instance.userPoolId}`);
    expect(config.identity.userPoolId).toMatch(/^local_[0-9A-Za-z]{9}$/);
    expect(config.outbox).toBe('http://127.0.0.1:3000/outbox');
  });

  it.each(['a:b', '['])('/config.json has the default URLs where the Host header is %j', async (host) => {
    const response = await app.inject({ url: '/config.json', headers: { host } });
    expect(publicConfig.parse(response.json()).api).toBe('http://localhost:3000/api');
  });

  const getConfig = async (host: string, at = app) =>
    publicConfig.parse((await at.inject({ url: '/config.json', headers: { host } })).json());

  it('[IDP-02] /config.json has the hosted pages of the request’s origin and all redirect URIs', async () => {
    const { oauth } = (await getConfig('127.0.0.1:3000')).identity;
    expect(oauth).toEqual({
      domain: '127.0.0.1:3000/identity',
      scopes: ['phone', 'email', 'profile', 'openid', 'aws.cognito.signin.user.admin'],
      redirectSignIn: ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'].map(
        (host) => `http://${host}/auth/sign-in`,
      ),
      redirectSignOut: ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'].map(
        (host) => `http://${host}/auth/sign-out`,
      ),
      providers: ['Facebook', 'Google'],
    });
    expect((await getConfig('evil.example')).identity.oauth).toBeNull();
  });

  it('[IDP-02] the hosted pages accept the OAuth configuration and simulate Google', async () => {
    const { identity } = publicConfig.parse((await app.inject('/config.json')).json());
    const authorize = async (params: object, at = app) => {
      const query = new URLSearchParams({
        client_id: identity.clientId,
        response_type: 'code',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        ...params,
      });
      const response = await at.inject({
        url: `/identity/oauth2/authorize?${query}`,
        headers: { host: 'localhost:3000' },
      });
      return String(response.headers.location);
    };
    for (const redirect_uri of ['http://localhost:3000/auth/sign-in', 'http://127.0.0.1:3000/auth/sign-in']) {
      expect(await authorize({ redirect_uri })).toMatch(/^\/identity\/login\?/);
      expect(await authorize({ redirect_uri, identity_provider: 'Google' })).toMatch(
        /^http:\/\/localhost:3000\/identity\/stand-in\?state=/,
      );
    }
    const withoutDemo = await createApp({ DEMO: 'false' });
    const refused = { redirect_uri: 'http://localhost:3000/auth/sign-in', identity_provider: 'Google' };
    expect(await authorize(refused, withoutDemo)).toContain('error=invalid_request');
    const { oauth } = (await getConfig('localhost:3000', withoutDemo)).identity;
    expect(oauth?.providers).toEqual([]);
  });

  it('[IDP-02] the hosted pages have their own security headers', async () => {
    const login = await app.inject('/identity/login');
    expect(login.statusCode).toBe(400);
    expect(login.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('[IDP-02] an external provider is published by its domain and allowed by the policy', async () => {
    const external = await createApp({
      IDENTITY_USER_POOL_ID: 'eu-west-1_Ab12Cd34E',
      IDENTITY_CLIENT_ID: 'abc',
      IDENTITY_OAUTH_DOMAIN: 'escucho.auth.eu-west-1.amazoncognito.com',
      PUBLIC_URL: 'https://escucho.example',
    });
    const config = publicConfig.parse((await external.inject('/config.json')).json());
    expect(config.identity.oauth).toMatchObject({
      domain: 'escucho.auth.eu-west-1.amazoncognito.com',
      redirectSignIn: ['https://escucho.example/auth/sign-in'],
    });
    expect(config.identity.oauth).not.toHaveProperty('providers');
    const policy = (await external.inject('/')).headers['content-security-policy'];
    expect(policy).toContain('https://escucho.auth.eu-west-1.amazoncognito.com');
  });

  it('a configured public URL does not follow the Host header', async () => {
    const app = await createApp({ DEMO: 'true', PUBLIC_URL: 'https://escucho.example.org/' });
    const config = (await app.inject({ url: '/config.json', headers: { host: 'evil.example' } })).json();
    expect(config.api).toBe('https://escucho.example.org/api');
  });

  it.each([
    ['/health', 200],
    ['/health/ready', 200],
    ['/metrics', 200],
    ['/api/openapi.json', 200],
    ['/outbox/messages', 200],
    [`/identity/${instance.userPoolId}/.well-known/jwks.json`, 200],
    ['/api/nowhere', 404],
    ['/media/nowhere', 403],
    ['/billing/nowhere', 404],
    ['/api/auth/me', 401],
  ])('%s responds with %i', async (url, status) => {
    expect((await app.inject(url)).statusCode).toBe(status);
  });

  it.each([
    ['PUT', '/api/auth/me', 'GET, HEAD'],
    ['GET', '/api/playlist', 'POST, PUT'],
    ['GET', '/identity', 'OPTIONS, POST'],
    ['PUT', '/identity/oauth2/token', 'POST'],
    ['GET', '/billing/rcbilling/v1/subscribe', 'POST'],
    ['DELETE', '/billing/v1/subscribers/x/offerings', 'GET, HEAD'],
  ] as const)('%s %s responds with 405 and Allow: %s', async (method, url, allow) => {
    const response = await app.inject({ method, url });
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
    expect(response.headers['content-type']).toMatch(/json/);
  });

  it.each([
    ['PUT', '/api/nowhere'],
    ['DELETE', '/identity/nowhere'],
    ['PUT', '/billing/nowhere'],
    ['POST', '/discover'],
  ] as const)('%s %s responds with 404', async (method, url) => {
    expect((await app.inject({ method, url })).statusCode).toBe(404);
  });

  it.each([
    ['/billing/nowhere', 404],
    ['/billing/rcbilling/v1/subscribe', 405],
  ])('[RCB-01] the billing provider refuses GET %s with %i in its own protocol', async (url, status) => {
    const response = await app.inject(url);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect([response.statusCode, response.json()]).toEqual([
      status,
      { code: 7226, message: expect.any(String) },
    ]);
  });

  it('[AUTH-12] /config.json enables guest access only where it is allowed', async () => {
    const { guestAccess, identityPoolId, passkeys } = (await app.inject('/config.json')).json().identity;
    expect([guestAccess, passkeys]).toEqual([true, true]);
    const closed = await createApp({ IDENTITY_ALLOW: '' });
    const { identity } = (await closed.inject('/config.json')).json();
    expect(identity.guestAccess).toBe(false);
    expect(identity).not.toHaveProperty('identityPoolId');
    const getId = (at: typeof app) =>
      at.inject({
        method: 'POST',
        url: '/identity',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': 'AWSCognitoIdentityService.GetId',
        },
        payload: JSON.stringify({ IdentityPoolId: identityPoolId }),
      });
    expect((await getId(app)).json().IdentityId).toMatch(/^local:/);
    expect((await getId(closed)).json().__type).toBe('UnknownOperationException');
  });

  it('[AUTH-13] /config.json offers mailed codes, which need no optional feature', async () => {
    const closed = await createApp({ IDENTITY_ALLOW: '' });
    const { identity } = publicConfig.parse((await closed.inject('/config.json')).json());
    expect(identity.isEmbedded).toBe(true);
    const response = await closed.inject({
      method: 'POST',
      url: '/identity',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
      },
      payload: JSON.stringify({
        AuthFlow: 'USER_AUTH',
        ClientId: identity.clientId,
        AuthParameters: { USERNAME: 'ana@example.org', PREFERRED_CHALLENGE: 'EMAIL_OTP' },
      }),
    });
    expect(response.json().ChallengeName).toBe('EMAIL_OTP');
  });

  it('[IDP-04] there is no outbox where mail is sent', async () => {
    const sending = await createApp({
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'no-reply@escucho.example',
    });
    expect((await sending.inject('/outbox/messages')).statusCode).toBe(404);
    expect((await sending.inject('/config.json')).json().outbox).toBeNull();
  });

  it('there is no outbox without demo mode', async () => {
    const withoutDemo = await createApp({ DEMO: 'false' });
    expect((await withoutDemo.inject('/outbox/messages')).statusCode).toBe(404);
    expect((await withoutDemo.inject('/config.json')).json().outbox).toBeNull();
  });
});

it.each([204, 205, 304])('a service may respond to another with %i', async (status) => {
  const service = fastify();
  service.get('/', (_request, reply) => reply.status(status).send('no body has this status'));
  const response = await createInjectFetch(service)?.('http://localhost/', {});
  expect([response?.status, response?.body]).toEqual([status, null]);
});

it('a request to a service of the same process ends with its signal', async () => {
  const service = fastify();
  service.get('/', () => new Promise<never>(() => undefined));
  const response = createInjectFetch(service)?.('http://localhost/', { signal: AbortSignal.timeout(10) });
  await expect(response).rejects.toThrow(/abort/i);
});

describe('readiness', () => {
  it('fails while the database is unreachable; liveness does not', async () => {
    const broken = await createApp({}, async () => {
      throw new Error('gone');
    });
    const ready = await broken.inject('/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ status: 'failing', checks: { database: 'failing' } });
    expect((await broken.inject('/health')).statusCode).toBe(200);
  });
});
