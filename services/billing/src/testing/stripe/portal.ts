import { type Account, idOf, type Kinds, type Metadata } from './account.ts';
import { impossible } from './refusal.ts';

export interface NewConfiguration {
  features: Record<string, unknown>;
  business_profile?: Record<string, unknown> | undefined;
  default_return_url?: string | undefined;
  metadata?: Metadata | undefined;
  name?: string | undefined;
}

const off = { enabled: false };

/** Stripe's own pages for those who pay. */
export function portalOf(account: Account) {
  return {
    configure(fields: NewConfiguration): Kinds['billing_portal.configuration'] {
      const now = account.now();
      return account.keep('billing_portal.configuration', {
        ...{ id: idOf('bpc'), object: 'billing_portal.configuration', created: now, updated: now },
        ...{ active: true, is_default: false, livemode: true, metadata: fields.metadata ?? {} },
        ...{ default_return_url: fields.default_return_url ?? null, name: fields.name ?? null },
        business_profile: fields.business_profile ?? {},
        features: {
          ...{ customer_update: off, invoice_history: off, payment_method_update: off },
          ...{ subscription_cancel: off, subscription_pause: off, subscription_update: off },
          ...fields.features,
        },
      });
    },

    open(fields: {
      customer: string;
      configuration?: string | undefined;
      return_url?: string | undefined;
      locale?: string | undefined;
    }): Kinds['billing_portal.session'] {
      account.named('customer', fields.customer, 'customer');
      const usual = account.list('billing_portal.configuration').find((each) => each.is_default);
      const { configuration = usual?.id } = fields;
      if (!configuration) {
        throw impossible(
          'No configuration provided and your default configuration has not been created in live mode.',
        );
      }
      const { active, default_return_url } = account.named(
        ...(['billing_portal.configuration', configuration, 'configuration'] as const),
      );
      if (!active) throw impossible('This configuration is not active.');
      const id = idOf('bps');
      return account.keep('billing_portal.session', {
        ...{ id, object: 'billing_portal.session', created: account.now(), livemode: true, configuration },
        ...{ customer: fields.customer, return_url: fields.return_url ?? default_return_url },
        ...{ url: `https://billing.stripe.com/p/session/${id}`, locale: fields.locale ?? null },
      });
    },
  };
}
export type Portal = ReturnType<typeof portalOf>;
