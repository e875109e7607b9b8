import { baseOption, type CatalogueFile, type Product, trialOption } from './catalogue.ts';

/** The offerings on the wire. */
export const offeringsOnTheWire = ({ offerings, currentOffering }: CatalogueFile) => ({
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

/** A product on the wire. In: whether the subscriber may still have its trial, which is then the default. */
export function productOnTheWire(product: Product, isEligible: boolean) {
  const { identifier, title, description, price, period, trial } = product;
  const base = { period_duration: period, cycle_count: 1, price };
  const hasTrial = isEligible && trial !== null;
  const free = { period_duration: trial, cycle_count: 1, price: null };
  return {
    identifier,
    product_type: 'subscription',
    title,
    description,
    default_subscription_option_id: hasTrial ? trialOption : baseOption,
    subscription_options: {
      [baseOption]: { id: baseOption, base, trial: null },
      ...(hasTrial && { [trialOption]: { id: trialOption, base, trial: free } }),
    },
    // For clients older than options.
    current_price: price,
    normal_period_duration: period,
  };
}

/** The seller on the wire. A key that is missing would show as a broken picture, so none is. */
export const brandingOnTheWire = ({ seller }: CatalogueFile) => ({
  id: seller.id,
  app_icon: seller.icon,
  app_icon_webp: seller.icon,
  seller_company_name: seller.name,
  seller_company_support_email: seller.supportEmail,
});
