import * as z from 'zod/mini';
import type { Account } from './account.ts';
import type { Invoices } from './invoices.ts';
import {
  bool,
  integer,
  isMatch,
  items,
  metadata,
  optional,
  page,
  paginate,
  type Route,
  retrieveRoute,
  route,
  text,
} from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';

const statuses = z.enum(['active', 'canceled', 'incomplete', 'past_due', 'trialing', 'all', 'ended']);
const feedback = { comment: optional(text), feedback: optional(text) };

export const subscriptionRoutes = (account: Account, subscriptions: Subscriptions): Route[] => [
  route(
    'POST',
    '/v1/subscriptions',
    {
      customer: text,
      items,
      trial_end: optional(integer),
      default_payment_method: optional(text),
      off_session: optional(bool),
      metadata: optional(metadata),
      description: optional(text),
      payment_behavior: optional(z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])),
    },
    (fields) => subscriptions.create(fields),
  ),
  retrieveRoute(account, '/v1/subscriptions', 'subscription'),
  route(
    'POST',
    '/v1/subscriptions/:id',
    {
      cancel_at_period_end: optional(bool),
      default_payment_method: optional(text),
      cancel_at: optional(z.union([integer, z.literal('')])),
      metadata: optional(metadata),
      cancellation_details: optional(z.strictObject(feedback)),
      billing_cycle_anchor: optional(z.strictObject({ type: z.literal('now') })),
      proration_behavior: optional(z.literal('none')),
    },
    (fields, id) => subscriptions.update(id, fields),
  ),
  route(
    'DELETE',
    '/v1/subscriptions/:id',
    {
      invoice_now: optional(bool),
      prorate: optional(bool),
      cancellation_details: optional(z.strictObject(feedback)),
    },
    (_, id) => subscriptions.cancel(id),
  ),
  route(
    'GET',
    '/v1/subscriptions',
    { ...page, customer: optional(text), status: optional(statuses), price: optional(text) },
    ({ customer: of, status, price, ...pagination }) =>
      paginate(
        account,
        'subscription',
        (each) =>
          isMatch(of, each.customer) &&
          isMatch(price, each.items.data[0].price.id) &&
          (status === 'all' || (status ? each.status === status : each.status !== 'canceled')),
        pagination,
      ),
  ),
];

const payment = z.strictObject({ type: z.enum(['payment_intent']), payment_intent: optional(text) });

export const invoiceRoutes = (account: Account, invoices: Invoices): Route[] => [
  retrieveRoute(account, '/v1/invoices', 'invoice'),
  route(
    'GET',
    '/v1/invoices',
    {
      ...page,
      customer: optional(text),
      subscription: optional(text),
      status: optional(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
    },
    ({ customer: of, subscription, status, ...pagination }) =>
      paginate(
        account,
        'invoice',
        (each) =>
          isMatch(of, each.customer) &&
          isMatch(status, each.status) &&
          isMatch(subscription, each.parent.subscription_details.subscription),
        pagination,
      ),
  ),
  route(
    'POST',
    '/v1/invoices/:id/finalize',
    { auto_advance: optional(bool) },
    ({ auto_advance: goesOn }, id) => {
      const invoice = account.get('invoice', id);
      if (goesOn !== undefined) invoice.auto_advance = goesOn;
      return invoices.finalize(invoice);
    },
  ),
  route(
    'POST',
    '/v1/invoices/:id/pay',
    { payment_method: optional(text), off_session: optional(bool) },
    ({ payment_method: card }, id) => invoices.pay(account.get('invoice', id), card),
  ),
  route('POST', '/v1/invoices/:id/void', {}, (_, id) => invoices.void(account.get('invoice', id))),
  retrieveRoute(account, '/v1/invoice_payments', 'invoice_payment'),
  route(
    'GET',
    '/v1/invoice_payments',
    {
      ...page,
      invoice: optional(text),
      payment: optional(payment),
      status: optional(z.enum(['open', 'paid', 'canceled'])),
    },
    ({ invoice, payment: by, status, ...pagination }) =>
      paginate(
        account,
        'invoice_payment',
        (each) =>
          isMatch(invoice, each.invoice) &&
          isMatch(status, each.status) &&
          isMatch(by?.payment_intent, each.payment.payment_intent),
        pagination,
      ),
  ),
];
