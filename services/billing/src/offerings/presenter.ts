import { BASE_OPTION, type Catalogue, type Product, TRIAL_OPTION } from './catalogue.ts';

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

/** Converts a product. With an eligible subscriber its trial is the default option. */
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
    // For clients that do not know options.
    current_price: price,
    normal_period_duration: period,
  };
}

/** Converts the seller. The icon keys are always present: clients show a broken picture for a missing one. */
export const toBrandingDto = ({ seller }: Catalogue) => ({
  id: seller.id,
  app_icon: seller.icon,
  app_icon_webp: seller.icon,
  seller_company_name: seller.name,
  seller_company_support_email: seller.supportEmail,
});
