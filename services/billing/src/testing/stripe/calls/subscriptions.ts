import * as z from 'zod/mini';
import type { Account } from '../account.ts';
import { items, maybe, metadata, page, text, whole, yesNo } from '../forms.ts';
import type { Subscriptions } from '../subscriptions.ts';
import { type Call, is, on, pageOf, retrieve } from './call.ts';

interface Parts {
  account: Account;
  subscriptions: Subscriptions;
}

const statuses = z.enum(['active', 'canceled', 'incomplete', 'past_due', 'trialing', 'all', 'ended']);
const feedback = { comment: maybe(text), feedback: maybe(text) };

/** Subscriptions, from the first day to the last. */
export const subscriptionCalls = ({ account, subscriptions }: Parts): Call[] => [
  on(
    'POST',
    '/v1/subscriptions',
    {
      ...{ customer: text, items, trial_end: maybe(whole), default_payment_method: maybe(text) },
      ...{ off_session: maybe(yesNo), metadata: maybe(metadata), description: maybe(text) },
      payment_behavior: maybe(z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])),
    },
    (fields) => subscriptions.create(fields),
  ),
  retrieve(account, '/v1/subscriptions', 'subscription'),
  on(
    'POST',
    '/v1/subscriptions/:id',
    {
      ...{ cancel_at_period_end: maybe(yesNo), default_payment_method: maybe(text) },
      cancel_at: maybe(z.union([whole, z.literal('')])),
      ...{ metadata: maybe(metadata), cancellation_details: maybe(z.strictObject(feedback)) },
    },
    (fields, id) => subscriptions.update(id, fields),
  ),
  on(
    'DELETE',
    '/v1/subscriptions/:id',
    {
      invoice_now: maybe(yesNo),
      prorate: maybe(yesNo),
      cancellation_details: maybe(z.strictObject(feedback)),
    },
    (_, id) => subscriptions.cancel(id),
  ),
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
  ),
];
