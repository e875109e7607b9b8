import type Stripe from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import { startStripeSimulator } from './simulator.ts';

// The other tests of payments rely on this: the simulator behaves as Stripe's documentation describes.
const time = { now: Date.parse('2026-01-31T12:00:00Z') };
const stripe = await startStripeSimulator({ clock: () => new Date(time.now) });
const { client, behavior, advanceClock, completePayment } = stripe;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeEach(() => {
  Object.assign(behavior, { decline: undefined, processing: false });
  time.now = Math.max(time.now, Date.parse('2026-01-31T12:00:00Z'));
});

const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
const getError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Stripe.errors.StripeError) => ({ status: error.statusCode, code: error.code, type: error.type }),
  );

const createPrice = (interval: 'month' | 'year', amount: number) =>
  client.prices.create({
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval },
    product_data: { name: `Every ${interval}` },
  });
const [monthly, yearly] = [await createPrice('month', 300), await createPrice('year', 2700)];

/** Creates a customer with a card. */
async function createCustomerWithCard(): Promise<string> {
  const { id } = await client.customers.create({ email: 'ana@user.test' });
  const setup = await client.setupIntents.create({ customer: id });
  const card = String(stripe.completeSetup(String(setup.client_secret)).payment_method);
  await client.customers.update(id, { invoice_settings: { default_payment_method: card } });
  return id;
}

const subscribe = (customer: string, fields: Partial<Stripe.SubscriptionCreateParams> = {}) =>
  client.subscriptions.create({
    customer,
    items: [{ price: monthly.id }],
    payment_behavior: 'error_if_incomplete',
    off_session: true,
    ...fields,
  });
const listInvoices = async (subscription: string) =>
  (await client.invoices.list({ subscription, expand: ['data.payments'] })).data;
const findLatestInvoice = async (subscription: string) => {
  const [invoice] = await listInvoices(subscription);
  if (!invoice) throw new Error('There is no invoice');
  return invoice;
};
const retrieve = (subscription: string) => client.subscriptions.retrieve(subscription);
const listEventTypes = (customer: string) =>
  stripe.events.filter((each) => each.customer === customer).map(({ type }) => type);
/** Advances the clock of a customer. */
const advanceTo = (customer: string, moment: string) => advanceClock(new Date(moment), customer);

describe('a subscription', () => {
  it('is paid at once, for the month of its invoice’s line', async () => {
    const customer = await createCustomerWithCard();
    const { id, status, items } = await subscribe(customer, { metadata: { checkout: 'c' } });
    expect([status, day(items.data[0]?.current_period_end ?? 0)]).toEqual(['active', '2026-02-28']);
    const invoice = await findLatestInvoice(id);
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 300,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: id, metadata: { checkout: 'c' } } },
    });
    const { period } = invoice.lines.data[0] ?? {};
    expect([day(period?.start ?? 0), day(period?.end ?? 0)]).toEqual(['2026-01-31', '2026-02-28']);
    const payment = String(invoice.payments?.data[0]?.payment.payment_intent);
    expect(await client.paymentIntents.retrieve(payment)).toMatchObject({ status: 'succeeded', amount: 300 });
  });

  it('renews on its day of the month or the last one, an hour after its draft invoice', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    advanceTo(customer, '2026-02-28T12:30:00Z');
    expect(await findLatestInvoice(id)).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
    });
    advanceTo(customer, '2026-02-28T13:00:00Z');
    expect((await findLatestInvoice(id)).status).toBe('paid');
    advanceTo(customer, '2026-05-01T12:00:00Z');
    const lines = (await listInvoices(id)).map(({ lines: { data } }) => day(data[0]?.period.end ?? 0));
    expect(lines).toEqual(['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28']);
  });

  it('with a trial has an invoice of zero, and a paid one when the trial ends', async () => {
    const customer = await createCustomerWithCard();
    const end = Date.parse('2026-02-03T12:00:00Z') / 1000;
    const { id, status } = await subscribe(customer, { trial_end: end });
    expect([status, (await findLatestInvoice(id)).amount_due]).toEqual(['trialing', 0]);
    advanceTo(customer, '2026-02-03T12:00:00Z');
    expect([(await retrieve(id)).status, (await findLatestInvoice(id)).status]).toEqual(['active', 'draft']);
    advanceTo(customer, '2026-02-03T14:00:00Z');
    expect(await findLatestInvoice(id)).toMatchObject({ status: 'paid', amount_paid: 300 });
    expect(day((await retrieve(id)).items.data[0]?.current_period_end ?? 0)).toBe('2026-03-03');
  });

  it('is not created without its first payment, and a key repeats that for a day', async () => {
    const customer = await createCustomerWithCard();
    behavior.decline = 'insufficient_funds';
    const once = () =>
      client.subscriptions.create(
        { customer, items: [{ price: monthly.id }], payment_behavior: 'error_if_incomplete' },
        { idempotencyKey: `first.${customer}` },
      );
    const refused = { status: 402, code: 'card_declined', type: 'StripeCardError' };
    expect(await getError(once())).toEqual(refused);
    behavior.decline = undefined;
    expect(await getError(once())).toEqual(refused);
    expect((await client.subscriptions.list({ customer, status: 'all' })).data).toEqual([]);
    time.now += DAY + HOUR;
    expect((await once()).status).toBe('active');
  });

  it('without a card is refused', async () => {
    const { id } = await client.customers.create({});
    expect(await getError(subscribe(id))).toMatchObject({ status: 400, code: 'resource_missing' });
  });
});

describe('an invoice', () => {
  /** Creates a customer whose second month has just begun. */
  async function createSecondMonth() {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    const end = (await retrieve(id)).items.data[0]?.current_period_end ?? 0;
    const at = (fields: number) => advanceClock(new Date(end * 1000 + fields), customer);
    at(0);
    return { customer, subscription: id, at, invoice: (await findLatestInvoice(id)).id };
  }

  it('is paid at once when it is finalized and paid, and only once', async () => {
    const { customer, at, invoice } = await createSecondMonth();
    expect(await getError(client.invoices.pay(invoice))).toMatchObject({ status: 400 });
    expect((await client.invoices.finalizeInvoice(invoice)).status).toBe('open');
    expect((await client.invoices.pay(invoice)).status).toBe('paid');
    expect(await getError(client.invoices.pay(invoice))).toMatchObject({ status: 400 });
    at(2 * HOUR);
    const paid = stripe.list('payment_intent').filter((each) => each.customer === customer);
    expect(paid.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(listEventTypes(customer).slice(-3)).toEqual([
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  it('refused, makes the subscription past due and can be paid by another card', async () => {
    const { customer, subscription, at, invoice } = await createSecondMonth();
    behavior.decline = 'insufficient_funds';
    at(HOUR);
    expect([(await retrieve(subscription)).status, (await findLatestInvoice(subscription)).status]).toEqual([
      'past_due',
      'open',
    ]);
    expect(listEventTypes(customer)).toContain('invoice.payment_failed');
    expect(await getError(client.invoices.pay(invoice))).toMatchObject({
      status: 402,
      code: 'card_declined',
    });
    const setup = await client.setupIntents.create({ customer });
    const card = String(stripe.completeSetup(String(setup.client_secret)).payment_method);
    behavior.decline = undefined;
    await client.invoices.pay(invoice, { payment_method: card });
    expect((await retrieve(subscription)).status).toBe('active');
  });

  it('refused, is paid by Stripe’s own retry', async () => {
    const { subscription, at, invoice } = await createSecondMonth();
    behavior.decline = 'card_declined';
    at(HOUR);
    behavior.decline = undefined;
    at(4 * DAY);
    expect(await client.invoices.retrieve(invoice)).toMatchObject({ status: 'paid', attempt_count: 2 });
    expect((await retrieve(subscription)).status).toBe('active');
  });

  it.each([
    ['authentication_required', 'requires_payment_method', 'authentication_required'],
    ['requires_action', 'requires_action', 'invoice_payment_intent_requires_action'],
  ])('with %s waits for the owner’s confirmation', async (decline, status, code) => {
    const { customer, subscription, at, invoice } = await createSecondMonth();
    behavior.decline = decline;
    at(HOUR);
    expect(await getError(client.invoices.pay(invoice))).toMatchObject({ status: 402, code });
    behavior.decline = undefined;
    at(20 * DAY);
    expect(listEventTypes(customer)).toContain('invoice.payment_action_required');
    const expand = ['confirmation_secret', 'payments.data.payment.payment_intent'];
    const open = await client.invoices.retrieve(invoice, { expand });
    const intent = open.payments?.data[0]?.payment.payment_intent;
    if (typeof intent !== 'object') throw new Error('The payment intent is not expanded');
    expect([intent.status, open.confirmation_secret?.client_secret]).toEqual([status, intent.client_secret]);
    completePayment(intent.id);
    expect((await retrieve(subscription)).status).toBe('active');
  });

  it('with a pending payment is paid when that succeeds', async () => {
    const { subscription, invoice } = await createSecondMonth();
    behavior.processing = true;
    await client.invoices.finalizeInvoice(invoice);
    expect((await client.invoices.pay(invoice)).status).toBe('open');
    const { payments } = await findLatestInvoice(subscription);
    completePayment(String(payments?.data[0]?.payment.payment_intent));
    expect((await findLatestInvoice(subscription)).status).toBe('paid');
  });

  it('voided, is never paid and its subscription is no longer past due', async () => {
    const { subscription, at, invoice } = await createSecondMonth();
    behavior.decline = 'card_declined';
    at(HOUR);
    await client.invoices.voidInvoice(invoice);
    behavior.decline = undefined;
    at(10 * DAY);
    const { status, payments } = await findLatestInvoice(subscription);
    expect([status, payments?.data[0]?.status]).toEqual(['void', 'canceled']);
    expect((await retrieve(subscription)).status).toBe('active');
  });
});

describe('a change', () => {
  it('cancelled at the end of its period, ends then unless that is undone', async () => {
    const [customer, other] = [await createCustomerWithCard(), await createCustomerWithCard()];
    const [{ id }, resumed] = [await subscribe(customer), await subscribe(other)];
    await client.subscriptions.update(id, { cancel_at_period_end: true });
    await client.subscriptions.update(resumed.id, { cancel_at_period_end: true });
    await client.subscriptions.update(resumed.id, { cancel_at_period_end: false });
    advanceClock(new Date(time.now + 40 * DAY), customer);
    advanceClock(new Date(time.now + 40 * DAY), other);
    expect([(await retrieve(id)).status, (await retrieve(resumed.id)).status]).toEqual([
      'canceled',
      'active',
    ]);
    expect([(await listInvoices(id)).length, (await listInvoices(resumed.id)).length]).toEqual([1, 2]);
    expect(listEventTypes(customer).at(-1)).toBe('customer.subscription.deleted');
  });

  it('cancelled at a date, ends at that date', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    const cancelAt = Math.floor(time.now / 1000) + 10 * 86_400;
    expect(await client.subscriptions.update(id, { cancel_at: cancelAt })).toMatchObject({
      cancel_at: cancelAt,
      cancel_at_period_end: false,
    });
    advanceClock(new Date(time.now + 9 * DAY), customer);
    expect((await retrieve(id)).status).toBe('active');
    advanceClock(new Date(time.now + 11 * DAY), customer);
    expect(await retrieve(id)).toMatchObject({ status: 'canceled', ended_at: cancelAt });
  });

  it('cancelled now, has ended and cannot be changed', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    advanceClock(new Date(time.now + 31 * DAY), customer);
    expect((await client.subscriptions.cancel(id)).status).toBe('canceled');
    advanceClock(new Date(time.now + 90 * DAY), customer);
    expect(await getError(client.subscriptions.cancel(id))).toMatchObject({ status: 404 });
    const update = client.subscriptions.update(id, { cancel_at_period_end: true });
    expect(await getError(update)).toMatchObject({
      status: 400,
      code: 'invalid_canceled_subscription_fields',
    });
    expect((await client.subscriptions.list({ customer })).data).toEqual([]);
  });

  it('of the plan starts with the next period, which has the plan’s length', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    const schedule = await client.subscriptionSchedules.create({ from_subscription: id });
    const [phase] = schedule.phases;
    if (!phase) throw new Error('There is no phase');
    const next = { items: [{ price: yearly.id }], proration_behavior: 'none' as const };
    const phases = [
      { items: [{ price: monthly.id }], start_date: phase.start_date, end_date: phase.end_date },
      next,
    ];
    const wrong = client.subscriptionSchedules.update(schedule.id, { phases: [{ ...next, start_date: 1 }] });
    expect(await getError(wrong)).toMatchObject({ status: 400 });
    await client.subscriptionSchedules.update(schedule.id, { phases, end_behavior: 'release' });
    const direct = client.subscriptions.update(id, { cancel_at_period_end: true });
    expect(await getError(direct)).toMatchObject({ status: 400 });
    advanceClock(new Date((phase.end_date + 3600) * 1000), customer);
    expect(await findLatestInvoice(id)).toMatchObject({ status: 'paid', amount_paid: 2700 });
    const end = (await retrieve(id)).items.data[0]?.current_period_end ?? 0;
    expect(Math.round((end - phase.end_date) / 86_400)).toBe(365);
    await client.subscriptionSchedules.release(schedule.id);
    expect((await retrieve(id)).schedule).toBeNull();
  });

  it('released from its schedule, leaves the plan unchanged', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    const schedule = await client.subscriptionSchedules.create({ from_subscription: id });
    const second = client.subscriptionSchedules.create({ from_subscription: id });
    expect(await getError(second)).toMatchObject({ status: 400 });
    await client.subscriptionSchedules.release(schedule.id);
    expect(await getError(client.subscriptionSchedules.release(schedule.id))).toMatchObject({ status: 400 });
    advanceClock(new Date(time.now + 40 * DAY), customer);
    expect(await findLatestInvoice(id)).toMatchObject({ amount_paid: 300 });
  });
});

describe('an account', () => {
  it('lists prices by lookup key, which are unique', async () => {
    const price = { currency: 'eur', unit_amount: 100, product: String(monthly.product), lookup_key: 'mine' };
    const { id } = await client.prices.create(price);
    expect(await getError(client.prices.create(price))).toMatchObject({ status: 400 });
    const moved = await client.prices.create({ ...price, transfer_lookup_key: true });
    const { data } = await client.prices.list({ lookup_keys: ['mine'], active: true });
    expect(data.map((each) => each.id)).toEqual([moved.id]);
    expect((await client.prices.retrieve(id)).lookup_key).toBeNull();
  });

  it('refunds at most what was paid, and emits events of disputes', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    const payment = String((await findLatestInvoice(id)).payments?.data[0]?.payment.payment_intent);
    await client.refunds.create({ payment_intent: payment, amount: 100 });
    expect(await getError(client.refunds.create({ payment_intent: payment, amount: 201 }))).toMatchObject({
      status: 400,
    });
    for (const status of ['needs_response', 'under_review', 'lost']) stripe.dispute(payment, status);
    const disputed = client.refunds.create({ payment_intent: payment });
    expect(await getError(disputed)).toMatchObject({ code: 'charge_disputed' });
    expect(listEventTypes(customer).slice(-4)).toEqual([
      'charge.refunded',
      ...['created', 'updated', 'closed'].map((what) => `charge.dispute.${what}`),
    ]);
    const { data } = await client.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: payment },
    });
    expect(data).toMatchObject([{ invoice: (await findLatestInvoice(id)).id }]);
  });

  it('cancels the subscriptions of a deleted customer', async () => {
    const customer = await createCustomerWithCard();
    const { id } = await subscribe(customer);
    await client.customers.del(customer);
    expect((await retrieve(id)).status).toBe('canceled');
    expect(await client.customers.retrieve(customer)).toMatchObject({ deleted: true });
    expect(await getError(client.customers.del(customer))).toMatchObject({
      status: 404,
      code: 'resource_missing',
    });
    expect(await getError(subscribe(customer))).toMatchObject({ status: 400, code: 'resource_missing' });
  });

  it('opens its portal for a customer with a configuration', async () => {
    const customer = await createCustomerWithCard();
    const open = (configuration?: string) =>
      client.billingPortal.sessions.create({
        customer,
        return_url: 'https://escucho.test/settings',
        ...(configuration && { configuration }),
      });
    expect(await getError(open())).toMatchObject({ status: 400 });
    const { id } = await client.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
    });
    expect((await open(id)).url).toMatch(/^https:\/\/billing\.stripe\.com\//);
  });

  it.each([
    ['an unknown parameter', { customr: 'x' }, 'parameter_unknown'],
    ['a nested unknown parameter', { items: [{ price: 'x', qty: 1 }] }, 'parameter_unknown'],
    ['a missing parameter', { items: undefined }, 'parameter_missing'],
  ])('refuses %s', async (_name, change, code) => {
    const params = { customer: await createCustomerWithCard(), items: [{ price: monthly.id }], ...change };
    const create = client.rawRequest('POST', '/v1/subscriptions', params);
    expect(await getError(create)).toMatchObject({ status: 400, code });
  });

  it('refuses unknown ids, a reused idempotency key and invalid expansions', async () => {
    expect(await getError(retrieve('sub_none'))).toMatchObject({ status: 404, code: 'resource_missing' });
    const key = { idempotencyKey: 'one' };
    await client.customers.create({ email: 'a@a.test' }, key);
    const other = client.customers.create({ email: 'b@b.test' }, key);
    expect(await getError(other)).toMatchObject({ type: 'StripeIdempotencyError' });
    const { id } = await subscribe(await createCustomerWithCard());
    for (const path of ['latest_invoice.payments.data.payment.payment_intent', 'status']) {
      const expanding = client.subscriptions.retrieve(id, { expand: [path] });
      expect(await getError(expanding)).toMatchObject({ status: 400 });
    }
    const { latest_invoice: invoice } = await client.subscriptions.retrieve(id, {
      expand: ['latest_invoice'],
    });
    expect(invoice).toMatchObject({ status: 'paid' });
  });

  it('lists ten objects without a limit, and paginates', async () => {
    const { id } = await client.customers.create({});
    for (let n = 0; n < 12; n += 1) await client.setupIntents.create({ customer: id });
    const product = await client.products.create({ name: 'Many' });
    const price = { product: product.id, currency: 'usd', unit_amount: 1 };
    for (let n = 0; n < 12; n += 1) await client.prices.create(price);
    const { data, has_more } = await client.prices.list({ product: product.id });
    expect([data.length, has_more]).toEqual([10, true]);
    let all = 0;
    for await (const _ of client.prices.list({ product: product.id, limit: 5 })) all += 1;
    expect(all).toBe(12);
  });
});
