import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { settleJobs } from '@escucho/jobs/testing';
import { describe, expect, it, vi } from 'vitest';
import { jobQueue } from '../../jobs.ts';
import { DAY, keys } from '../../testing/provider.ts';
import { stripeKeys } from '../../testing/stripe/simulator.ts';
import { startStripeProvider } from '../../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const {
  provider,
  behavior,
  subscribe,
  getStatus,
  getInfo,
  hasAccess,
  buy,
  advanceClock,
  listPayments,
  listPaidAmounts,
  listSubscriptions,
  listInvoices,
  holdResponse,
  sendEvent,
  sendAllEvents,
  findCurrent,
} = stripe;
const { newUser, requestPurchase, clock, connection, db } = provider;
/** Attempts at a job are about six hours apart at most. */
const MAX_JOB_DELAY_MS = 7 * 3_600_000;

/** Returns the refunded amounts of a customer's payments. */
const listRefunds = (customer: string) => {
  const payments = listPayments(customer).map(({ id }) => id);
  const refunds = stripe.list('refund').filter((each) => payments.includes(String(each.payment_intent)));
  return refunds.map(({ amount }) => amount);
};

/** Long enough for a busy machine. */
const waitOptions = { timeout: 60_000 };

describe('a purchase by Stripe', () => {
  it('[RCB-02] creates a subscription with the card, paid once, at the price of its lookup key', async () => {
    const user = newUser();
    const started = await subscribe(user);
    expect(started.data).toMatchObject({
      client_secret: expect.stringMatching(/^seti_\w+_secret/),
      publishable_api_key: stripeKeys.publishableKey,
      stripe_account_id: stripeKeys.accountId,
    });
    expect((await getStatus(started.operation_session_id)).status).toBe('started');
    const setup = stripe.completeSetup(started.data.client_secret);
    expect((await getStatus(started.operation_session_id)).status).toBe('succeeded');
    const customer = String(setup.customer);
    expect(listSubscriptions(customer)).toMatchObject([
      {
        status: 'active',
        metadata: { checkout: started.operation_session_id },
        items: { data: [{ price: { lookup_key: 'escucho_monthly', unit_amount: 300 } }] },
      },
    ]);
    expect(stripe.find(customer)).toMatchObject({
      invoice_settings: { default_payment_method: setup.payment_method },
    });
    expect(listPaidAmounts(customer)).toEqual([300]);
    const { subscriptions } = await getInfo(user);
    expect(subscriptions.escucho_monthly).toMatchObject({ is_sandbox: false, period_type: 'normal' });
    expect(await findCurrent(user)).toMatchObject({ endsAt: '2026-12-20T10:00:00.000Z', willRenew: true });
  });

  it('[RCB-02] completes on Stripe’s event alone, once', async () => {
    const user = newUser();
    const { data } = await subscribe(user);
    const setup = stripe.completeSetup(data.client_secret);
    for (let times = 0; times < 3; times += 1) {
      expect((await sendEvent('setup_intent.succeeded', setup)).statusCode).toBe(200);
    }
    expect(await hasAccess(user)).toBe(true);
    expect(listSubscriptions(String(setup.customer))).toHaveLength(1);
    expect(listPaidAmounts(String(setup.customer))).toEqual([300]);
  });

  it('[RCB-02] with a trial charges nothing until it ends', async () => {
    const user = newUser();
    const { customer } = await buy(user, { offer_id: 'trial' });
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'trialing' }]);
    expect(listPaidAmounts(customer)).toEqual([]);
    await advanceClock(user, 3 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toMatchObject({ isTrial: false, endsAt: expect.any(String) });
  });

  it('[RCB-02] that is declined fails, gives no access and leaves no open invoice', async () => {
    const user = newUser();
    behavior.decline = 'insufficient_funds';
    const { session, customer } = await buy(user);
    expect(await getStatus(session)).toMatchObject({ status: 'failed', error: { code: 3 } });
    expect(await hasAccess(user)).toBe(false);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(listInvoices(customer)).toMatchObject([{ status: 'void' }]);
    expect(listPaidAmounts(customer)).toEqual([]);
  });

  it('[RCB-02] that is processing completes when Stripe reports it', async () => {
    const user = newUser();
    behavior.processing = true;
    const { session, customer } = await buy(user);
    expect((await getStatus(session)).status).toBe('in_progress');
    provider.time.now += 6000;
    stripe.completePayment(String(listPayments(customer)[0]?.id));
    await sendAllEvents(customer, 'invoice.paid');
    expect((await getStatus(session)).status).toBe('succeeded');
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] that is processing for more than a week completes by its job', async () => {
    const user = newUser();
    behavior.processing = true;
    const { customer } = await buy(user);
    const resume = async () => {
      provider.time.now += 6000;
      await settleJobs(db, jobQueue, { advanceMs: MAX_JOB_DELAY_MS });
    };
    for (let attempt = 1; attempt <= 30; attempt += 1) await resume();
    expect(await hasAccess(user)).toBe(false);
    stripe.completePayment(String(listPayments(customer)[0]?.id));
    await resume();
    expect(await hasAccess(user)).toBe(true);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] that is processing and then declined charges nothing', async () => {
    const user = newUser();
    behavior.processing = true;
    const { session, customer } = await buy(user);
    provider.time.now += 6000;
    stripe.completePayment(String(listPayments(customer)[0]?.id), 'card_declined');
    await sendAllEvents(customer, 'invoice.payment_failed');
    expect((await getStatus(session)).status).toBe('failed');
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(listInvoices(customer)).toMatchObject([{ status: 'void' }]);
  });

  it('[RCB-02] continues after a failure of Stripe and is paid once', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    const setup = stripe.completeSetup(data.client_secret);
    behavior.serverErrors = 2;
    expect((await getStatus(session)).status).toBe('started');
    behavior.serverErrors = 0;
    expect((await getStatus(session)).status).toBe('succeeded');
    expect(listPaidAmounts(String(setup.customer))).toEqual([300]);
  });

  it.each([
    ['to begin', '/v1/subscriptions', {}, [300]],
    ['to begin, with a trial', '/v1/subscriptions', { offer_id: 'trial' }, []],
    ['to be paid', '/v1/invoices/:id/pay', {}, [300]],
  ])('[RCB-02] that Stripe leaves undecided is requested again and paid once: %s', async (...each) => {
    const [, path, more, paid] = each;
    const user = newUser();
    const orderedAt = clock().getTime() / 1000;
    behavior.failingPath = path;
    const { session, customer } = await buy(user, more);
    expect((await getStatus(session)).status).toBe('in_progress');
    behavior.failingPath = undefined;
    provider.time.now += 600_000;
    // The server's own job may have locked the payment.
    await vi.waitFor(async () => {
      provider.time.now += 6000;
      expect((await getStatus(session)).status).toBe('succeeded');
    }, waitOptions);
    expect(listPaidAmounts(customer)).toEqual(paid);
    // The trial has its full length from the first request.
    const trialEnd = paid.length > 0 ? null : orderedAt + 3 * DAY;
    expect(listSubscriptions(customer)).toMatchObject([{ trial_end: trialEnd }]);
  });

  it('[RCB-02] cancels a subscription that Stripe created beside the repeated request', async () => {
    const user = newUser();
    const { session, customer } = await buy(user, { offer_id: 'trial' });
    const [known] = listSubscriptions(customer);
    const [price] = (await stripe.client.prices.list({ lookup_keys: ['escucho_monthly'] })).data;
    const { id } = await stripe.client.subscriptions.create({
      customer,
      items: [{ price: String(price?.id) }],
      metadata: { checkout: session },
      trial_end: Number(known?.trial_end),
    });
    for (let times = 0; times < 2; times += 1) await sendAllEvents(customer);
    expect(stripe.find(id)).toMatchObject({ status: 'canceled' });
    expect(stripe.find(String(known?.id))).toMatchObject({ status: 'trialing' });
    await advanceClock(user, 4 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });

  it('[RCB-02] refunds a payment for a subscription that was created beside another one', async () => {
    const { session, customer } = await buy(newUser());
    const [price] = (await stripe.client.prices.list({ lookup_keys: ['escucho_monthly'] })).data;
    const { id } = await stripe.client.subscriptions.create({
      customer,
      items: [{ price: String(price?.id) }],
      metadata: { checkout: session },
    });
    for (let times = 0; times < 2; times += 1) {
      const answers = await sendAllEvents(customer);
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    }
    expect(stripe.find(id)).toMatchObject({ status: 'canceled' });
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(listRefunds(customer)).toEqual([300]);
  });

  it('[RCB-02] slower than its lock, is paid once by the two processes that request it', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    const customer = String(stripe.completeSetup(data.client_secret).customer);
    const held = holdResponse(`POST /v1/customers/${customer}`);
    const slow = getStatus(session);
    await held.reached;
    // The idempotency key of the other process is the next one.
    provider.time.now += 600_000;
    expect((await getStatus(session)).status).toBe('succeeded');
    held.release();
    expect((await slow).status).toBe('succeeded');
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(listSubscriptions(customer).map(({ status }) => status)).toEqual(['active', 'canceled']);
  });

  it('[RCB-02] is refused with the protocol’s error where Stripe cannot be reached', async () => {
    behavior.serverErrors = 2;
    const answer = await requestPurchase(newUser(), {}, keys.production);
    expect(answer).toMatchObject({ status: 422, body: { code: 7101 } });
  });

  it('[RCB-02] killed between payment and record, is charged once and active after', async () => {
    // The other process uses the real clock.
    provider.time.now = Math.max(provider.time.now, Date.now());
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    const setup = stripe.completeSetup(data.client_secret);
    const customer = String(setup.customer);
    const options = {
      connection,
      keys,
      sandbox: false,
      stripe: stripe.options,
      managementUrl: 'https://escucho.test',
    };
    const script = fileURLToPath(new URL('../../testing/provider-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)]);
    const [line] = await once(child.stdout, 'data');
    const killed = once(child, 'exit');
    behavior.afterPayment = () => child.kill('SIGKILL');
    const address = `${String(line).trim()}/billing/rcbilling/v1/checkout/${session}`;
    await expect(
      fetch(address, { headers: { authorization: `Bearer ${keys.production}` } }),
    ).rejects.toThrow();
    await killed;
    behavior.afterPayment = undefined;
    expect(listPaidAmounts(customer)).toEqual([300]);
    // The lock of the killed process expires.
    provider.time.now = Date.now() + 10_000;
    expect((await getStatus(session)).status).toBe('succeeded');
    expect(await hasAccess(user)).toBe(true);
    expect(listSubscriptions(customer)).toHaveLength(1);
    expect(listPaidAmounts(customer)).toEqual([300]);
  });
});
