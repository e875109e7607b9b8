import { billingApi } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { describe, expect, it } from 'vitest';
import { jobQueue } from '../jobs.ts';
import { defaultCatalogue } from '../offerings/catalogue.ts';
import { DAY, startProvider } from '../testing/provider.ts';

const {
  callApi,
  findCurrent,
  post,
  get,
  newUser,
  buy,
  subscribe,
  confirmCard,
  advanceClock,
  getInfo,
  keys,
  db,
  connection,
  getStatus,
  refund,
  time,
} = await startProvider();
const { findManagement, cancel, resume, choosePlan, pay, createCardSetup, replaceCard, findReceipts } =
  billingApi;
const { deleteSubscriber: remove } = billingApi;

describe('managing a subscription', () => {
  it('[SUB-07] shows a user without a purchase only what is on sale', async () => {
    const { body } = await callApi(findManagement, newUser());
    expect(body.current).toBeNull();
    expect(body.plans.map((plan: { product: string }) => plan.product)).toEqual([
      'escucho_yearly',
      'escucho_six_month',
      'escucho_monthly',
    ]);
  });

  it('[SUB-07] shows the plan, the period and the allowed actions', async () => {
    const user = newUser();
    await buy(user);
    expect(await findCurrent(user)).toMatchObject({
      plan: { product: 'escucho_monthly', price: { amount: 300, currency: 'USD' }, period: 'P1M' },
      isTrial: false,
      periodStartedAt: '2026-11-20T10:00:00.000Z',
      endsAt: '2026-12-20T10:00:00.000Z',
      willRenew: true,
      canCancel: true,
      canResume: false,
      canChangePlan: true,
      nextPlan: null,
    });
  });

  it('[RCB-02] cancelled, gives access until its end and does not renew', async () => {
    const user = newUser();
    await buy(user);
    const { body } = await callApi(cancel, user);
    expect(body.current).toMatchObject({ willRenew: false, canCancel: false, canResume: true });
    expect((await getInfo(user)).subscriptions.escucho_monthly.unsubscribe_detected_at).not.toBeNull();
    await advanceClock(user, 29 * DAY);
    expect(await findCurrent(user)).not.toBeNull();
    await advanceClock(user, 2 * DAY);
    expect(await findCurrent(user)).toBeNull();
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(1);
  });

  it('[SUB-07] cancelled and resumed, renews as before', async () => {
    const user = newUser();
    await buy(user);
    await callApi(cancel, user);
    expect((await callApi(resume, user)).body.current).toMatchObject({
      willRenew: true,
      unsubscribedAt: null,
    });
    await advanceClock(user, 31 * DAY);
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(2);
  });

  it('[SUB-07] requested twice, changes once', async () => {
    const user = newUser();
    await buy(user);
    for (const target of [cancel, cancel, resume, resume]) {
      expect((await callApi(target, user)).status).toBe(200);
    }
    const { body } = await callApi(choosePlan, user, { product: 'escucho_yearly' });
    expect((await callApi(choosePlan, user, { product: 'escucho_yearly' })).body).toEqual(body);
  });

  it('[RCB-02] changes the plan with the next renewal, not before', async () => {
    const user = newUser();
    await buy(user);
    const { body } = await callApi(choosePlan, user, { product: 'escucho_yearly' });
    expect(body.current).toMatchObject({
      plan: { product: 'escucho_monthly' },
      nextPlan: { product: 'escucho_yearly', price: { amount: 2700 } },
    });
    await advanceClock(user, 31 * DAY);
    expect(await findCurrent(user)).toMatchObject({ plan: { product: 'escucho_yearly' }, nextPlan: null });
    const { docs } = (await callApi(findReceipts, user)).body;
    expect(docs.map((receipt: { paid: { amount: number } }) => receipt.paid.amount)).toEqual([2700, 300]);
  });

  it('[SUB-07] undoes a change of plan when the current plan is chosen', async () => {
    const user = newUser();
    await buy(user);
    await callApi(choosePlan, user, { product: 'escucho_yearly' });
    const { body } = await callApi(choosePlan, user, { product: 'escucho_monthly' });
    expect(body.current.nextPlan).toBeNull();
  });

  it.each([
    ['cancel', cancel, undefined],
    ['resume', resume, undefined],
    ['choose a plan', choosePlan, { product: 'escucho_yearly' }],
    ['pay', pay, undefined],
    ['open a card form', createCardSetup, undefined],
    ['replace the card', replaceCard, { setup: 'nothing' }],
  ])('[SUB-07] refuses to %s without a subscription', async (_name, target, body) => {
    const user = newUser();
    expect(await callApi(target, user, body)).toMatchObject({
      status: 404,
      body: { code: 7259, reason: 'subscriber_not_found', message: 'There is no such subscriber.' },
    });
    await callApi(findManagement, user);
    expect(await callApi(target, user, body)).toMatchObject({
      status: 404,
      body: { code: 7226, reason: 'subscription_not_found' },
    });
  });

  it('[SUB-07] refuses a plan that is not on sale, or has no id', async () => {
    const user = newUser();
    await buy(user);
    expect((await callApi(choosePlan, user, {})).status).toBe(400);
    expect(await callApi(choosePlan, user, { product: 'nothing' })).toMatchObject({
      status: 404,
      body: { code: 7226, reason: 'product_not_found' },
    });
  });

  it('[SUB-07] refuses another plan once it is cancelled', async () => {
    const user = newUser();
    await buy(user);
    await callApi(cancel, user);
    expect(await callApi(choosePlan, user, { product: 'escucho_yearly' })).toMatchObject({
      status: 409,
      body: { code: 7226, reason: 'plan_change_refused' },
    });
  });

  it('[SUB-07] refuses to refund a payment that does not exist', async () => {
    const user = newUser();
    await buy(user);
    expect(await refund(user, 'nothing')).toMatchObject({
      status: 404,
      body: { code: 7226, reason: 'payment_not_found' },
    });
  });

  it('[SUB-07] refuses a card form that is not completed', async () => {
    const user = newUser();
    await buy(user);
    const { setup } = (await callApi(createCardSetup, user)).body;
    expect(await callApi(replaceCard, user, { setup })).toMatchObject({
      status: 409,
      body: { code: 7226, reason: 'card_setup_invalid' },
    });
  });

  it.each(Object.entries(billingApi))('[RCB-01] refuses pages: %s', async (_name, target) => {
    expect((await callApi(target, newUser(), { product: 'x' }, keys.sandbox)).body).toMatchObject({
      code: 7243,
    });
    expect((await callApi(target, newUser(), { product: 'x' }, 'nothing')).body).toMatchObject({
      code: 7225,
    });
  });
});

describe('time', () => {
  it('[RCB-02] renews every month on the same day, once', async () => {
    const user = newUser();
    await buy(user);
    await advanceClock(user, 95 * DAY);
    const { docs } = (await callApi(findReceipts, user)).body;
    expect(docs).toHaveLength(4);
    expect(new Set(docs.map((receipt: { _id: string }) => receipt._id)).size).toBe(4);
  });

  it('[RCB-02] renews by a job at the end of the period, which may run early', async () => {
    const user = newUser();
    await buy(user);
    await settleJobs(db, jobQueue, { advanceMs: 31 * DAY * 1000 });
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(1);
    time.now += 31 * DAY * 1000;
    await settleJobs(db, jobQueue, { advanceMs: 31 * DAY * 1000 });
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(2);
    time.now -= 31 * DAY * 1000;
  });

  it('[RCB-02] a card that works again in the grace period continues the subscription', async () => {
    const user = newUser();
    await buy(user);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    expect((await findCurrent(user)).graceEndsAt).not.toBeNull();
    await post('/sandbox/card', { app_user_id: user, charges: 'succeeded' });
    await advanceClock(user, 2 * DAY);
    expect(await findCurrent(user)).toMatchObject({
      billingIssueAt: null,
      graceEndsAt: null,
      willRenew: true,
    });
  });

  it('[SUB-07] cancelled within the grace period, ends at once without a charge', async () => {
    const user = newUser();
    await buy(user);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    expect((await callApi(cancel, user)).body.current).toBeNull();
    const { grace_period_expires_date: graceEnd } = (await getInfo(user)).entitlements.premium;
    expect(Date.parse(graceEnd)).toBeLessThanOrEqual(time.now);
    await post('/sandbox/card', { app_user_id: user, charges: 'succeeded' });
    await advanceClock(user, 31 * DAY);
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(1);
  });

  it('[RCB-02] a trial that is cancelled costs nothing', async () => {
    const user = newUser();
    await buy(user, { offer_id: 'trial' });
    await callApi(cancel, user);
    await advanceClock(user, 4 * DAY);
    expect((await callApi(findReceipts, user)).body.docs).toEqual([]);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] clocks cannot be advanced without the sandbox', async () => {
    const { app } = await startProvider({ sandbox: false });
    for (const url of ['/billing/sandbox/confirm', '/billing/sandbox/advance', '/billing/sandbox/card']) {
      const answer = await app.inject({ method: 'POST', url, payload: {} });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 7226]);
    }
  });

  it.each([0, -1, 1.5, 1e12, '5', null])('[RCB-02] the clock is not advanced by %j', async (seconds) => {
    const answer = await post('/sandbox/advance', { app_user_id: newUser(), seconds });
    expect(answer).toMatchObject({ status: 400, body: { code: 7226 } });
  });
});

describe('a product without a package in an offering', () => {
  it('[SUB-07] is no plan that can be chosen, but who has it may keep it', async () => {
    const [yearly, , monthly] = defaultCatalogue.products;
    const [offering] = defaultCatalogue.offerings;
    const withdrawn = {
      ...defaultCatalogue,
      products: [yearly, monthly],
      offerings: [{ ...offering, packages: [{ identifier: '$rc_annual', product: 'escucho_yearly' }] }],
    };
    const provider = await startProvider({ connection, time, catalogue: withdrawn });
    const { callApi: request } = provider;
    const getPlans = async (user: string) =>
      (await request(findManagement, user)).body.plans.map((plan: { product: string }) => plan.product);

    const owner = newUser();
    await buy(owner);
    expect(await getPlans(owner)).toEqual(['escucho_yearly', 'escucho_monthly']);
    expect((await request(choosePlan, owner, { product: 'escucho_yearly' })).status).toBe(200);
    expect(
      (await request(choosePlan, owner, { product: 'escucho_monthly' })).body.current.nextPlan,
    ).toBeNull();

    const other = newUser();
    await buy(other, { product_id: 'escucho_yearly' });
    expect(await getPlans(other)).toEqual(['escucho_yearly']);
    expect((await request(choosePlan, other, { product: 'escucho_monthly' })).status).toBe(404);
  });
});

describe('without the sandbox that there was', () => {
  it('[SUB-07] its payments are no receipts', async () => {
    const user = newUser();
    await buy(user);
    expect((await callApi(findReceipts, user)).body.docs).toHaveLength(1);
    const withoutSandbox = await startProvider({ connection, time, sandbox: false });
    expect(await withoutSandbox.listReceipts(user)).toEqual([]);
  });

  it('[SHELL-03] a payment that was in progress there fails, and no longer keeps the subscriber', async () => {
    const user = newUser();
    const session = (await subscribe(user)).operation_session_id;
    const inProgress = { status: 'in_progress', card: 'card_1', lockedUntil: null } as const;
    await db.updateTable('checkout').set(inProgress).where('id', '=', session).execute();
    const withoutSandbox = await startProvider({ connection, time, sandbox: false });
    expect((await withoutSandbox.getStatus(session)).status).toBe('failed');
    expect((await withoutSandbox.callApi(remove, user)).status).toBe(200);
  });
});

describe('deleting a subscriber', () => {
  it('[SHELL-03] ends renewals, retains payments and clears personal data', async () => {
    const user = newUser();
    await buy(user, { email: 'someone.in.particular@user.test' });
    expect((await callApi(remove, user)).body).toEqual({ app_user_id: user, deleted: true });
    expect((await callApi(remove, user)).body.reason).toBe('subscriber_not_found');
    expect((await get(`/v1/subscribers/${user}`)).status).toBe(201);
    expect((await getInfo(user)).entitlements).toEqual({});
    const rows = await db
      .selectFrom('subscriber')
      .innerJoin('subscription', 'subscription.subscriberId', 'subscriber.id')
      .innerJoin('subscription_event', 'subscription_event.subscriptionId', 'subscription.id')
      .select(['email', 'appUserId', 'payers', 'dueAt', 'kind'])
      .where('deletedAt', 'is not', null)
      .orderBy('sequence')
      .execute();
    expect(rows.map(({ kind }) => kind)).toEqual(['started', 'paid', 'cancelled', 'expired']);
    expect(rows[0]).toMatchObject({ email: null, appUserId: null, payers: {}, dueAt: null });
  });

  it('[SHELL-03] concurrent requests do not take each other’s connections', async () => {
    const user = newUser();
    await subscribe(user);
    // More than the pool has connections.
    const deletions = await Promise.all(Array.from({ length: 16 }, () => callApi(remove, user)));
    for (const { status } of deletions) expect([200, 404]).toContain(status);
  });

  it('[SHELL-03] waits while a purchase is being paid', async () => {
    const user = newUser();
    const session = (await subscribe(user)).operation_session_id;
    const inProgress = { status: 'in_progress', lockedUntil: new Date('2036-01-01') } as const;
    await db.updateTable('checkout').set(inProgress).where('id', '=', session).execute();
    expect((await callApi(remove, user)).status).toBe(503);
    expect((await get(`/v1/subscribers/${user}`)).status).toBe(200);
    await db.updateTable('checkout').set({ status: 'failed' }).where('id', '=', session).execute();
    expect((await callApi(remove, user)).status).toBe(200);
  });

  it('[SHELL-03] a purchase that was started is not paid afterwards', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    await callApi(remove, user);
    await confirmCard(data.client_secret);
    expect((await getStatus(session)).status).toBe('failed');
  });
});
