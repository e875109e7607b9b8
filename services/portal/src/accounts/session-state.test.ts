import { api } from '@escucho/contracts';
import { beforeEach, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const state = { ended: new Set<string>(), questions: 0, isUnreachable: false };
const { send, issuer, createUser, clock } = await startPortal({
  isSessionActive: async (sessionId) => {
    state.questions += 1;
    if (state.isUnreachable) throw new Error('connection refused');
    return sessionId !== '' && !state.ended.has(sessionId);
  },
});

beforeEach(() => Object.assign(state, { questions: 0, isUnreachable: false }));

async function createToken(sessionId: string | undefined) {
  const { subject } = await createUser();
  return issuer.access(subject, { claims: { origin_jti: sessionId } });
}
const getStatus = async (token: string) => (await send(api.auth.me, { token })).statusCode;

it('[AUTH-09] [API-02] refuses the token of a session that has ended, after a minute at most', async () => {
  const token = await createToken('ends');
  expect(await getStatus(token)).toBe(200);
  state.ended.add('ends');
  clock.advance(60);
  const response = await send(api.auth.me, { token });
  expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
});

it('[AUTH-09] refuses a token whose session ended before its first request at once', async () => {
  state.ended.add('ended before');
  expect(await getStatus(await createToken('ended before'))).toBe(401);
});

it('[API-02] asks for the state of a session once a minute, not at each request', async () => {
  const token = await createToken('asked for');
  for (let n = 0; n < 5; n += 1) expect(await getStatus(token)).toBe(200);
  expect(state.questions).toBe(1);
  clock.advance(60);
  expect(await getStatus(token)).toBe(200);
  expect(state.questions).toBe(2);
});

it('[API-02] refuses a token that names no session', async () => {
  expect(await getStatus(await createToken(undefined))).toBe(401);
});

it('[API-02] responds unavailable, not unauthorized, while the provider does not answer', async () => {
  const token = await createToken('unreachable');
  state.isUnreachable = true;
  expect(await getStatus(token)).toBe(503);
});
