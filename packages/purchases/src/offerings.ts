import type { OfferingsResponse, ProductsResponse } from './wire.ts';

type PeriodUnit = 'year' | 'month' | 'week' | 'day';

/** A length of time in one unit, e.g. six months. */
export interface Period {
  number: number;
  unit: PeriodUnit;
}

const units: Readonly<Record<string, PeriodUnit>> = { Y: 'year', M: 'month', W: 'week', D: 'day' };

/** Parses an ISO 8601 period of one unit (BUY-05); returns null for anything else. */
export function parsePeriod(text: string | null): Period | null {
  const [, digits, letter] = /^PT?(\d+)([YMWD])$/.exec(text ?? '') ?? [];
  const unit = units[letter ?? ''];
  return unit ? { number: Number(digits), unit } : null;
}

const packageTypes = {
  $rc_lifetime: 'lifetime',
  $rc_annual: 'annual',
  $rc_six_month: 'six month',
  $rc_three_month: 'three month',
  $rc_two_month: 'two month',
  $rc_monthly: 'monthly',
  $rc_weekly: 'weekly',
} as const;

export type PackageType = (typeof packageTypes)[keyof typeof packageTypes] | 'custom' | 'unknown';

/** A price: `amount` in the currency's smallest unit, `currency` by ISO 4217. */
export interface Price {
  amount: number;
  currency: string;
}

export interface Package {
  identifier: string;
  type: PackageType;
  /** The identifier of its offering. */
  offering: string;
  product: Product;
}

/** Returns the type of a package by its identifier. */
export function getPackageType(identifier: string): PackageType {
  for (const [known, type] of Object.entries(packageTypes)) if (known === identifier) return type;
  return identifier.startsWith('$rc_') ? 'unknown' : 'custom';
}

type ProductResponse = ProductsResponse['product_details'][number];
type OptionResponse = ProductResponse['subscription_options'][string];
type PhaseResponse = NonNullable<OptionResponse['base']>;

/** Converts a phase of a subscription: the length of a cycle, the number of cycles, and the price of each; null: free. */
const toPhase = ({ period_duration, cycle_count, price }: PhaseResponse) => ({
  period: parsePeriod(period_duration),
  cycles: cycle_count,
  price,
});

/** Converts a way to buy a product; `trial` is the phase before `base`. */
function toOption({ id, base, trial }: OptionResponse) {
  if (!base?.price) return null;
  return { id, base: { ...toPhase(base), price: base.price }, trial: trial ? toPhase(trial) : null };
}

export type SubscriptionOption = NonNullable<ReturnType<typeof toOption>>;

/** Converts a product; null without a default option that has a price, because it cannot be bought. */
function toProduct(response: ProductResponse) {
  const options: Record<string, SubscriptionOption> = {};
  for (const each of Object.values(response.subscription_options)) {
    const option = toOption(each);
    if (option) options[option.id] = option;
  }
  const defaultOption = options[response.default_subscription_option_id ?? ''];
  if (!defaultOption) return null;
  const { identifier, title, description = null } = response;
  return { identifier, title, description, defaultOption, options };
}

export type Product = NonNullable<ReturnType<typeof toProduct>>;

/** Returns the product ids of all packages in order, without duplicates. */
export const listProductIds = ({ offerings }: OfferingsResponse): string[] => [
  ...new Set(offerings.flatMap(({ packages }) => packages.map((each) => each.platform_product_identifier))),
];

/**
 * Joins offerings with their products (SUB-01). Omits packages without a product that can be bought, and offerings without
 * packages. `current` is null when the provider names none of the rest.
 */
export function joinOfferings(response: OfferingsResponse, { product_details }: ProductsResponse) {
  const products = new Map(product_details.map((each) => [each.identifier, toProduct(each)]));
  const all = response.offerings
    .map(({ identifier, description, metadata, packages }) => ({
      identifier,
      description,
      metadata: metadata ?? null,
      /** In the order of the provider. */
      packages: packages.flatMap((each): Package[] => {
        const product = products.get(each.platform_product_identifier);
        if (!product) return [];
        const type = getPackageType(each.identifier);
        return [{ identifier: each.identifier, type, offering: identifier, product }];
      }),
    }))
    .filter(({ packages }) => packages.length > 0);
  const current = all.find(({ identifier }) => identifier === response.current_offering_id) ?? null;
  return { all, current };
}

export type Offerings = ReturnType<typeof joinOfferings>;
export type Offering = Offerings['all'][number];
