import type Stripe from 'stripe';
import { beforeEach } from 'vitest';
import { startStripeSimulator } from './simulator.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Converts Unix seconds to a date without a time. */
export const toDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Returns the status, code and type of the error that a call rejects with. */
export const getError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Stripe.errors.StripeError) => ({ status: error.statusCode, code: error.code, type: error.type }),
  );

/** Starts a simulator with two prices. Call it at the top of a test file. */
export async function startSimulatorClient() {
  const time = { now: Date.parse('2026-01-31T12:00:00Z') };
  const stripe = await startStripeSimulator({ clock: () => new Date(time.now) });
  const { client, behavior, advanceClock } = stripe;

  beforeEach(() => {
    Object.assign(behavior, { decline: undefined, processing: false });
    time.now = Math.max(time.now, Date.parse('2026-01-31T12:00:00Z'));
  });

  const createPrice = (interval: 'month' | 'year', amount: number) =>
    client.prices.create({
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval },
      product_data: { name: `Every ${interval}` },
    });
  const [monthly, yearly] = [await createPrice('month', 300), await createPrice('year', 2700)];

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
  const advanceTo = (customer: string, moment: string) => advanceClock(new Date(moment), customer);

  return {
    ...stripe,
    time,
    monthly,
    yearly,
    createCustomerWithCard,
    subscribe,
    listInvoices,
    findLatestInvoice,
    retrieve,
    listEventTypes,
    advanceTo,
  };
}
