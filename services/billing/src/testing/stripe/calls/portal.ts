import * as z from 'zod/mini';
import type { Account } from '../account.ts';
import { maybe, metadata, page, text, yesNo } from '../forms.ts';
import type { Portal } from '../portal.ts';
import { type Call, is, on, pageOf } from './call.ts';

interface Parts {
  account: Account;
  portal: Portal;
}

const off = z.strictObject({ enabled: yesNo });
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
const profile = z.strictObject({
  ...{ headline: maybe(text), privacy_policy_url: maybe(z.url()), terms_of_service_url: maybe(z.url()) },
});

/** Stripe’s own pages. */
export const portalCalls = ({ account, portal }: Parts): Call[] => [
  on(
    'POST',
    '/v1/billing_portal/configurations',
    {
      ...{ features, business_profile: maybe(profile), default_return_url: maybe(z.url()) },
      ...{ metadata: maybe(metadata), name: maybe(text) },
    },
    (fields) => portal.configure(fields),
  ),
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
  ),
  on(
    'POST',
    '/v1/billing_portal/sessions',
    {
      ...{ customer: text, configuration: maybe(text), return_url: maybe(z.url()), locale: maybe(text) },
    },
    (fields) => portal.open(fields),
  ),
];
