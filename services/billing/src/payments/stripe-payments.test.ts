import { billingApi, buildPath } from '@escucho/contracts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY, keys } from '../testing/provider.ts';
import { stripeKeys } from '../testing/stripe/simulator.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const {
  provider,
  behavior,
  getStatus,
  hasAccess,
  buy,
  advanceClock,
  listPayments,
  listPaidAmounts,
  sendEvent,
  sendAllEvents,
  callApi,
} = stripe;
const { replaceCard, findCurrent, listSubscriptions, listInvoices, advanceStripeClock } = stripe;
const { newUser, clock, send, advanceClock: advanceProviderClock } = provider;
const {
  findReceipts,
  pay,
  createCardSetup,
  cancel,
  resume,
  choosePlan,
  deleteSubscriber: remove,
} = billingApi.subscribers;
const [HOUR, MONTH] = [3600, 31 * DAY];

const toReceipts = async (user: string) => (await callApi(findReceipts, { appUserId: user })).body.docs;
const changePlan = (user: string, product: string) =>
  send(choosePlan.method, buildPath(choosePlan, { params: { appUserId: user } }), { product }, keys.secret);
const manage = (user: string, target: typeof cancel | typeof resume) => callApi(target, { appUserId: user });

describe('a subscription at Stripe', () => {
  it('[RCB-02] renews with Stripe’s dates, without an event', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceClock(user, 3 * MONTH, 10 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300, 300, 300, 300]);
    expect(await toReceipts(user)).toHaveLength(4);
    const [{ items }] = listSubscriptions(customer).map((each) => JSON.parse(JSON.stringify(each)));
    const { expires } = await findStored(user);
    expect(expires).toBe(items.data[0].current_period_end);
  });

  it('[RCB-02] renews within a minute of Stripe’s draft and has access before', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const month = (Date.parse((await findCurrent(user)).endsAt) - clock().getTime()) / 1000;
    await advanceClock(user, month - 60);
    expect(await hasAccess(user)).toBe(true);
    // Here the period is over, at Stripe it is not yet.
    await advanceProviderClock(user, 120);
    expect(await hasAccess(user)).toBe(true);
    expect(listPaidAmounts(customer)).toEqual([300]);
    await advanceClock(user, 180);
    expect(listInvoices(customer).map((each) => each.status)).toEqual(['paid', 'paid']);
    expect(await toReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] loses access when Stripe is an hour late, and regains it on renewal', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceProviderClock(user, MONTH + 2 * HOUR);
    expect(await hasAccess(user)).toBe(false);
    advanceStripeClock(new Date(clock().getTime() + (MONTH + 2 * HOUR) * 1000), customer);
    await advanceProviderClock(user, 1);
    expect(await hasAccess(user)).toBe(true);
    expect(await toReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] retries the same invoice when refused, and ends after a week owing nothing', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.decline = 'card_declined';
    await advanceClock(user, MONTH, HOUR * 12);
    expect(await findCurrent(user)).toMatchObject({ willRenew: false, graceEndsAt: expect.any(String) });
    await advanceClock(user, 8 * DAY, HOUR * 12);
    expect(await findCurrent(user)).toBeNull();
    expect(listInvoices(customer).map((each) => each.status)).toEqual(['paid', 'void']);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] continues when Stripe itself collects a refused renewal', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.decline = 'card_declined';
    await advanceClock(user, MONTH);
    behavior.decline = undefined;
    const open = listInvoices(customer).at(-1);
    await stripe.client.invoices.pay(String(open?.id));
    for (let times = 0; times < 2; times += 1) await sendAllEvents(customer, 'invoice.paid');
    expect(await findCurrent(user)).toMatchObject({ willRenew: true, billingIssueAt: null });
    expect(await toReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is cancelled and resumed at Stripe as it is here', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await manage(user, cancel);
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: true }]);
    expect((await manage(user, resume)).body.current).toMatchObject({ willRenew: true });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: false }]);
    await manage(user, cancel);
    await advanceClock(user, 2 * MONTH, 10 * DAY);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] is not cancelled where Stripe cannot be reached', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.serverErrors = 2;
    expect((await manage(user, cancel)).status).toBe(500);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true, unsubscribedAt: null });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: false }]);
  });

  /** Creates a user whose period ended so many seconds ago, here and at Stripe, and was not processed yet. */
  async function createUnprocessed(seconds: number) {
    const user = newUser();
    const { customer } = await buy(user);
    const clockOffset = (Date.parse((await findCurrent(user)).endsAt) - clock().getTime()) / 1000 + seconds;
    advanceStripeClock(new Date(clock().getTime() + clockOffset * 1000), customer);
    const offset = { clock_offset_seconds: clockOffset };
    await provider.db.updateTable('subscriber').set(offset).where('app_user_id', '=', user).execute();
    return { user, customer };
  }

  it.each([
    ['cancelled', async (user: string) => manage(user, cancel)],
    ['deleted', async (user: string) => callApi(remove, { appUserId: user })],
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
    expect((await manage(user, cancel)).body.current).toMatchObject({ willRenew: false, canResume: true });
    expect(await hasAccess(user)).toBe(true);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
  });

  it('[RCB-02] cancelled while an invoice is open, is never charged for it', async () => {
    const { user, customer } = await createUnprocessed(60);
    expect((await manage(user, cancel)).status).toBe(200);
    advanceStripeClock(new Date(clock().getTime() + 2 * MONTH * 1000), customer);
    await advanceProviderClock(user, DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
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
    expect((await toReceipts(user))[0]).toMatchObject({
      plan: { product: 'escucho_yearly' },
      paid: { amount: 2700 },
    });
  });

  it('[RCB-02] cancelled with another plan chosen, starts that plan when resumed', async () => {
    const user = newUser();
    const { customer } = await buy(user, { offer_id: 'trial' });
    await changePlan(user, 'escucho_yearly');
    await manage(user, cancel);
    await manage(user, resume);
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
    await manage(user, cancel);
    const id = String(listSubscriptions(customer)[0]?.id);
    await stripe.client.subscriptions.update(id, { cancel_at_period_end: false });
    await advanceClock(user, 2 * MONTH);
    expect(listPaidAmounts(customer)).toEqual([300, 300, 300]);
    expect(await toReceipts(user)).toHaveLength(3);
    expect(await hasAccess(user)).toBe(true);
  });

  it('[RCB-02] ended at Stripe and resumed here, is created again and paid with its next period', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await stripe.client.subscriptions.cancel(String(listSubscriptions(customer)[0]?.id));
    await sendAllEvents(customer, 'customer.subscription');
    expect((await manage(user, resume)).body.current).toMatchObject({ willRenew: true });
    expect(listSubscriptions(customer).map((each) => each.status)).toEqual(['canceled', 'trialing']);
    expect(listPaidAmounts(customer)).toEqual([300]);
    await advanceClock(user, MONTH);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await toReceipts(user)).toHaveLength(2);
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
    expect((await manage(user, resume)).body.current).toMatchObject({ willRenew: true });
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
      await sendAllEvents(customer, 'invoice.paid');
      return { user, customer };
    }

    it('[RCB-02] is recorded on Stripe’s event', async () => {
      const { user, customer } = await createReplacement(3);
      expect(await findCurrent(user)).toMatchObject({ willRenew: true });
      await advanceClock(user, MONTH);
      expect(listPaidAmounts(customer)).toEqual([300, 300]);
      expect(await toReceipts(user)).toHaveLength(2);
    });

    it('[RCB-02] is cancelled where the subscription has changed since', async () => {
      const { user, customer } = await createReplacement(2);
      expect(await findCurrent(user)).toMatchObject({ willRenew: false });
      expect(listSubscriptions(customer).map((each) => each.status)).toEqual(['canceled', 'canceled']);
    });
  });

  it('[RCB-02] is cancelled at Stripe before its user is deleted', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.decline = 'card_declined';
    await advanceClock(user, MONTH);
    behavior.decline = undefined;
    expect((await callApi(remove, { appUserId: user })).status).toBe(200);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    advanceStripeClock(new Date(clock().getTime() + 3 * MONTH * 1000), customer);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] of a user deleted before Stripe renews it, never renews', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceProviderClock(user, MONTH);
    expect((await callApi(remove, { appUserId: user })).status).toBe(200);
    advanceStripeClock(new Date(clock().getTime() + 2 * MONTH * 1000), customer);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[BUY-07] cannot be bought again while Stripe is late with its renewal', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceProviderClock(user, MONTH + 2 * HOUR);
    expect((await stripe.subscribe(user)).code).toBe(7772);
    expect(listSubscriptions(customer)).toHaveLength(1);
  });
});

/** Returns the id of a user's subscription and when it expires, in Unix seconds. */
async function findStored(user: string) {
  const row = await provider.db
    .selectFrom('subscription')
    .innerJoin('subscriber', 'subscriber.id', 'subscription.subscriber_id')
    .select(['subscription.id', 'state'])
    .where('app_user_id', '=', user)
    .executeTakeFirstOrThrow();
  return { id: row.id, expires: Date.parse(JSON.parse(JSON.stringify(row.state)).expiresAt) / 1000 };
}

/** Returns the price id of a customer's subscription. */
const getPriceId = (customer: string): string =>
  JSON.parse(JSON.stringify(listSubscriptions(customer)[0])).items.data[0].price.id;

describe('a renewal that needs a confirmation', () => {
  /** Creates a user whose first renewal waits for a confirmation by the bank. */
  async function createUnconfirmedUser() {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.decline = 'authentication_required';
    await advanceClock(user, MONTH);
    return { user, customer, payment: String(listPayments(customer).at(-1)?.id) };
  }

  it('[RCB-02] is not retried, and is paid when its owner confirms it', async () => {
    const { user, customer, payment } = await createUnconfirmedUser();
    await advanceClock(user, 5 * DAY);
    expect(listPayments(customer)).toHaveLength(2);
    expect(await findCurrent(user)).toMatchObject({ needsConfirmation: true, willRenew: false });
    expect(await hasAccess(user)).toBe(true);
    const { confirmation } = (await callApi(pay, { appUserId: user })).body;
    expect(confirmation).toEqual({
      clientSecret: stripe.find(payment)?.client_secret,
      card: expect.stringMatching(/^pm_/),
      publishableKey: stripeKeys.publishableKey,
      accountId: stripeKeys.accountId,
    });
    stripe.completePayment(payment);
    const { body } = await callApi(pay, { appUserId: user });
    expect(body).toMatchObject({
      confirmation: null,
      current: { needsConfirmation: false, willRenew: true },
    });
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await toReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is recorded by Stripe’s event when the page was closed', async () => {
    const { user, customer, payment } = await createUnconfirmedUser();
    stripe.completePayment(payment);
    for (let times = 0; times < 2; times += 1) await sendAllEvents(customer, 'invoice.paid');
    expect(await findCurrent(user)).toMatchObject({ needsConfirmation: false, willRenew: true });
    expect(await toReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is paid by another card, with the same invoice', async () => {
    const { user, customer } = await createUnconfirmedUser();
    const { setup, clientSecret } = (await callApi(createCardSetup, { appUserId: user })).body;
    const { payment_method: card } = stripe.completeSetup(clientSecret);
    behavior.decline = undefined;
    expect((await replaceCard(user, setup)).body).toMatchObject({
      confirmation: null,
      current: { willRenew: true },
    });
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(listInvoices(customer)).toHaveLength(2);
    expect(listPayments(customer).at(-1)?.payment_method).toBe(card);
  });

  it('[RCB-02] confirmed while the card is replaced, is paid once', async () => {
    const { user, customer, payment } = await createUnconfirmedUser();
    const { setup, clientSecret } = (await callApi(createCardSetup, { appUserId: user })).body;
    stripe.completeSetup(clientSecret);
    stripe.completePayment(payment);
    behavior.decline = undefined;
    await replaceCard(user, setup);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
  });

  it('[RCB-02] unconfirmed, ends after a week', async () => {
    const { user } = await createUnconfirmedUser();
    await advanceClock(user, 8 * DAY);
    expect(await findCurrent(user)).toBeNull();
    expect((await callApi(pay, { appUserId: user })).status).toBe(404);
  });

  it('[RCB-02] at the end of a trial has the same grace period', async () => {
    const user = newUser();
    await buy(user, { offer_id: 'trial' });
    behavior.decline = 'authentication_required';
    await advanceClock(user, 4 * DAY);
    expect(await findCurrent(user)).toMatchObject({ isTrial: true, needsConfirmation: true });
    expect(await hasAccess(user)).toBe(true);
  });

  it('[RCB-02] a trial whose card is refused ends at once, and at Stripe', async () => {
    const user = newUser();
    const { customer } = await buy(user, { offer_id: 'trial' });
    behavior.decline = 'card_declined';
    await advanceClock(user, 4 * DAY);
    expect(await findCurrent(user)).toBeNull();
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
  });
});

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
    expect((await callApi(findReceipts, { appUserId: user })).body.docs).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] reported out of order, or only at its end, ends the same', async () => {
    const { user, report } = await createDisputed();
    await report('closed', 'lost');
    await report('created');
    await report('updated');
    expect(await findCurrent(user)).toBeNull();
    expect((await callApi(findReceipts, { appUserId: user })).body.docs).toMatchObject([{ refunded: 300 }]);
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
    expect((await manage(user, resume)).body.current).toMatchObject({ willRenew: true });
    await report('closed', 'won');
    await advanceClock(user, 40 * DAY, DAY);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
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
