import { billingApi } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const {
  provider,
  behavior,
  hasAccess,
  buy,
  advanceClock,
  listPayments,
  listPaidAmounts,
  sendAllEvents,
  callApi,
  changePlan,
  findCurrent,
  listReceipts,
  findStored,
  listSubscriptions,
  advanceStripeClock,
} = stripe;
const { newUser, clock, advanceClock: advanceProviderClock } = provider;
const { cancel, resume, deleteSubscriber: remove } = billingApi;
const HOUR = 3600;
const MONTH = 31 * DAY;

/** Returns the price id of a customer's subscription. */
const getPriceId = (customer: string): string =>
  JSON.parse(JSON.stringify(listSubscriptions(customer)[0])).items.data[0].price.id;

describe('a change of a subscription at Stripe', () => {
  it('[RCB-02] is cancelled and resumed at Stripe as it is here', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await callApi(cancel, user);
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: true }]);
    expect((await callApi(resume, user)).body.current).toMatchObject({ willRenew: true });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: false }]);
    await callApi(cancel, user);
    await advanceClock(user, 2 * MONTH, 10 * DAY);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] is not cancelled where Stripe cannot be reached', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.serverErrors = 2;
    expect((await callApi(cancel, user)).status).toBe(503);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true, unsubscribedAt: null });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: false }]);
  });

  /** Creates a user whose period ended so many seconds ago, here and at Stripe, and was not processed yet. */
  async function createUnprocessed(seconds: number) {
    const user = newUser();
    const { customer } = await buy(user);
    const clockOffset = (Date.parse((await findCurrent(user)).endsAt) - clock().getTime()) / 1000 + seconds;
    advanceStripeClock(new Date(clock().getTime() + clockOffset * 1000), customer);
    const offset = { clockOffsetSeconds: clockOffset };
    await provider.db.updateTable('subscriber').set(offset).where('appUserId', '=', user).execute();
    return { user, customer };
  }

  it.each([
    ['cancelled', async (user: string) => callApi(cancel, user)],
    ['deleted', async (user: string) => callApi(remove, user)],
  ])('[RCB-02] %s after Stripe charged the next period, has that period', async (_name, stop) => {
    const { user, customer } = await createUnprocessed(2 * HOUR);
    expect((await stop(user)).status).toBe(200);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    const paid = await provider.db
      .selectFrom('subscription_event')
      .select('id')
      .where('kind', '=', 'paid')
      .where(
        sql`data ->> 'reference'`,
        'in',
        listPayments(customer).map(({ id }) => id),
      )
      .execute();
    expect(paid).toHaveLength(2);
    advanceStripeClock(new Date(clock().getTime() + 3 * MONTH * 1000), customer);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
  });

  it('[RCB-02] cancelled after the next period was paid, stays active for it', async () => {
    const { user, customer } = await createUnprocessed(2 * HOUR);
    expect((await callApi(cancel, user)).body.current).toMatchObject({ willRenew: false, canResume: true });
    expect(await hasAccess(user)).toBe(true);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
  });

  it('[RCB-02] cancelled while an invoice is open, is never charged for it', async () => {
    const { user, customer } = await createUnprocessed(60);
    expect((await callApi(cancel, user)).status).toBe(200);
    advanceStripeClock(new Date(clock().getTime() + 2 * MONTH * 1000), customer);
    await advanceProviderClock(user, DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] changed between periods, owes the present plan', async () => {
    const { user } = await createUnprocessed(60);
    behavior.decline = 'card_declined';
    expect(await findCurrent(user)).toMatchObject({ canCancel: true, canChangePlan: false });
    expect((await changePlan(user, 'escucho_yearly')).status).toBe(409);
    await advanceProviderClock(user, 1);
    for (const plan of ['escucho_yearly', 'escucho_monthly'])
      expect((await changePlan(user, plan)).status).toBe(200);
  });

  it('[RCB-02] changes the plan at Stripe with the next period, unless undone', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await changePlan(user, 'escucho_yearly');
    await changePlan(user, 'escucho_monthly');
    expect(listSubscriptions(customer)).toMatchObject([{ schedule: null }]);
    await changePlan(user, 'escucho_yearly');
    await advanceClock(user, MONTH);
    expect(listPaidAmounts(customer)).toEqual([300, 2700]);
    expect(await findCurrent(user)).toMatchObject({ plan: { product: 'escucho_yearly' }, nextPlan: null });
    expect((await listReceipts(user))[0]).toMatchObject({
      plan: { product: 'escucho_yearly' },
      paid: { amount: 2700 },
    });
  });

  it('[RCB-02] whose chosen plan is owed, cannot return to the former plan before it is paid', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await changePlan(user, 'escucho_yearly');
    behavior.decline = 'card_declined';
    await advanceClock(user, MONTH);
    expect(await findCurrent(user)).toMatchObject({ canCancel: true, canChangePlan: false });
    expect((await changePlan(user, 'escucho_monthly')).status).toBe(409);
    await sendAllEvents(customer, 'customer.subscription');
    expect(await findCurrent(user)).toMatchObject({ nextPlan: { product: 'escucho_yearly' } });
    behavior.decline = undefined;
    await advanceClock(user, 3 * DAY);
    expect((await listReceipts(user))[0]).toMatchObject({
      plan: { product: 'escucho_yearly' },
      paid: { amount: 2700 },
    });
    expect((await changePlan(user, 'escucho_monthly')).status).toBe(200);
  });

  it('[RCB-02] cancelled with another plan chosen, starts that plan when resumed', async () => {
    const user = newUser();
    const { customer } = await buy(user, { offer_id: 'trial' });
    await changePlan(user, 'escucho_yearly');
    await callApi(cancel, user);
    await callApi(resume, user);
    await advanceClock(user, 4 * DAY);
    expect(listPaidAmounts(customer)).toEqual([2700]);
    expect(await findCurrent(user)).toMatchObject({ plan: { product: 'escucho_yearly' }, isTrial: false });
  });

  it('[RCB-02] follows changes on Stripe’s own pages: cancel, resume, plan, end', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const id = String(listSubscriptions(customer)[0]?.id);
    const { subscriptions, prices, subscriptionSchedules } = stripe.client;
    const sendSubscriptionEvents = () => sendAllEvents(customer, 'customer.subscription');
    await subscriptions.update(id, { cancel_at_period_end: true });
    await sendSubscriptionEvents();
    expect(await findCurrent(user)).toMatchObject({ willRenew: false, canResume: true });
    await subscriptions.update(id, { cancel_at_period_end: false });
    await sendSubscriptionEvents();
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
    const [price] = (await prices.list({ lookup_keys: ['escucho_yearly'] })).data;
    const made = await subscriptionSchedules.create({ from_subscription: id });
    const { start_date = 0, end_date = 0 } = made.phases[0] ?? {};
    const items = [{ price: String(getPriceId(customer)) }];
    await subscriptionSchedules.update(made.id, {
      phases: [{ items, start_date, end_date }, { items: [{ price: String(price?.id) }] }],
    });
    await sendSubscriptionEvents();
    expect(await findCurrent(user)).toMatchObject({ nextPlan: { product: 'escucho_yearly' } });
    await subscriptions.cancel(id);
    await sendSubscriptionEvents();
    // The paid period continues.
    expect(await findCurrent(user)).toMatchObject({ willRenew: false });
    expect(await hasAccess(user)).toBe(true);
    await advanceClock(user, MONTH);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] cancelled here and resumed at Stripe, is recorded period by period without events', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await callApi(cancel, user);
    const id = String(listSubscriptions(customer)[0]?.id);
    await stripe.client.subscriptions.update(id, { cancel_at_period_end: false });
    await advanceClock(user, 2 * MONTH);
    expect(listPaidAmounts(customer)).toEqual([300, 300, 300]);
    expect(await listReceipts(user)).toHaveLength(3);
    expect(await hasAccess(user)).toBe(true);
  });

  it('[RCB-02] ended at Stripe and resumed here, is created again and paid with its next period', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await stripe.client.subscriptions.cancel(String(listSubscriptions(customer)[0]?.id));
    await sendAllEvents(customer, 'customer.subscription');
    expect((await callApi(resume, user)).body.current).toMatchObject({ willRenew: true });
    expect(listSubscriptions(customer).map((each) => each.status)).toEqual(['canceled', 'trialing']);
    expect(listPaidAmounts(customer)).toEqual([300]);
    await advanceClock(user, MONTH);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] created again with the chosen plan, returns to the former one when that is chosen', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await changePlan(user, 'escucho_yearly');
    await stripe.client.subscriptions.cancel(String(listSubscriptions(customer)[0]?.id));
    await sendAllEvents(customer, 'customer.subscription');
    await callApi(resume, user);
    await changePlan(user, 'escucho_monthly');
    await sendAllEvents(customer, 'customer.subscription');
    expect(await findCurrent(user)).toMatchObject({ nextPlan: null });
    await callApi(cancel, user);
    await callApi(resume, user);
    await advanceClock(user, MONTH);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await findCurrent(user)).toMatchObject({
      plan: { product: 'escucho_monthly' },
      nextPlan: null,
      willRenew: true,
    });
  });

  it('[RCB-02] with a cancellation date at Stripe is resumed here', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const id = String(listSubscriptions(customer)[0]?.id);
    const end = Date.parse((await findCurrent(user)).endsAt) / 1000;
    const setEnd = async (at: number) => {
      await stripe.client.subscriptions.update(id, { cancel_at: at });
      await sendAllEvents(customer, 'customer.subscription');
      return findCurrent(user);
    };
    expect(await setEnd(end + 1000)).toMatchObject({ willRenew: true });
    expect(await setEnd(end)).toMatchObject({ willRenew: false });
    expect((await callApi(resume, user)).body.current).toMatchObject({ willRenew: true });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at: null }]);
  });

  describe('created again at Stripe by a process that died before it was recorded', () => {
    /** Ends a user's subscription at Stripe and creates the one that replaces it. */
    async function createReplacement(version: number) {
      const user = newUser();
      const { customer } = await buy(user);
      await stripe.client.subscriptions.cancel(String(listSubscriptions(customer)[0]?.id));
      await sendAllEvents(customer, 'customer.subscription');
      const { id, expires } = await findStored(user);
      const [price] = (await stripe.client.prices.list({ lookup_keys: ['escucho_monthly'] })).data;
      await stripe.client.subscriptions.create({
        customer,
        items: [{ price: String(price?.id) }],
        trial_end: expires,
        metadata: { checkout: `${id}.again.${version}` },
      });
      return { user, customer };
    }

    it('[RCB-02] is recorded on Stripe’s event', async () => {
      const { user, customer } = await createReplacement(3);
      await sendAllEvents(customer, 'invoice.paid');
      expect(await findCurrent(user)).toMatchObject({ willRenew: true });
      await advanceClock(user, MONTH);
      expect(listPaidAmounts(customer)).toEqual([300, 300]);
      expect(await listReceipts(user)).toHaveLength(2);
    });

    it('[RCB-02] is cancelled where the subscription has changed since', async () => {
      const { user, customer } = await createReplacement(2);
      await sendAllEvents(customer, 'invoice.paid');
      expect(await findCurrent(user)).toMatchObject({ willRenew: false });
      expect(listSubscriptions(customer).map((each) => each.status)).toEqual(['canceled', 'canceled']);
    });

    it('[RCB-02] is cancelled and refunded where its event arrives after its first payment', async () => {
      const { user, customer } = await createReplacement(2);
      await advanceClock(user, MONTH);
      expect(listPaidAmounts(customer)).toEqual([300, 300]);
      await sendAllEvents(customer, 'invoice.paid');
      expect(listSubscriptions(customer).map((each) => each.status)).toEqual(['canceled', 'canceled']);
      const payment = listPayments(customer).at(-1)?.id;
      const refunds = stripe.list('refund').filter((each) => each.payment_intent === payment);
      expect(refunds).toMatchObject([{ amount: 300 }]);
      const answers = await sendAllEvents(customer, 'charge.refunded');
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200]);
    });
  });
});
