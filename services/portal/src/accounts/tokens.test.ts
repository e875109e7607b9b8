import { api } from '@escucho/contracts';
import { errors } from 'jose';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const fault: { now?: Error } = {};
const portal = await startPortal({
  keys: (...asked) => (fault.now ? Promise.reject(fault.now) : portal.issuer.tokens.keys(...asked)),
});
const { issuer, clock } = portal;
const { subject } = await portal.createUser();

async function answerTo(token: string): Promise<[number, string | undefined]> {
  const answer = await portal.send(api.auth.me, { token });
  return [answer.statusCode, answer.json().error?.code];
}

describe('when the identity provider’s keys are unreachable', () => {
  it.each([
    ['it does not answer', new errors.JWKSTimeout()],
    [
      'it answers with an error',
      new errors.JOSEError('Expected 200 OK from the JSON Web Key Set HTTP response'),
    ],
    ['its answer is no key set', new errors.JWKSInvalid()],
    ['the network is down', new TypeError('fetch failed')],
  ])('[API-02] responds unavailable instead of unauthorized: %s', async (_name, error) => {
    fault.now = error;
    expect(await answerTo(await issuer.access(subject, { claims: { jti: error.name } }))).toEqual([
      503,
      'unavailable',
    ]);
  });

  it('[API-02] refuses a token signed with an unknown key', async () => {
    fault.now = new errors.JWKSNoMatchingKey();
    expect(await answerTo(await issuer.access(subject))).toEqual([401, 'unauthorized']);
  });
});

it('[API-02] a revoked key is refused after a minute', async () => {
  delete fault.now;
  const token = await issuer.access(subject);
  expect(await answerTo(token)).toEqual([200, undefined]);
  fault.now = new errors.JWKSNoMatchingKey();
  clock.advance(60);
  expect(await answerTo(token)).toEqual([401, 'unauthorized']);
});
