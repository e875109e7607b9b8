import { describe, expect, it } from 'vitest';
import { DAY, getError, startSimulatorClient } from './simulator-client.ts';

// The other tests of payments rely on this: the simulator behaves as Stripe's documentation describes.
const stripe = await startSimulatorClient();
const {
  client,
  advanceClock,
  time,
  monthly,
  yearly,
  createCustomerWithCard,
  subscribe,
  listInvoices,
  findLatestInvoice,
  retrieve,
  listEventTypes,
} = stripe;

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
