import * as z from 'zod/mini';
import { type Money, money, type Terms } from '../subscriptions/events.ts';
import { period } from '../subscriptions/period.ts';

const identifier = z.string().check(z.regex(/^[\w.$-]{1,100}$/));

/** The offerings file. */
const catalogueSchema = z.object({
  /** The entitlement that every product gives. */
  entitlement: identifier,
  seller: z.object({
    id: identifier,
    name: z.nullable(z.string()),
    supportEmail: z.nullable(z.email()),
    icon: z.nullable(z.string()),
  }),
  products: z.array(
    z.object({
      identifier,
      title: z.string(),
      description: z.nullable(z.string()),
      price: money.check(z.refine(({ amount }) => amount > 0, 'must cost something')),
      period,
      /** Once for each subscriber. */
      trial: z.nullable(period),
      /** The gateway's lookup key of the price; the identifier by default. The gateway's price wins over `price`. */
      lookupKey: z.optional(z.string()),
      /** The gateway's id of the price, found at start. */
      gatewayPrice: z.optional(z.string()),
    }),
  ),
  offerings: z.array(
    z.object({
      identifier,
      description: z.string(),
      metadata: z.nullable(z.record(z.string(), z.unknown())),
      packages: z.array(z.object({ identifier, product: identifier })),
    }),
  ),
  currentOffering: z.nullable(identifier),
});
export type Catalogue = z.infer<typeof catalogueSchema>;
export type Product = Catalogue['products'][number];

/** The option without a trial; clients do not send it. */
export const BASE_OPTION = 'base_option';
/** The option that begins with a trial. */
export const TRIAL_OPTION = 'trial';

/** The built-in catalogue. */
export const defaultCatalogue: Catalogue = {
  entitlement: 'premium',
  seller: { id: 'escucho', name: 'Escucho', supportEmail: 'support@escucho.example', icon: null },
  products: [
    {
      identifier: 'escucho_yearly',
      title: 'Escucho, yearly',
      description: 'Everything to listen to, for a year.',
      price: { amount: 2700, currency: 'USD' },
      period: 'P1Y',
      trial: 'P3D',
    },
    {
      identifier: 'escucho_six_month',
      title: 'Escucho, six months',
      description: 'Everything to listen to, for six months.',
      price: { amount: 1500, currency: 'USD' },
      period: 'P6M',
      trial: 'P3D',
    },
    {
      identifier: 'escucho_monthly',
      title: 'Escucho, monthly',
      description: 'Everything to listen to, for a month.',
      price: { amount: 300, currency: 'USD' },
      period: 'P1M',
      trial: 'P3D',
    },
  ],
  offerings: [
    {
      identifier: 'default',
      description: 'The plans of Escucho',
      metadata: null,
      packages: [
        { identifier: '$rc_annual', product: 'escucho_yearly' },
        { identifier: '$rc_six_month', product: 'escucho_six_month' },
        { identifier: '$rc_monthly', product: 'escucho_monthly' },
      ],
    },
  ],
  currentOffering: 'default',
};

/** Returns the products that a package of an offering names. The others are known for what was bought before. */
export const findProductsForSale = ({ products, offerings }: Catalogue): Product[] =>
  products.filter(({ identifier }) =>
    offerings.some(({ packages }) => packages.some(({ product }) => product === identifier)),
  );

/** Returns the current terms of a product. */
export const toTerms = (
  { identifier, price, period, trial, gatewayPrice }: Product,
  option: string,
): Terms => ({
  product: identifier,
  option,
  price,
  period,
  trial: option === TRIAL_OPTION ? trial : null,
  ...(gatewayPrice && { gatewayPrice }),
});

/** Parses the offerings file. Throws an error that lists every problem. */
export function parseCatalogue(value: unknown): Catalogue {
  const result = catalogueSchema.safeParse(value);
  if (!result.success) {
    const problems = result.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
    );
    throw new Error(`The offerings are not usable: ${problems.join('; ')}.`);
  }
  const file = result.data;
  const products = new Set(file.products.map((product) => product.identifier));
  const named = file.offerings.flatMap((offering) => offering.packages.map((each) => each.product));
  const missing = named.filter((product) => !products.has(product));
  const current = file.offerings.some((offering) => offering.identifier === file.currentOffering);
  const problems = [
    ...(products.size < file.products.length ? ['a product is named twice'] : []),
    ...missing.map((product) => `a package names ${product}, which is no product`),
    ...(file.currentOffering !== null && !current ? [`${file.currentOffering} is no offering`] : []),
  ];
  if (problems.length > 0) throw new Error(`The offerings are not usable: ${problems.join('; ')}.`);
  return file;
}

/** Returns the offerings as RevenueCat responds. */
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

/** How often prices that could not be read at start are requested again. */
const RETRY_MS = 30_000;

interface GatewayPricesDeps {
  catalogue: Catalogue;
  findPrices: (products: readonly Product[]) => Promise<Map<string, { id: string; money: Money }>>;
  report: (details: object, message: string) => void;
}

/**
 * Applies the gateway's prices to the catalogue, and removes the products that the gateway cannot sell. Where they cannot be
 * read, the file's prices apply until another attempt succeeds.
 *
 * @returns a function that ends the attempts
 */
export async function applyGatewayPrices(deps: GatewayPricesDeps): Promise<() => void> {
  const { catalogue, findPrices, report } = deps;

  async function apply(): Promise<boolean> {
    const prices = await findPrices(catalogue.products).catch((error: Error) => {
      report(
        { reason: error.message },
        'prices could not be read from the gateway; the offerings file applies',
      );
      return undefined;
    });
    if (!prices) return false;
    catalogue.products = catalogue.products.flatMap((product) => {
      const price = prices.get(product.identifier);
      if (price) return [{ ...product, price: price.money, gatewayPrice: price.id }];
      report(
        { product: product.identifier },
        'the price at the gateway is for another period; the product is not sold',
      );
      return [];
    });
    return true;
  }

  if (await apply()) return () => undefined;
  const timer = setInterval(async () => {
    if (await apply()) clearInterval(timer);
  }, RETRY_MS).unref();
  return () => clearInterval(timer);
}

/** Creates the function that finds the terms on sale by the gateway's id of the price. */
export const createTermsByPrice =
  (catalogue: Catalogue) =>
  (price: string): Terms | undefined => {
    const product = catalogue.products.find(({ gatewayPrice }) => gatewayPrice === price);
    return product && toTerms(product, BASE_OPTION);
  };
