import * as z from 'zod/mini';
import type { Account } from '../account.ts';
import { items, maybe, metadata, page, text, whole, yesNo } from '../forms.ts';
import type { Schedules } from '../schedules.ts';
import { type Call, is, on, pageOf, retrieve } from './call.ts';

interface Parts {
  account: Account;
  schedules: Schedules;
}

const phase = z.strictObject({
  ...{ items, start_date: maybe(whole), end_date: maybe(whole), trial_end: maybe(whole) },
  ...{ proration_behavior: maybe(z.enum(['none', 'create_prorations'])), metadata: maybe(metadata) },
  duration: maybe(z.strictObject({ interval: text, interval_count: maybe(whole) })),
});

/** What becomes of a subscription later. */
export const scheduleCalls = ({ account, schedules }: Parts): Call[] => [
  on('POST', '/v1/subscription_schedules', { from_subscription: text }, ({ from_subscription: from }) =>
    schedules.create(from),
  ),
  on(
    'POST',
    '/v1/subscription_schedules/:id',
    {
      ...{ phases: maybe(z.array(phase)), end_behavior: maybe(z.enum(['release', 'cancel'])) },
      ...{ metadata: maybe(metadata), proration_behavior: maybe(z.enum(['none', 'create_prorations'])) },
    },
    (fields, id) => schedules.update(id, fields),
  ),
  on('POST', '/v1/subscription_schedules/:id/release', { preserve_cancel_date: maybe(yesNo) }, (_, id) =>
    schedules.release(id),
  ),
  retrieve(account, '/v1/subscription_schedules', 'subscription_schedule'),
  on('GET', '/v1/subscription_schedules', { ...page, customer: maybe(text) }, ({ customer: of, ...cut }) =>
    pageOf(account, 'subscription_schedule', (each) => is(of, each.customer), cut),
  ),
];
