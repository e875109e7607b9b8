import * as z from 'zod/mini';
import type { Account, Kind, Kinds } from './account.ts';
import type { Customers } from './customers.ts';
import { checked, maybe, metadata, page, text, whole, yesNo } from './forms.ts';
import type { Invoices } from './invoices.ts';
import type { Payments } from './payments.ts';
import type { Portal } from './portal.ts';
import type { Prices } from './prices.ts';
import { impossible } from './refusal.ts';
import type { Schedules } from './schedules.ts';
import type { Subscriptions } from './subscriptions.ts';

interface Parts {
  account: Account;
  customers: Customers;
  invoices: Invoices;
  payments: Payments;
  portal: Portal;
  prices: Prices;
  schedules: Schedules;
  subscriptions: Subscriptions;
}

/** One call of Stripe's API. In: its fields as they came, without `expand`; the id in its path. Out: a thing, or a page of them. */
export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  answer: (fields: unknown, id: string) => object;
}

const statuses = z.enum(['active', 'canceled', 'incomplete', 'past_due', 'trialing', 'all', 'ended']);
const off = z.strictObject({ enabled: yesNo });
const items = z.array(z.strictObject({ price: text, quantity: maybe(whole) }));
const feedback = { comment: maybe(text), feedback: maybe(text) };
const phase = z.strictObject({
  ...{ items, start_date: maybe(whole), end_date: maybe(whole), trial_end: maybe(whole) },
  ...{ proration_behavior: maybe(z.enum(['none', 'create_prorations'])), metadata: maybe(metadata) },
  duration: maybe(z.strictObject({ interval: text, interval_count: maybe(whole) })),
});
const product = z.strictObject({
  ...{ id: maybe(text), name: text, description: maybe(text), metadata: maybe(metadata) },
});
const customer = {
  ...{
    email: maybe(text),
    name: maybe(text),
    metadata: maybe(metadata),
    preferred_locales: maybe(z.array(text)),
  },
  invoice_settings: maybe(z.strictObject({ default_payment_method: maybe(text) })),
};
const features = z.strictObject({
  customer_update: maybe(z.strictObject({ enabled: yesNo, allowed_updates: maybe(z.array(text)) })),
  ...{ invoice_history: maybe(off), payment_method_update: maybe(off) },
  subscription_cancel: maybe(
    z.strictObject({
      ...{ enabled: yesNo, mode: maybe(z.enum(['at_period_end', 'immediately'])) },
      proration_behavior: maybe(z.enum(['none', 'create_prorations', 'always_invoice'])),
      cancellation_reason: maybe(z.strictObject({ enabled: yesNo, options: z.array(text) })),
    }),
  ),
  subscription_update: maybe(off),
});

/** A page of things, newest first, as Stripe cuts it: ten unless said. */
function pageOf<K extends Kind>(
  account: Account,
  kind: K,
  matches: (thing: Kinds[K]) => boolean,
  { limit = 10, starting_after: after, ending_before: before }: Partial<Record<string, string | number>>,
) {
  const found = account.list(kind).filter(matches).reverse();
  const at = (id: string | number | undefined) => found.findIndex((each) => each.id === id);
  const from = after === undefined ? 0 : at(after) + 1;
  const to = before === undefined ? found.length : at(before);
  const data = found.slice(from, to).slice(0, Number(limit));
  return { object: 'list', data, has_more: from + data.length < to, url: `/v1/${kind.replace('.', '/')}s` };
}

const is = (wanted: string | boolean | null | undefined, value: unknown) =>
  wanted === undefined || wanted === value;

/** Every call that the stand-in speaks. What a call takes is all of Stripe's parameters that mean something here. */
export function callsOf(parts: Parts): Call[] {
  const { account, customers, invoices, payments, portal, prices, schedules, subscriptions } = parts;
  const calls: Call[] = [];

  function on<Shape extends z.core.$ZodShape>(
    verb: Call['method'],
    path: string,
    shape: Shape,
    answer: (fields: z.output<z.ZodMiniObject<Shape>>, id: string) => object,
  ): void {
    const schema = z.strictObject(shape);
    calls.push({ method: verb, path, answer: (fields, id) => answer(checked(schema, fields), id) });
  }

  const retrieve = (path: string, kind: Kind) =>
    on('GET', `${path}/:id`, {}, (_, id) => account.get(kind, id));

  on('POST', '/v1/customers', customer, (fields) => customers.create(fields));
  on('POST', '/v1/customers/:id', customer, (fields, id) => customers.update(id, fields));
  on('GET', '/v1/customers/:id', {}, (_, id) => customers.retrieve(id));
  on('DELETE', '/v1/customers/:id', {}, (_, id) => customers.remove(id));
  on('GET', '/v1/customers', { ...page, email: maybe(text) }, ({ email, ...cut }) =>
    pageOf(account, 'customer', (each) => is(email, each.email), cut),
  );

  const automatic = z.strictObject({ enabled: yesNo, allow_redirects: maybe(z.enum(['always', 'never'])) });
  on(
    'POST',
    '/v1/setup_intents',
    {
      ...{ customer: maybe(text), usage: maybe(z.enum(['off_session', 'on_session'])) },
      ...{ automatic_payment_methods: maybe(automatic), metadata: maybe(metadata) },
    },
    (fields) => customers.setUp(fields),
  );
  retrieve('/v1/setup_intents', 'setup_intent');
  retrieve('/v1/payment_methods', 'payment_method');

  on('POST', '/v1/products', product._zod.def.shape, (fields) => prices.product(fields));
  retrieve('/v1/products', 'product');
  on(
    'GET',
    '/v1/products',
    { ...page, ids: maybe(z.array(text)), active: maybe(yesNo) },
    ({ ids, active, ...cut }) =>
      pageOf(account, 'product', (each) => is(active, each.active) && (ids?.includes(each.id) ?? true), cut),
  );
  on(
    'POST',
    '/v1/prices',
    {
      ...{ currency: text, unit_amount: whole, product: maybe(text), product_data: maybe(product) },
      ...{ lookup_key: maybe(text), transfer_lookup_key: maybe(yesNo), nickname: maybe(text) },
      metadata: maybe(metadata),
      recurring: maybe(
        z.strictObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: maybe(whole) }),
      ),
    },
    (fields) => prices.price(fields),
  );
  retrieve('/v1/prices', 'price');
  on(
    'GET',
    '/v1/prices',
    {
      ...{ ...page, active: maybe(yesNo), product: maybe(text) },
      lookup_keys: maybe(z.array(text).check(z.maxLength(10))),
      type: maybe(z.enum(['recurring', 'one_time'])),
    },
    ({ lookup_keys: keys, active, product: of, type, ...cut }) =>
      pageOf(
        ...([account, 'price'] as const),
        (each) =>
          is(active, each.active) &&
          is(of, each.product) &&
          is(type, each.type) &&
          (keys?.includes(each.lookup_key ?? '') ?? true),
        cut,
      ),
  );

  on(
    'POST',
    '/v1/subscriptions',
    {
      ...{ customer: text, items, trial_end: maybe(whole), default_payment_method: maybe(text) },
      ...{ off_session: maybe(yesNo), metadata: maybe(metadata), description: maybe(text) },
      payment_behavior: maybe(z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])),
    },
    (fields) => subscriptions.create(fields),
  );
  retrieve('/v1/subscriptions', 'subscription');
  on(
    'POST',
    '/v1/subscriptions/:id',
    {
      ...{ cancel_at_period_end: maybe(yesNo), default_payment_method: maybe(text) },
      cancel_at: maybe(z.union([whole, z.literal('')])),
      ...{ metadata: maybe(metadata), cancellation_details: maybe(z.strictObject(feedback)) },
    },
    (fields, id) => subscriptions.update(id, fields),
  );
  on(
    'DELETE',
    '/v1/subscriptions/:id',
    {
      invoice_now: maybe(yesNo),
      prorate: maybe(yesNo),
      cancellation_details: maybe(z.strictObject(feedback)),
    },
    (_, id) => subscriptions.cancel(id),
  );
  on(
    'GET',
    '/v1/subscriptions',
    { ...page, customer: maybe(text), status: maybe(statuses), price: maybe(text) },
    ({ customer: of, status, price, ...cut }) =>
      pageOf(
        ...([account, 'subscription'] as const),
        (each) =>
          is(of, each.customer) &&
          is(price, each.items.data[0].price.id) &&
          (status === 'all' || (status ? each.status === status : each.status !== 'canceled')),
        cut,
      ),
  );

  on('POST', '/v1/subscription_schedules', { from_subscription: text }, ({ from_subscription: from }) =>
    schedules.create(from),
  );
  on(
    'POST',
    '/v1/subscription_schedules/:id',
    {
      ...{ phases: maybe(z.array(phase)), end_behavior: maybe(z.enum(['release', 'cancel'])) },
      ...{ metadata: maybe(metadata), proration_behavior: maybe(z.enum(['none', 'create_prorations'])) },
    },
    (fields, id) => schedules.update(id, fields),
  );
  on('POST', '/v1/subscription_schedules/:id/release', { preserve_cancel_date: maybe(yesNo) }, (_, id) =>
    schedules.release(id),
  );
  retrieve('/v1/subscription_schedules', 'subscription_schedule');
  on('GET', '/v1/subscription_schedules', { ...page, customer: maybe(text) }, ({ customer: of, ...cut }) =>
    pageOf(account, 'subscription_schedule', (each) => is(of, each.customer), cut),
  );

  retrieve('/v1/invoices', 'invoice');
  on(
    'GET',
    '/v1/invoices',
    {
      ...{ ...page, customer: maybe(text), subscription: maybe(text) },
      status: maybe(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
    },
    ({ customer: of, subscription, status, ...cut }) =>
      pageOf(
        ...([account, 'invoice'] as const),
        (each) =>
          is(of, each.customer) &&
          is(status, each.status) &&
          is(subscription, each.parent.subscription_details.subscription),
        cut,
      ),
  );
  on('POST', '/v1/invoices/:id/finalize', { auto_advance: maybe(yesNo) }, ({ auto_advance: goesOn }, id) => {
    const invoice = account.get('invoice', id);
    if (goesOn !== undefined) invoice.auto_advance = goesOn;
    return invoices.finalize(invoice);
  });
  on(
    'POST',
    '/v1/invoices/:id/pay',
    { payment_method: maybe(text), off_session: maybe(yesNo) },
    ({ payment_method: card }, id) => invoices.pay(account.get('invoice', id), card),
  );
  on('POST', '/v1/invoices/:id/void', {}, (_, id) => invoices.void(account.get('invoice', id)));

  const payment = z.strictObject({ type: z.enum(['payment_intent']), payment_intent: maybe(text) });
  retrieve('/v1/invoice_payments', 'invoice_payment');
  on(
    'GET',
    '/v1/invoice_payments',
    {
      ...{ ...page, invoice: maybe(text), payment: maybe(payment) },
      status: maybe(z.enum(['open', 'paid', 'canceled'])),
    },
    ({ invoice, payment: by, status, ...cut }) =>
      pageOf(
        ...([account, 'invoice_payment'] as const),
        (each) =>
          is(invoice, each.invoice) &&
          is(status, each.status) &&
          is(by?.payment_intent, each.payment.payment_intent),
        cut,
      ),
  );

  retrieve('/v1/payment_intents', 'payment_intent');
  on('GET', '/v1/payment_intents', { ...page, customer: maybe(text) }, ({ customer: of, ...cut }) =>
    pageOf(account, 'payment_intent', (each) => is(of, each.customer), cut),
  );
  on('POST', '/v1/payment_intents/:id/cancel', {}, (_, id) => {
    account.get('payment_intent', id);
    throw impossible('You cannot cancel a PaymentIntent of an invoice: void the invoice instead.');
  });
  retrieve('/v1/charges', 'charge');
  on(
    'POST',
    '/v1/refunds',
    { payment_intent: text, amount: maybe(whole), metadata: maybe(metadata) },
    (fields) => payments.refund(fields),
  );
  retrieve('/v1/refunds', 'refund');
  on('GET', '/v1/refunds', { ...page, payment_intent: maybe(text) }, ({ payment_intent: of, ...cut }) =>
    pageOf(account, 'refund', (each) => is(of, each.payment_intent), cut),
  );
  retrieve('/v1/disputes', 'dispute');
  on('GET', '/v1/disputes', { ...page, payment_intent: maybe(text) }, ({ payment_intent: of, ...cut }) =>
    pageOf(account, 'dispute', (each) => is(of, each.payment_intent), cut),
  );

  const profile = z.strictObject({
    ...{ headline: maybe(text), privacy_policy_url: maybe(z.url()), terms_of_service_url: maybe(z.url()) },
  });
  on(
    'POST',
    '/v1/billing_portal/configurations',
    {
      ...{ features, business_profile: maybe(profile), default_return_url: maybe(z.url()) },
      ...{ metadata: maybe(metadata), name: maybe(text) },
    },
    (fields) => portal.configure(fields),
  );
  on(
    'GET',
    '/v1/billing_portal/configurations',
    { ...page, active: maybe(yesNo), is_default: maybe(yesNo) },
    ({ active, is_default: usual, ...cut }) =>
      pageOf(
        ...([account, 'billing_portal.configuration'] as const),
        (each) => is(active, each.active) && is(usual, each.is_default),
        cut,
      ),
  );
  on(
    'POST',
    '/v1/billing_portal/sessions',
    {
      ...{ customer: text, configuration: maybe(text), return_url: maybe(z.url()), locale: maybe(text) },
    },
    (fields) => portal.open(fields),
  );
  return calls;
}
