import { openPool } from '@escucho/database';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { oauthOptions } from '../testing/browser.ts';
import { clientId, createTestPool } from '../testing/pool.ts';

const { pool, connection } = await createTestPool({ oauth: oauthOptions });
const connectionPool = openPool({ connection, schema: 'identity', name: 'tests' });
afterAll(() => connectionPool.end());

afterEach(() => {
  vi.restoreAllMocks();
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
