import { createHmac } from 'node:crypto';
import { api } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { app, billing, call, createUser, clock, db } = await startPortal();

/** Long enough for a busy machine. */
const pollOptions = { timeout: 60_000 };
const LATER = '2026-12-20T10:00:00Z';

beforeEach(() => {
  billing.requests.length = 0;
  billing.purchases.clear();
  Object.assign(billing.behavior, { isUnreachable: false, responseDelay: undefined });
});

const seconds = () => Math.floor(clock.now().getTime() / 1000);
const signEvent = (body: string, { at = seconds(), secret = billing.eventSecret } = {}) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
const createEvent = (user: string) =>
  JSON.stringify({ event: { id: 'e1', type: 'RENEWAL', app_user_id: user } });

/** Sends an event, signed as the billing provider does unless `headers` are given. */
const sendEvent = (
  body: string,
  headers: Record<string, string> = { 'x-escucho-signature': signEvent(body) },
) =>
  app.inject({
    method: 'POST',
    url: '/api/billing/events',
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  });
const isActive = async (token: string) => (await call(api.auth.me, token, {})).subscription.isActive;

describe('webhook events', () => {
  it('[RCB-02] activate a subscription at once', async () => {
    const { id, token } = await createUser();
    expect(await isActive(token)).toBe(false);
    billing.purchases.set(id, { expires_date: LATER });
    expect((await sendEvent(createEvent(id))).statusCode).toBe(200);
    expect(await isActive(token)).toBe(true);
    billing.purchases.delete(id);
    await sendEvent(createEvent(id));
    expect(await isActive(token)).toBe(false);
  });

  it('[RCB-02] that arrive twice or out of order lead to the current state', async () => {
    const { id, token } = await createUser();
    billing.purchases.set(id, { expires_date: LATER });
    await Promise.all(Array.from({ length: 5 }, () => sendEvent(createEvent(id))));
    expect(await isActive(token)).toBe(true);
    const { length } = await db
      .selectFrom('subscription_grant')
      .select('id')
      .where('user_id', '=', id)
      .execute();
    expect(length).toBe(1);
  });

  it('[RCB-02] handled concurrently store the newest response', async () => {
    const { id, token } = await createUser();
    await isActive(token);
    const { promise, resolve: release } = createDeferred();
    billing.behavior.responseDelay = promise;
    const slow = sendEvent(createEvent(id));
    await expect.poll(() => billing.requests.length, pollOptions).toBe(2);
    billing.behavior.responseDelay = undefined;
    billing.purchases.set(id, { expires_date: LATER });
    const quick = sendEvent(createEvent(id));
    release();
    await Promise.all([slow, quick]);
    expect(await isActive(token)).toBe(true);
  });

  it('about many users at once leave database connections for other requests', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await createUser()).id));
    const other = await createUser();
    await isActive(other.token);
    billing.requests.length = 0;
    const { promise, resolve: release } = createDeferred();
    billing.behavior.responseDelay = promise;
    const responses = ids.map((id) => sendEvent(createEvent(id)));
    await expect.poll(() => billing.requests.length, pollOptions).toBe(4);
    expect((await call(api.listening.findContinueListening, other.token, { query: {} })).docs).toEqual([]);
    expect(billing.requests).toHaveLength(4);
    release();
    for (const response of responses) expect((await response).statusCode).toBe(200);
    expect(new Set(billing.requests).size).toBe(12);
  });

  const now = seconds();
  it.each([
    ['unsigned', () => ({})],
    [
      'signed with another secret',
      (body: string) => ({ 'x-escucho-signature': signEvent(body, { secret: 'other' }) }),
    ],
    ['signed for another body', () => ({ 'x-escucho-signature': signEvent('{}') })],
    [
      'signed long ago',
      (body: string) => ({ 'x-escucho-signature': signEvent(body, { at: now - 400_000 }) }),
    ],
    [
      'signed in the future',
      (body: string) => ({ 'x-escucho-signature': signEvent(body, { at: now + 400_000 }) }),
    ],
    ['signed incompletely', () => ({ 'x-escucho-signature': `t=${now}` })],
    ['bearing another secret', () => ({ authorization: 'Bearer other' })],
  ])('[RCB-02] are refused when they are %s', async (_name, createHeaders) => {
    const { id } = await createUser();
    const body = createEvent(id);
    expect((await sendEvent(body, createHeaders(body))).statusCode).toBe(401);
    expect(billing.requests).toEqual([]);
  });

  it('[RCB-02] may carry the secret, as RevenueCat’s do', async () => {
    const { id } = await createUser();
    const response = await sendEvent(createEvent(id), { authorization: `Bearer ${billing.eventSecret}` });
    expect([response.statusCode, billing.requests.length]).toEqual([200, 1]);
  });

  it.each([
    ['no user', { event: {} }],
    ['an unknown user', { event: { app_user_id: '00000000-0000-4000-8000-000000000000' } }],
    ['an invalid id', { event: { app_user_id: "'; drop table users; --" } }],
  ])('of %s are accepted and change nothing', async (_name, body) => {
    expect((await sendEvent(JSON.stringify(body))).statusCode).toBe(200);
    expect(billing.requests).toEqual([]);
  });

  it.each(['', '{', 'null', '[]', '{"event":7}'])('with an invalid body are refused: %j', async (body) => {
    expect((await sendEvent(body)).statusCode).toBe(400);
  });

  it('fail, to be sent again, when the provider is unavailable', async () => {
    const { id } = await createUser();
    billing.behavior.isUnreachable = true;
    expect((await sendEvent(createEvent(id))).statusCode).toBe(503);
  });
});
