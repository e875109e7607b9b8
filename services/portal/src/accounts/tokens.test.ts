import { api } from '@escucho/contracts';
import { errors } from 'jose';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const state: { keyError?: Error } = {};
const portal = await startPortal({
  keys: (...params) =>
    state.keyError ? Promise.reject(state.keyError) : portal.issuer.tokens.keys(...params),
});
const { issuer, clock } = portal;
const { subject } = await portal.createUser();

async function findOutcome(token: string): Promise<[number, string | undefined]> {
  const response = await portal.send(api.auth.me, { token });
  return [response.statusCode, response.json().error?.code];
}

describe('when the identity provider’s keys are unreachable', () => {
  it.each([
    ['it does not respond', new errors.JWKSTimeout()],
    [
      'it responds with an error',
      new errors.JOSEError('Expected 200 OK from the JSON Web Key Set HTTP response'),
    ],
    ['its response is no key set', new errors.JWKSInvalid()],
    ['the network is down', new TypeError('fetch failed')],
  ])('[API-02] responds unavailable instead of unauthorized: %s', async (_name, error) => {
    state.keyError = error;
    expect(await findOutcome(await issuer.access(subject, { claims: { jti: error.name } }))).toEqual([
      503,
      'unavailable',
    ]);
  });

  it('[API-02] refuses a token signed with an unknown key', async () => {
    state.keyError = new errors.JWKSNoMatchingKey();
    expect(await findOutcome(await issuer.access(subject))).toEqual([401, 'unauthorized']);
  });
});

it('[API-02] a revoked key is refused after a minute', async () => {
  delete state.keyError;
  const token = await issuer.access(subject);
  expect(await findOutcome(token)).toEqual([200, undefined]);
  state.keyError = new errors.JWKSNoMatchingKey();
  clock.advance(60);
  expect(await findOutcome(token)).toEqual([401, 'unauthorized']);
});
