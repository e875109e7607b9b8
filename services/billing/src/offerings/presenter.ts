import { BASE_OPTION, type Catalogue, type Product, TRIAL_OPTION } from './catalogue.ts';

/** The offerings on the wire. */
export const toOfferingsDto = ({ offerings, currentOffering }: Catalogue) => ({
  current_offering_id: currentOffering,
  offerings: offerings.map(({ identifier, description, metadata, packages }) => ({
    identifier,
    description,
    metadata,
    packages: packages.map((each) => ({
      identifier: each.identifier,
      platform_product_identifier: each.product,
    })),
  })),
});

/** A product on the wire. In: whether the subscriber may still have its trial, ref is then the default. */
export function toProductDto(product: Product, isTrialEligible: boolean) {
  const { identifier, title, description, price, period, trial } = product;
  const base = { period_duration: period, cycle_count: 1, price };
  const hasTrial = isTrialEligible && trial !== null;
  const free = { period_duration: trial, cycle_count: 1, price: null };
  return {
    identifier,
    product_type: 'subscription',
    title,
    description,
    default_subscription_option_id: hasTrial ? TRIAL_OPTION : BASE_OPTION,
    subscription_options: {
      [BASE_OPTION]: { id: BASE_OPTION, base, trial: null },
      ...(hasTrial && { [TRIAL_OPTION]: { id: TRIAL_OPTION, base, trial: free } }),
    },
    // For clients older than options.
    current_price: price,
    normal_period_duration: period,
  };
}

/** The seller on the wire. A key that is missing would show as a broken picture, so none is. */
export const toBrandingDto = ({ seller }: Catalogue) => ({
  id: seller.id,
  app_icon: seller.icon,
  app_icon_webp: seller.icon,
  seller_company_name: seller.name,
  seller_company_support_email: seller.supportEmail,
});
