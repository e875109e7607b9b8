import { createHmac } from 'node:crypto';
import { api } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { jobQueue } from '../account-data/repository.ts';
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

describe('the status of a subscription', () => {
  it('[SUB-04] is read from the billing provider on the first request', async () => {
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

  it('[SUB-02] of an operator’s user depends on the operator only', async () => {
    const { id, token } = await createUser();
    await db.updateTable('users').set({ platform: 'entel' }).where('id', '=', id).execute();
    expect(await isActive(token)).toBe(true);
    expect(await call(findSubscription, token, {})).toMatchObject({ current: null, plans: [] });
    expect((await send(cancelSubscription, { token })).statusCode).toBe(404);
    expect(billing.asked).toEqual([]);
  });

  it('[SUB-03] is refreshed every five minutes in the background', async () => {
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

  it('stays the same while the billing provider is unavailable', async () => {
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

  it('is read for few users at once, so that a slow provider blocks no one', async () => {
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

  it('of a new user is inactive while the billing provider is unavailable', async () => {
    const { token } = await createUser();
    billing.conduct.gone = true;
    expect(await isActive(token)).toBe(false);
    expect(await isActive(token)).toBe(false);
  });
});

describe('managing a subscription', () => {
  it('[SUB-07] reads purchases again, so that a new payment is included', async () => {
    const { id, token } = await createUser();
    expect(await isActive(token)).toBe(false);
    billing.people.set(id, { expires_date: LATER });
    expect((await call(findSubscription, token, {})).subscription.isActive).toBe(true);
    expect(await isActive(token)).toBe(true);
  });

  it('[SUB-07] acts for the signed-in user only', async () => {
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
  ] as const)('[SUB-07] %s for the signed-in user only', async (_name, target, body, method, what) => {
    const { id, token } = await createUser();
    const answer = await send(target, { token, ...(body && { body }) });
    expect(answer.statusCode).toBe(200);
    expect(billing.asked).toContain(`${method} /v1/subscribers/${id}/management/${what}`);
    billing.conduct.gone = true;
    expect((await send(target, { token, ...(body && { body }) })).statusCode).toBe(503);
    expect((await app.inject({ method, url: `/api${target.path}` })).statusCode).toBe(401);
  });

  it('[SUB-07] links to RevenueCat’s page when that is the provider', async () => {
    const { token } = await createUser();
    billing.conduct.manages = false;
    expect(await call(findSubscription, token, {})).toMatchObject({
      current: null,
      managementUrl: 'https://billing.test/manage',
    });
    expect(await call(findReceipts, token, {})).toEqual({ docs: [] });
  });
});

describe('webhook events', () => {
  it('[RCB-02] activate a subscription at once', async () => {
    const { id, token } = await createUser();
    expect(await isActive(token)).toBe(false);
    billing.people.set(id, { expires_date: LATER });
    expect((await tell(eventOf(id))).statusCode).toBe(200);
    expect(await isActive(token)).toBe(true);
    billing.people.delete(id);
    await tell(eventOf(id));
    expect(await isActive(token)).toBe(false);
  });

  it('[RCB-02] that arrive twice or out of order lead to the current state', async () => {
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

  it('[RCB-02] handled concurrently store the newest response', async () => {
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

  it('[RCB-02] may carry the secret, as RevenueCat’s do', async () => {
    const { id } = await createUser();
    const answer = await tell(eventOf(id), { authorization: `Bearer ${billing.eventSecret}` });
    expect([answer.statusCode, billing.asked.length]).toEqual([200, 1]);
  });

  it.each([
    ['nobody', { event: {} }],
    ['somebody who is no reader', { event: { app_user_id: '00000000-0000-4000-8000-000000000000' } }],
    ['somebody without a name', { event: { app_user_id: "'; drop table users; --" } }],
  ])('of %s are accepted and change nothing', async (_name, body) => {
    expect((await tell(JSON.stringify(body))).statusCode).toBe(200);
    expect(billing.asked).toEqual([]);
  });

  it.each(['', '{', 'null', '[]', '{"event":7}'])('with an invalid body are refused: %j', async (body) => {
    expect((await tell(body)).statusCode).toBe(400);
  });

  it('fail, to be sent again, when the provider is unavailable', async () => {
    const { id } = await createUser();
    billing.conduct.gone = true;
    expect((await tell(eventOf(id))).statusCode).toBe(503);
  });
});

describe('account deletion', () => {
  it('[SHELL-03] deletes the customer at the billing provider', async () => {
    const { id, token } = await createUser();
    await call(api.account.deleteAccount, token, {});
    await settleJobs(db, jobQueue);
    expect(billing.asked.at(-1)).toBe(`DELETE /v1/subscribers/${id}`);
  });
});
