import { api } from '@escucho/contracts';
import { createDeferred } from '@escucho/database/testing';
import { settleJobs } from '@escucho/jobs/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { jobQueue } from '../account-data/repository.ts';
import { startPortal } from '../testing/portal.ts';

const { app, billing, call, send, createUser, clock, db, articleId } = await startPortal();
const {
  findSubscription,
  cancelSubscription,
  createPurchaseToken,
  findReceipts,
  payRenewal,
  createCardSetup,
  replaceCard,
} = api.subscription;

/** Long enough for a busy machine. */
const pollOptions = { timeout: 60_000 };
const LATER = '2026-12-20T10:00:00Z';
const minutes = (count: number) => count * 60;

beforeEach(() => {
  billing.requests.length = 0;
  billing.purchases.clear();
  Object.assign(billing.behavior, {
    status: 200,
    isUnreachable: false,
    responseDelay: undefined,
    hasManagement: true,
    body: undefined,
  });
});

const isActive = async (token: string) => (await call(api.auth.me, token, {})).subscription.isActive;

describe('the status of a subscription', () => {
  it('[SUB-04] is read from the billing provider on the first request', async () => {
    const { id, token } = await createUser();
    billing.purchases.set(id, { expires_date: LATER });
    const { subscription } = await call(api.auth.me, token, {});
    expect(subscription).toEqual({
      isActive: true,
      store: 'rc_billing',
      willRenew: true,
      expiresAt: '2026-12-20T10:00:00.000Z',
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
    ['is promotional', { expires_date: LATER, store: 'promotional' }, { isActive: true, willRenew: false }],
  ])('[SUB-04] that %s', async (_name, purchase, expected) => {
    const { id, token } = await createUser();
    billing.purchases.set(id, purchase);
    expect((await call(api.auth.me, token, {})).subscription).toMatchObject(expected);
  });

  it('[SUB-04] may have several gifts without an end', async () => {
    const { id, token } = await createUser({ subscribed: true });
    billing.purchases.set(id, { product: 'gift', store: 'promotional', expires_date: null });
    await call(findSubscription, token, {});
    const grants = db.selectFrom('subscription_grant').select('product').where('user_id', '=', id);
    expect((await grants.orderBy('product').execute()).map(({ product }) => product)).toEqual(['gift', null]);
    expect(await isActive(token)).toBe(true);
  });

  it('[SUB-02] of an operator’s user depends on the operator only', async () => {
    const { id, token } = await createUser();
    await db.updateTable('users').set({ platform: 'entel' }).where('id', '=', id).execute();
    expect(await isActive(token)).toBe(true);
    expect(await call(findSubscription, token, {})).toMatchObject({ current: null, plans: [] });
    expect((await send(cancelSubscription, { token })).statusCode).toBe(404);
    expect(billing.requests).toEqual([]);
  });

  it('[SUB-03] is refreshed every five minutes in the background', async () => {
    const { id, token } = await createUser();
    await isActive(token);
    await isActive(token);
    expect(billing.requests).toHaveLength(1);
    billing.purchases.set(id, { expires_date: LATER });
    clock.advance(minutes(6));
    expect(await isActive(token)).toBe(false);
    await expect.poll(() => isActive(token), pollOptions).toBe(true);
    expect(billing.requests).toHaveLength(2);
  });

  it('[SUB-03] is refreshed when the clock that was ahead is set right', async () => {
    const { id, token } = await createUser();
    clock.advance(minutes(20));
    await isActive(token);
    clock.advance(-minutes(20));
    billing.purchases.set(id, { expires_date: LATER });
    await expect.poll(() => isActive(token), pollOptions).toBe(true);
  });

  it('stays the same while the billing provider is unavailable', async () => {
    const { id, token } = await createUser();
    billing.purchases.set(id, { expires_date: LATER });
    await isActive(token);
    for (const behavior of [
      { isUnreachable: true },
      { isUnreachable: false, status: 500 },
      { status: 200 },
    ]) {
      Object.assign(billing.behavior, behavior);
      clock.advance(minutes(6));
      expect(await isActive(token)).toBe(true);
    }
    billing.behavior.isUnreachable = true;
    expect((await send(findSubscription, { token })).statusCode).toBe(503);
    Object.assign(billing.behavior, { isUnreachable: false, body: '<h1>Welcome</h1>' });
    expect((await send(findSubscription, { token })).statusCode).toBe(503);
  });

  it('is read for few users at once, so that a slow provider blocks no one', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => createUser()));
    for (const { token } of users) await isActive(token);
    const { promise, resolve: release } = createDeferred();
    billing.behavior.responseDelay = promise;
    billing.requests.length = 0;
    clock.advance(minutes(6));
    for (const { token } of users) expect(await isActive(token)).toBe(false);
    await expect.poll(() => billing.requests.length, pollOptions).toBe(4);
    const countUsersRead = async () => {
      for (const { token } of users) await isActive(token);
      return new Set(billing.requests).size;
    };
    expect(await countUsersRead()).toBe(4);
    release();
    await expect.poll(countUsersRead, pollOptions).toBe(6);
  });

  it('of a new user is inactive while the billing provider is unavailable', async () => {
    const { token } = await createUser();
    billing.behavior.isUnreachable = true;
    expect(await isActive(token)).toBe(false);
    expect(await isActive(token)).toBe(false);
  });

  it('of a new user waits some seconds at most while the provider does not respond', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => createUser()));
    const { promise: responseDelay, resolve: release } = createDeferred();
    Object.assign(billing.behavior, { responseDelay });
    for (const { id } of users) billing.purchases.set(id, { expires_date: LATER });
    const active = await Promise.all(users.map(({ token }) => isActive(token)));
    expect(active).toEqual(users.map(() => false));
    expect(billing.requests).toHaveLength(4);
    release();
    for (const { token } of users) await expect.poll(() => isActive(token), pollOptions).toBe(true);
  });

  it('of a new user whose purchases could not be read does not wait for those of others', async () => {
    const [failed, ...others] = await Promise.all(Array.from({ length: 6 }, () => createUser()));
    billing.behavior.isUnreachable = true;
    expect(await isActive(failed?.token ?? '')).toBe(false);
    const { promise: responseDelay, resolve: release } = createDeferred();
    Object.assign(billing.behavior, { isUnreachable: false, responseDelay });
    const waiting = others.map(({ token }) => isActive(token));
    await expect.poll(() => billing.requests.length, pollOptions).toBe(4);
    expect(await isActive(failed?.token ?? '')).toBe(false);
    release();
    expect(await Promise.all(waiting)).toEqual(others.map(() => false));
  });
});

describe('managing a subscription', () => {
  it('[SUB-07] reads purchases again, so that a new payment is included', async () => {
    const { id, token } = await createUser();
    expect(await isActive(token)).toBe(false);
    billing.purchases.set(id, { expires_date: LATER });
    expect((await call(findSubscription, token, {})).subscription.isActive).toBe(true);
    expect(await isActive(token)).toBe(true);
  });

  it('reads purchases for many requests of a user at once, so that they block no one', async () => {
    const requests = 12;
    const [user, other] = [await createUser(), await createUser()];
    for (const { token } of [user, other]) await isActive(token);
    billing.requests.length = 0;
    const { promise, resolve: release } = createDeferred();
    billing.behavior.responseDelay = promise;
    const responses = Array.from({ length: requests }, () => send(findSubscription, { token: user.token }));
    await expect.poll(() => billing.requests.length, pollOptions).toBe(requests + 1);
    // More requests wait than the service has connections.
    expect(await isActive(other.token)).toBe(false);
    release();
    for (const response of responses) expect((await response).statusCode).toBe(200);
    const reads = billing.requests.filter((request) => request === `GET /v1/subscribers/${user.id}`);
    expect(reads.length).toBeLessThan(requests / 2);
  });

  it('[SUB-07] acts for the signed-in user only', async () => {
    const { id, token } = await createUser();
    await call(cancelSubscription, token, {});
    const mine = billing.requests.filter((path) => path.includes('/management'));
    expect(mine).toEqual([`POST /v1/subscribers/${id}/management/cancel`]);
    expect((await app.inject({ method: 'POST', url: '/api/subscription/cancel' })).statusCode).toBe(401);
  });

  it.each([
    ['pays a renewal', payRenewal, undefined, 'POST', 'payment'],
    ['starts a card replacement', createCardSetup, undefined, 'POST', 'card'],
    ['completes a card replacement', replaceCard, { setup: 'seti_1' }, 'PUT', 'card'],
  ] as const)('[SUB-07] %s for the signed-in user only', async (_name, target, body, method, resource) => {
    const { id, token } = await createUser();
    const response = await send(target, { token, ...(body && { body }) });
    expect(response.statusCode).toBe(200);
    expect(billing.requests).toContain(`${method} /v1/subscribers/${id}/management/${resource}`);
    billing.behavior.isUnreachable = true;
    expect((await send(target, { token, ...(body && { body }) })).statusCode).toBe(503);
    expect((await app.inject({ method, url: `/api${target.path}` })).statusCode).toBe(401);
  });

  it('[SUB-07] links to RevenueCat’s page when that is the provider', async () => {
    const { token } = await createUser();
    billing.behavior.hasManagement = false;
    expect(await call(findSubscription, token, {})).toMatchObject({
      current: null,
      managementUrl: 'https://billing.test/manage',
    });
    expect(await call(findReceipts, token, {})).toEqual({ docs: [] });
  });

  it('[SUB-07] requests a purchase token for the signed-in user only', async () => {
    const { id, token } = await createUser();
    expect(await call(createPurchaseToken, token, {})).toEqual({ token: `token of ${id}` });
    expect(billing.requests).toContain(`POST /v1/subscribers/${id}/purchase-tokens`);
    billing.behavior.hasManagement = false;
    expect(await call(createPurchaseToken, token, {})).toEqual({ token: null });
    billing.behavior.isUnreachable = true;
    expect((await send(createPurchaseToken, { token })).statusCode).toBe(503);
    await db.updateTable('users').set({ platform: 'entel' }).where('id', '=', id).execute();
    expect((await send(createPurchaseToken, { token })).statusCode).toBe(404);
  });
});

describe('account deletion', () => {
  it('[SHELL-03] deletes the customer at the billing provider', async () => {
    const { id, token } = await createUser();
    await call(api.account.deleteAccount, token, {});
    await settleJobs(db, jobQueue);
    expect(billing.requests.at(-1)).toBe(`DELETE /v1/subscribers/${id}`);
  });
});
