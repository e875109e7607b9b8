import { billingApi } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { describe, expect, it } from 'vitest';
import { jobQueue } from '../jobs.ts';
import { DAY } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const {
  provider,
  getStatus,
  hasAccess,
  buy,
  advanceClock,
  listPayments,
  listPaidAmounts,
  sendEvent,
  callApi,
  findCurrent,
  listReceipts,
  findStored,
  listSubscriptions,
} = stripe;
const { newUser, clock, refund } = provider;
const { resume, deleteSubscriber } = billingApi;

type Status = Parameters<typeof stripe.dispute>[1];

describe('a dispute at Stripe', () => {
  /** Opens a dispute about a purchase. Returns a function that sends an event with its status. */
  async function createDisputed(first: Status = 'needs_response') {
    const user = newUser();
    const { customer } = await buy(user);
    const payment = String(listPayments(customer)[0]?.id);
    stripe.dispute(payment, first);
    const report = (type: string, status?: Status) =>
      sendEvent(`charge.dispute.${type}`, stripe.dispute(payment, status ?? first));
    return { user, customer, report };
  }

  it('[RCB-02] ends access at once and charges nothing while it is open', async () => {
    const { user, customer, report } = await createDisputed();
    for (let times = 0; times < 2; times += 1) expect((await report('created')).statusCode).toBe(200);
    expect(await findCurrent(user)).toBeNull();
    expect(await hasAccess(user)).toBe(false);
    await advanceClock(user, 60 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
  });

  it('[RCB-02] that is won restores the lost time and does not renew', async () => {
    const { user, report } = await createDisputed();
    await advanceClock(user, 10 * DAY);
    await report('created');
    await advanceClock(user, 60 * DAY);
    for (let times = 0; times < 2; times += 1) await report('closed', 'won');
    const won = await findCurrent(user);
    expect(won).toMatchObject({ willRenew: false, canResume: true });
    const days = (Date.parse(won.endsAt) - clock().getTime()) / (DAY * 1000);
    expect(Math.round(days)).toBe(20);
    await advanceClock(user, 21 * DAY);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] that is lost refunds the payment and gives no access', async () => {
    const { user, report } = await createDisputed();
    await report('created');
    for (let times = 0; times < 2; times += 1) await report('closed', 'lost');
    expect(await findCurrent(user)).toBeNull();
    expect(await listReceipts(user)).toMatchObject([{ refunded: 300 }]);
  });

  it.each([
    ['the earlier lost, then the present won', [0, 'lost'], [1, 'won'], true],
    ['the present won, then the earlier lost', [1, 'won'], [0, 'lost'], true],
    ['the earlier won, then the present lost', [0, 'won'], [1, 'lost'], false],
    ['the present lost, then the earlier won', [1, 'lost'], [0, 'won'], false],
  ] satisfies [string, [number, Status], [number, Status], boolean][])(
    '[RCB-02] of the earlier and of the present period’s payment: %s',
    async (_name, first, second, isReopened) => {
      const user = newUser();
      const { customer } = await buy(user);
      await advanceClock(user, 40 * DAY);
      const { endsAt } = await findCurrent(user);
      const payments = listPayments(customer).map(({ id }) => String(id));
      for (const payment of payments)
        await sendEvent('charge.dispute.created', stripe.dispute(payment, 'needs_response'));
      await advanceClock(user, 5 * DAY);
      for (const [index, status] of [first, second]) {
        expect(await findCurrent(user)).toBeNull();
        await sendEvent('charge.dispute.closed', stripe.dispute(String(payments[index]), status));
      }
      // By the server's clock the end has not moved, because the clock was advanced by as much as it was extended.
      expect((await findCurrent(user))?.endsAt).toBe(isReopened ? endsAt : undefined);
      expect((await listReceipts(user)).map((each: { refunded: number }) => each.refunded)).toEqual(
        isReopened ? [0, 300] : [300, 0],
      );
    },
  );

  it('[RCB-02] that is open refuses a refund; one that is won allows it', async () => {
    const { user, report } = await createDisputed();
    const [{ _id: id }] = await listReceipts(user);
    await report('created');
    expect(await refund(user, id)).toMatchObject({ status: 409, body: { reason: 'dispute_open' } });
    expect(await listReceipts(user)).toMatchObject([{ refunded: 0 }]);
    await report('closed', 'won');
    expect((await refund(user, id)).status).toBe(200);
    expect(await listReceipts(user)).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] that is open at Stripe refuses a refund before its event arrives', async () => {
    const { user } = await createDisputed();
    const [{ _id: id }] = await listReceipts(user);
    expect(await refund(user, id)).toMatchObject({ status: 409, body: { reason: 'dispute_open' } });
    expect(await listReceipts(user)).toMatchObject([{ refunded: 0 }]);
  });

  it('[RCB-02] reported out of order, or only at its end, ends the same', async () => {
    const { user, report } = await createDisputed();
    await report('closed', 'lost');
    await report('created');
    await report('updated');
    expect(await findCurrent(user)).toBeNull();
    expect(await listReceipts(user)).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] that is an inquiry changes nothing', async () => {
    const { user, report } = await createDisputed('warning_needs_response');
    await report('created');
    expect(await findCurrent(user)).not.toBeNull();
    await report('updated', 'needs_response');
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] lets its owner buy again', async () => {
    const { user, report } = await createDisputed();
    await report('created');
    const { session } = await buy(user);
    expect((await getStatus(session)).status).toBe('succeeded');
    await report('closed', 'won');
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
  });

  it('[RCB-02] won and resumed, is created again at Stripe from the end of the paid time', async () => {
    const { user, customer, report } = await createDisputed();
    await advanceClock(user, 10 * DAY);
    await report('created');
    await report('closed', 'won');
    expect((await callApi(resume, user)).body.current).toMatchObject({ willRenew: true });
    await report('closed', 'won');
    await advanceClock(user, 40 * DAY, DAY);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
  });

  const findRow = (id: string) =>
    provider.db
      .selectFrom('subscription')
      .select(['state', 'dueAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('[RCB-02] won after its owner was deleted, reopens nothing', async () => {
    const { user, report } = await createDisputed();
    await report('created');
    const { id } = await findStored(user);
    expect((await callApi(deleteSubscriber, user)).status).toBe(200);
    expect((await report('closed', 'won')).statusCode).toBe(200);
    expect(await findRow(id)).toMatchObject({ state: { endedAt: expect.any(String) }, dueAt: null });
  });

  it('[RCB-02] that reopened the subscription of a deleted owner, lets its job end it', async () => {
    const { user, report } = await createDisputed();
    await report('created');
    const { id } = await findStored(user);
    await report('closed', 'won');
    const deleted = { app_user_id: null, email: null, payers: '{}', deletedAt: clock() };
    await provider.db.updateTable('subscriber').set(deleted).where('appUserId', '=', user).execute();
    provider.time.now += 40 * DAY * 1000;
    await settleJobs(provider.db, jobQueue, { advanceMs: 40 * DAY * 1000 });
    expect(await findRow(id)).toMatchObject({ state: { endedAt: expect.any(String) }, dueAt: null });
  });

  it('[RCB-02] of another system’s payment is ignored', async () => {
    const { client } = stripe;
    const [price] = (await client.prices.list({ lookup_keys: ['escucho_monthly'] })).data;
    const { customer } = await buy(newUser());
    const made = await client.subscriptions.create({ customer, items: [{ price: String(price?.id) }] });
    const payment = String(listPayments(customer).at(-1)?.id);
    expect(made.metadata).toEqual({});
    expect((await sendEvent('charge.dispute.created', stripe.dispute(payment, 'lost'))).statusCode).toBe(200);
  });
});
