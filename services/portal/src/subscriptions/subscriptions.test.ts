import { createHmac } from 'node:crypto';
import { api } from '@escucho/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';

const { app, billing, call, send, createUser, clock, db, articleId } = await startPortal();
const {
  findSubscription,
  cancelSubscription,
  findReceipts,
  payRenewal,
  createCardSetup: beginCard,
  replaceCard: takeCard,
} = api.subscription;

/** However long the machine takes. */
const patience = { timeout: 25_000 };
const LATER = '2026-12-20T10:00:00Z';
const minutes = (count: number) => count * 60;

beforeEach(() => {
  billing.asked.length = 0;
  billing.people.clear();
  Object.assign(billing.conduct, {
    status: 200,
    gone: false,
    waits: undefined,
    manages: true,
    talks: undefined,
  });
});

const seconds = () => Math.floor(clock.now().getTime() / 1000);
const signed = (body: string, { at = seconds(), secret = billing.eventSecret } = {}) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
const eventOf = (user: string) => JSON.stringify({ event: { id: 'e1', type: 'RENEWAL', app_user_id: user } });

/** Says that something happened, as the billing provider does unless `headers` say otherwise. */
const tell = (body: string, headers: Record<string, string> = { 'x-escucho-signature': signed(body) }) =>
  app.inject({
    method: 'POST',
    url: '/api/billing/events',
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  });
const isActive = async (token: string) => (await call(api.auth.me, token, {})).subscription.isActive;

describe('what a subscription allows', () => {
  it('[SUB-04] is what the billing provider says, from the first question on', async () => {
    const { id, token } = await createUser();
    billing.people.set(id, { expires_date: LATER });
    const { subscription } = await call(api.auth.me, token, {});
    expect(subscription).toEqual({
      ...{ isActive: true, store: 'rc_billing', willRenew: true, expiresAt: '2026-12-20T10:00:00.000Z' },
    });
    const audio = await send(api.listening.grantAudio, { token, params: { id: articleId('el-gato') } });
    expect(audio.statusCode).toBe(200);
  });

  it.each([
    ['has run out', { expires_date: '2026-11-20T09:59:59Z' }, { isActive: false }],
    [
      'was cancelled',
      { expires_date: LATER, unsubscribe_detected_at: LATER },
      { isActive: true, willRenew: false },
    ],
    [
      'is not paid',
      { expires_date: LATER, billing_issues_detected_at: LATER },
      { isActive: true, willRenew: false },
    ],
    ['has no end', { expires_date: null }, { isActive: true, willRenew: false }],
    ['was given', { expires_date: LATER, store: 'promotional' }, { isActive: true, willRenew: false }],
  ])('[SUB-04] that %s', async (_name, has, expected) => {
    const { id, token } = await createUser();
    billing.people.set(id, has);
    expect((await call(api.auth.me, token, {})).subscription).toMatchObject(expected);
  });

  it('[SUB-02] of an operator’s reader is nobody’s but the operator’s', async () => {
    const { id, token } = await createUser();
    await db.updateTable('users').set({ platform: 'entel' }).where('id', '=', id).execute();
    expect(await isActive(token)).toBe(true);
    expect(await call(findSubscription, token, {})).toMatchObject({ current: null, plans: [] });
    expect((await send(cancelSubscription, { token })).statusCode).toBe(404);
    expect(billing.asked).toEqual([]);
  });

  it('[SUB-03] is asked for once in five minutes, and the answer that is there serves meanwhile', async () => {
    const { id, token } = await createUser();
    await isActive(token);
    await isActive(token);
    expect(billing.asked).toHaveLength(1);
    billing.people.set(id, { expires_date: LATER });
    clock.advance(minutes(6));
    expect(await isActive(token)).toBe(false);
    await expect.poll(() => isActive(token), patience).toBe(true);
    expect(billing.asked).toHaveLength(2);
  });

  it('stays as it is while the billing provider does not answer', async () => {
    const { id, token } = await createUser();
    billing.people.set(id, { expires_date: LATER });
    await isActive(token);
    for (const conduct of [{ gone: true }, { gone: false, status: 500 }, { status: 200 }]) {
      Object.assign(billing.conduct, conduct);
      clock.advance(minutes(6));
      expect(await isActive(token)).toBe(true);
    }
    billing.conduct.gone = true;
    expect((await send(findSubscription, { token })).statusCode).toBe(503);
    Object.assign(billing.conduct, { gone: false, talks: '<h1>Welcome</h1>' });
    expect((await send(findSubscription, { token })).statusCode).toBe(503);
  });

  it('is asked for of few readers at once, so that a slow provider holds up nobody else', async () => {
    const readers = await Promise.all(Array.from({ length: 6 }, () => createUser()));
    for (const { token } of readers) await isActive(token);
    let release = () => {};
    billing.conduct.waits = new Promise((resolve) => {
      release = resolve;
    });
    billing.asked.length = 0;
    clock.advance(minutes(6));
    for (const { token } of readers) expect(await isActive(token)).toBe(false);
    await expect.poll(() => billing.asked.length, patience).toBe(4);
    const askedByAll = async () => {
      for (const { token } of readers) await isActive(token);
      return billing.asked.length;
    };
    expect(await askedByAll()).toBe(4);
    release();
    await expect.poll(askedByAll, patience).toBe(6);
  });

  it('of a newcomer is none while the billing provider does not answer', async () => {
    const { token } = await createUser();
    billing.conduct.gone = true;
    expect(await isActive(token)).toBe(false);
    expect(await isActive(token)).toBe(false);
  });
});

describe('managing it', () => {
  it('[SUB-07] asks anew, so that what was paid just now is seen', async () => {
    const { id, token } = await createUser();
    expect(await isActive(token)).toBe(false);
    billing.people.set(id, { expires_date: LATER });
    expect((await call(findSubscription, token, {})).subscription.isActive).toBe(true);
    expect(await isActive(token)).toBe(true);
  });

  it('[SUB-07] is done in the name of whoever asks, and of nobody else', async () => {
    const { id, token } = await createUser();
    await call(cancelSubscription, token, {});
    const mine = billing.asked.filter((path) => path.includes('/management'));
    expect(mine).toEqual([`POST /v1/subscribers/${id}/management/cancel`]);
    expect((await app.inject({ method: 'POST', url: '/api/subscription/cancel' })).statusCode).toBe(401);
  });

  it.each([
    ['pays', payRenewal, undefined, 'POST', 'payment'],
    ['begins with another card', beginCard, undefined, 'POST', 'card'],
    ['takes the other card', takeCard, { setup: 'seti_1' }, 'PUT', 'card'],
  ] as const)('[SUB-07] %s for nobody but who asks', async (_name, target, body, method, what) => {
    const { id, token } = await createUser();
    const answer = await send(target, { token, ...(body && { body }) });
    expect(answer.statusCode).toBe(200);
    expect(billing.asked).toContain(`${method} /v1/subscribers/${id}/management/${what}`);
    billing.conduct.gone = true;
    expect((await send(target, { token, ...(body && { body }) })).statusCode).toBe(503);
    expect((await app.inject({ method, url: `/api${target.path}` })).statusCode).toBe(401);
  });

  it('[SUB-07] leaves it to RevenueCat’s own page where that is the provider', async () => {
    const { token } = await createUser();
    billing.conduct.manages = false;
    expect(await call(findSubscription, token, {})).toMatchObject({
      current: null,
      managementUrl: 'https://billing.test/manage',
    });
    expect(await call(findReceipts, token, {})).toEqual({ docs: [] });
  });
});

describe('events of the billing provider', () => {
  it('[RCB-02] open the door at once', async () => {
    const { id, token } = await createUser();
    expect(await isActive(token)).toBe(false);
    billing.people.set(id, { expires_date: LATER });
    expect((await tell(eventOf(id))).statusCode).toBe(200);
    expect(await isActive(token)).toBe(true);
    billing.people.delete(id);
    await tell(eventOf(id));
    expect(await isActive(token)).toBe(false);
  });

  it('[RCB-02] that come twice, or in another order, end in what is', async () => {
    const { id, token } = await createUser();
    billing.people.set(id, { expires_date: LATER });
    await Promise.all(Array.from({ length: 5 }, () => tell(eventOf(id))));
    expect(await isActive(token)).toBe(true);
    const { length } = await db
      .selectFrom('subscription_grant')
      .select('id')
      .where('user_id', '=', id)
      .execute();
    expect(length).toBe(1);
  });

  it('[RCB-02] whose answers overtake each other leave the newer', async () => {
    const { id, token } = await createUser();
    await isActive(token);
    let release = () => {};
    billing.conduct.waits = new Promise((resolve) => {
      release = resolve;
    });
    const slow = tell(eventOf(id));
    await expect.poll(() => billing.asked.length, patience).toBe(2);
    billing.conduct.waits = undefined;
    billing.people.set(id, { expires_date: LATER });
    const quick = tell(eventOf(id));
    release();
    await Promise.all([slow, quick]);
    expect(await isActive(token)).toBe(true);
  });

  const now = seconds();
  it.each([
    ['unsigned', () => ({})],
    [
      'signed with another secret',
      (body: string) => ({ 'x-escucho-signature': signed(body, { secret: 'other' }) }),
    ],
    ['signed for another body', () => ({ 'x-escucho-signature': signed('{}') })],
    ['signed long ago', (body: string) => ({ 'x-escucho-signature': signed(body, { at: now - 400_000 }) })],
    ['signed for later', (body: string) => ({ 'x-escucho-signature': signed(body, { at: now + 400_000 }) })],
    ['half signed', () => ({ 'x-escucho-signature': `t=${now}` })],
    ['bearing another secret', () => ({ authorization: 'Bearer other' })],
  ])('[RCB-02] are refused when they are %s', async (_name, headersOf) => {
    const { id } = await createUser();
    const body = eventOf(id);
    expect((await tell(body, headersOf(body))).statusCode).toBe(401);
    expect(billing.asked).toEqual([]);
  });

  it('[RCB-02] may bear the secret, as RevenueCat’s do', async () => {
    const { id } = await createUser();
    const answer = await tell(eventOf(id), { authorization: `Bearer ${billing.eventSecret}` });
    expect([answer.statusCode, billing.asked.length]).toEqual([200, 1]);
  });

  it.each([
    ['nobody', { event: {} }],
    ['somebody who is no reader', { event: { app_user_id: '00000000-0000-4000-8000-000000000000' } }],
    ['somebody without a name', { event: { app_user_id: "'; drop table users; --" } }],
  ])('of %s are heard and change nothing', async (_name, body) => {
    expect((await tell(JSON.stringify(body))).statusCode).toBe(200);
    expect(billing.asked).toEqual([]);
  });

  it.each(['', '{', 'null', '[]', '{"event":7}'])('that are no events are refused: %j', async (body) => {
    expect((await tell(body)).statusCode).toBe(400);
  });

  it('is to be told again when the provider could not be asked', async () => {
    const { id } = await createUser();
    billing.conduct.gone = true;
    expect((await tell(eventOf(id))).statusCode).toBe(503);
  });
});

describe('a reader who leaves', () => {
  it('[SHELL-03] is forgotten by the billing provider too', async () => {
    const { id, token } = await createUser();
    await call(api.account.deleteAccount, token, {});
    expect(billing.asked.at(-1)).toBe(`DELETE /v1/subscribers/${id}`);
  });
});
