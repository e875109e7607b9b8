import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { openEmailOutbox } from '../index.ts';
import { DAY, startProvider } from '../testing/provider.ts';
import { stripeKeys } from '../testing/stripe/simulator.ts';
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
  replaceCard,
  findCurrent,
  listReceipts,
  findStored,
  listSubscriptions,
  listInvoices,
  advanceStripeClock,
} = stripe;
const { newUser, clock, advanceClock: advanceProviderClock } = provider;
const { pay, cancel, resume, createCardSetup, deleteSubscriber: remove } = billingApi;
const HOUR = 3600;
const MONTH = 31 * DAY;

/** Begins a subscription's next period at Stripe now. */
const beginPeriod = (id: string) =>
  stripe.client.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'none',
  });

describe('a subscription at Stripe', () => {
  it('[RCB-02] renews with Stripe’s dates, without an event', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceClock(user, 3 * MONTH, 10 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300, 300, 300, 300]);
    expect(await listReceipts(user)).toHaveLength(4);
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
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] continues with a period that Stripe began early, charged once', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceClock(user, 20 * DAY);
    await beginPeriod(String(listSubscriptions(customer)[0]?.id));
    await advanceClock(user, 15 * DAY, HOUR * 12);
    expect(await hasAccess(user)).toBe(true);
    expect(await listReceipts(user)).toHaveLength(2);
    await advanceClock(user, 20 * DAY, HOUR * 12);
    expect(listPaidAmounts(customer)).toEqual([300, 300, 300]);
    expect(await listReceipts(user)).toHaveLength(3);
  });

  it('[RCB-02] keeps a period that ended at Stripe before it is resumed', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceClock(user, DAY);
    const id = String(listSubscriptions(customer)[0]?.id);
    await beginPeriod(id);
    await stripe.client.subscriptions.cancel(id);
    expect((await callApi(resume, user)).body.current).toMatchObject({ willRenew: true });
    expect((await findStored(user)).expires).toBe(stripe.getUserTime(user).getTime() / 1000 + 30 * DAY);
    await sendAllEvents(customer);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] waits while the provider runs without Stripe’s keys', async () => {
    const user = newUser();
    await buy(user);
    const { connection, time } = provider;
    const unconfigured = await startProvider({ connection, time, performJobs: false });
    await unconfigured.advanceClock(user, MONTH);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true, billingIssueAt: null });
    await advanceClock(user, MONTH);
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] loses access when Stripe is an hour late, and regains it on renewal', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceProviderClock(user, MONTH + 2 * HOUR);
    expect(await hasAccess(user)).toBe(false);
    advanceStripeClock(new Date(clock().getTime() + (MONTH + 2 * HOUR) * 1000), customer);
    await advanceProviderClock(user, 1);
    expect(await hasAccess(user)).toBe(true);
    expect(await listReceipts(user)).toHaveLength(2);
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

  it('[RCB-02] refused before another plan is chosen, owes the plan of its invoice', async () => {
    const user = newUser();
    await buy(user, { email: 'owed@user.test' });
    behavior.decline = 'card_declined';
    await advanceClock(user, 30 * DAY + HOUR);
    for (const product of ['escucho_yearly', 'escucho_monthly', 'escucho_yearly']) {
      const { body } = await changePlan(user, product);
      expect(body.current).toMatchObject({ canChangePlan: true });
    }
    await advanceClock(user, 8 * DAY);
    const { list, close } = openEmailOutbox({ connection: provider.connection, managementUrl: '' });
    const texts = (await list('owed@user.test')).map(({ text }) => text);
    await close();
    expect(texts.map((text) => /\$\d+\.\d\d/.exec(text)?.[0])).toEqual(['$3.00', '$3.00', '$3.00']);
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
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is cancelled at Stripe before its user is deleted', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.decline = 'card_declined';
    await advanceClock(user, MONTH);
    behavior.decline = undefined;
    expect((await callApi(remove, user)).status).toBe(200);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    advanceStripeClock(new Date(clock().getTime() + 3 * MONTH * 1000), customer);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] of a user deleted before Stripe renews it, never renews', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceProviderClock(user, MONTH);
    expect((await callApi(remove, user)).status).toBe(200);
    advanceStripeClock(new Date(clock().getTime() + 2 * MONTH * 1000), customer);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] is not deleted while the provider runs without Stripe’s keys', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await callApi(cancel, user);
    await advanceClock(user, MONTH);
    const { connection, time } = provider;
    const unconfigured = await startProvider({ connection, time, performJobs: false });
    expect((await unconfigured.callApi(remove, user)).status).toBe(503);
    expect(await stripe.client.customers.retrieve(customer)).not.toMatchObject({ deleted: true });
    expect((await callApi(remove, user)).status).toBe(200);
    expect(await stripe.client.customers.retrieve(customer)).toMatchObject({ deleted: true });
  });

  it('[BUY-07] cannot be bought again while Stripe is late with its renewal', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceProviderClock(user, MONTH + 2 * HOUR);
    expect((await stripe.subscribe(user)).code).toBe(7772);
    expect(listSubscriptions(customer)).toHaveLength(1);
  });
});

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
    const { confirmation } = (await callApi(pay, user)).body;
    expect(confirmation).toEqual({
      clientSecret: stripe.find(payment)?.client_secret,
      card: expect.stringMatching(/^pm_/),
      publishableKey: stripeKeys.publishableKey,
      accountId: stripeKeys.accountId,
    });
    stripe.completePayment(payment);
    const { body } = await callApi(pay, user);
    expect(body).toMatchObject({
      confirmation: null,
      current: { needsConfirmation: false, willRenew: true },
    });
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is recorded by Stripe’s event when the page was closed', async () => {
    const { user, customer, payment } = await createUnconfirmedUser();
    stripe.completePayment(payment);
    for (let times = 0; times < 2; times += 1) await sendAllEvents(customer, 'invoice.paid');
    expect(await findCurrent(user)).toMatchObject({ needsConfirmation: false, willRenew: true });
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is paid by another card, with the same invoice', async () => {
    const { user, customer } = await createUnconfirmedUser();
    const { setup, clientSecret } = (await callApi(createCardSetup, user)).body;
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
    const { setup, clientSecret } = (await callApi(createCardSetup, user)).body;
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
    expect((await callApi(pay, user)).status).toBe(404);
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
