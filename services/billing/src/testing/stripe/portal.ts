import * as z from 'zod/mini';
import { type Account, createId, invalidRequest } from './account.ts';
import type { Metadata, StripeObjects } from './objects.ts';
import { bool, isMatch, metadata, optional, page, paginate, type Route, route, text } from './routes.ts';

export interface ConfigurationFields {
  features: Record<string, unknown>;
  business_profile?: Record<string, unknown> | undefined;
  default_return_url?: string | undefined;
  metadata?: Metadata | undefined;
  name?: string | undefined;
}

const off = { enabled: false };

/** Creates the operations on the customer portal. */
export function createPortal(account: Account) {
  return {
    configure(fields: ConfigurationFields): StripeObjects['billing_portal.configuration'] {
      const now = account.now();
      return account.save('billing_portal.configuration', {
        id: createId('bpc'),
        object: 'billing_portal.configuration',
        created: now,
        updated: now,
        active: true,
        is_default: false,
        livemode: true,
        metadata: fields.metadata ?? {},
        default_return_url: fields.default_return_url ?? null,
        name: fields.name ?? null,
        business_profile: fields.business_profile ?? {},
        features: {
          customer_update: off,
          invoice_history: off,
          payment_method_update: off,
          subscription_cancel: off,
          subscription_pause: off,
          subscription_update: off,
          ...fields.features,
        },
      });
    },

    open(fields: {
      customer: string;
      configuration?: string | undefined;
      return_url?: string | undefined;
      locale?: string | undefined;
    }): StripeObjects['billing_portal.session'] {
      account.requireParam('customer', fields.customer, 'customer');
      const isDefault = account.list('billing_portal.configuration').find((each) => each.is_default);
      const { configuration = isDefault?.id } = fields;
      if (!configuration) {
        throw invalidRequest(
          'No configuration provided and your default configuration has not been created in live mode.',
        );
      }
      const { active, default_return_url } = account.requireParam(
        'billing_portal.configuration',
        configuration,
        'configuration',
      );
      if (!active) throw invalidRequest('This configuration is not active.');
      const id = createId('bps');
      return account.save('billing_portal.session', {
        id,
        object: 'billing_portal.session',
        created: account.now(),
        livemode: true,
        configuration,
        customer: fields.customer,
        return_url: fields.return_url ?? default_return_url,
        url: `https://billing.stripe.com/p/session/${id}`,
        locale: fields.locale ?? null,
      });
    },
  };
}
export type Portal = ReturnType<typeof createPortal>;

const toggle = z.strictObject({ enabled: bool });
const features = z.strictObject({
  customer_update: optional(z.strictObject({ enabled: bool, allowed_updates: optional(z.array(text)) })),
  invoice_history: optional(toggle),
  payment_method_update: optional(toggle),
  subscription_cancel: optional(
    z.strictObject({
      enabled: bool,
      mode: optional(z.enum(['at_period_end', 'immediately'])),
      proration_behavior: optional(z.enum(['none', 'create_prorations', 'always_invoice'])),
      cancellation_reason: optional(z.strictObject({ enabled: bool, options: z.array(text) })),
    }),
  ),
  subscription_update: optional(toggle),
});
const profile = z.strictObject({
  headline: optional(text),
  privacy_policy_url: optional(z.url()),
  terms_of_service_url: optional(z.url()),
});

export const portalRoutes = (account: Account, portal: Portal): Route[] => [
  route(
    'POST',
    '/v1/billing_portal/configurations',
    {
      features,
      business_profile: optional(profile),
      default_return_url: optional(z.url()),
      metadata: optional(metadata),
      name: optional(text),
    },
    (fields) => portal.configure(fields),
  ),
  route('POST', '/v1/billing_portal/configurations/:id', { active: bool }, (changes, id) =>
    account.save('billing_portal.configuration', {
      ...account.get('billing_portal.configuration', id),
      ...changes,
    }),
  ),
  route(
    'GET',
    '/v1/billing_portal/configurations',
    { ...page, active: optional(bool), is_default: optional(bool) },
    ({ active, is_default: isDefault, ...pagination }) =>
      paginate(
        account,
        'billing_portal.configuration',
        (each) => isMatch(active, each.active) && isMatch(isDefault, each.is_default),
        pagination,
      ),
  ),
  route(
    'POST',
    '/v1/billing_portal/sessions',
    {
      customer: text,
      configuration: optional(text),
      return_url: optional(z.url()),
      locale: optional(text),
    },
    (fields) => portal.open(fields),
  ),
];
