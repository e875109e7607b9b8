import { openPool } from '@escucho/database';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { authorize, exchangeCode, oauthOptions } from '../testing/browser.ts';
import { clientId, createTestPool, issuer, password } from '../testing/pool.ts';

const IdentityPoolId = 'local:0b5e9c1a-7d7e-4d0e-9d53-2f1c8a3b4c5d';
const { pool, connection } = await createTestPool({ oauth: oauthOptions, identityPoolId: IdentityPoolId });
const connectionPool = openPool({ connection, schema: 'identity', name: 'tests' });
afterAll(() => connectionPool.end());

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets every wait for a connection time out, as under overload. */
function occupyConnections(): void {
  const error = new Error('timeout exceeded when trying to connect');
  type Callback = (error: Error, client: undefined, release: () => void) => void;
  vi.spyOn<typeof connectionPool, 'connect'>(
    Object.getPrototypeOf(connectionPool),
    'connect',
  ).mockImplementation((callback?: Callback) =>
    callback ? callback(error, undefined, () => {}) : Promise.reject(error),
  );
}

it.each([
  [
    'a JSON operation',
    '/identity',
    {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.ConfirmSignUp',
    },
    JSON.stringify({ ClientId: clientId, Username: 'busy@escucho.test', ConfirmationCode: '123456' }),
    'ServiceUnavailableException',
  ],
  [
    'an OAuth endpoint',
    '/identity/oauth2/token',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `grant_type=refresh_token&client_id=${clientId}&refresh_token=x.y`,
    'temporarily_unavailable',
  ],
])(
  '[IDP-03] %s is 503 with Retry-After where no connection is free',
  async (_, url, headers, payload, code) => {
    occupyConnections();
    const response = await pool.app.inject({ method: 'POST', url, headers, payload });
    expect(response.statusCode, response.body).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.body).toContain(code);
  },
);

it('[IDP-03] valid tokens get 503 with Retry-After where the keys cannot be loaded', async () => {
  const { email } = await pool.createUser();
  const scope = 'openid aws.cognito.signin.user.admin';
  const { code, verifier } = await authorize(pool.app, { email, password }, { scope });
  const { access_token: AccessToken, id_token } = (await exchangeCode(pool.app, code, verifier)).json();
  const Logins = { [issuer.replace('http://', '')]: id_token };
  async function get(url: string) {
    const request = { url, headers: { authorization: `Bearer ${AccessToken}` } };
    const { statusCode: status, headers } = await pool.app.inject(request);
    return { status, headers };
  }
  const send = async () => [
    await pool.call('GetUser', { AccessToken }),
    await pool.call('AWSCognitoIdentityService.GetId', { IdentityPoolId, Logins }),
    await get('/identity/sessions'),
    await get('/identity/oauth2/userInfo'),
  ];
  expect((await send()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  // The cache of public keys uses the time of the system.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  occupyConnections();
  for (const { status, headers } of await send()) {
    expect([status, headers['retry-after']]).toEqual([503, '5']);
  }
  vi.restoreAllMocks();
  expect((await send()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
