import { describe, expect, it } from 'vitest';
import { DAY, getError, HOUR, startSimulatorClient, toDay } from './simulator-client.ts';

// The other tests of payments rely on this: the simulator behaves as Stripe's documentation describes.
const stripe = await startSimulatorClient();
const {
  client,
  behavior,
  advanceClock,
  completePayment,
  time,
  monthly,
  createCustomerWithCard,
  subscribe,
  listInvoices,
  findLatestInvoice,
  retrieve,
  listEventTypes,
  advanceTo,
} = stripe;

describe('a subscription', () => {
  it('is paid at once, for the month of its invoice’s line', async () => {
    const customer = await createCustomerWithCard();
    const { id, status, items } = await subscribe(customer, { metadata: { checkout: 'c' } });
    expect([status, toDay(items.data[0]?.current_period_end ?? 0)]).toEqual(['active', '2026-02-28']);
    const invoice = await findLatestInvoice(id);
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 300,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: id, metadata: { checkout: 'c' } } },
    });
    const { period } = invoice.lines.data[0] ?? {};
    expect([toDay(period?.start ?? 0), toDay(period?.end ?? 0)]).toEqual(['2026-01-31', '2026-02-28']);
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
    const lines = (await listInvoices(id)).map(({ lines: { data } }) => toDay(data[0]?.period.end ?? 0));
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
    expect(toDay((await retrieve(id)).items.data[0]?.current_period_end ?? 0)).toBe('2026-03-03');
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
