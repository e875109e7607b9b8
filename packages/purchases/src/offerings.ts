import { type Period, parsePeriod } from './period.ts';
import type { OfferingsAnswer, ProductsAnswer } from './wire.ts';

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

/** What a package costs: `amount` in the currency's smallest unit, `currency` of ISO 4217. */
export interface Price {
  amount: number;
  currency: string;
}

/** A stretch of a subscription: how long one cycle is, how many there are, and what each costs; null: nothing. */
export interface Phase {
  period: Period | null;
  cycles: number;
  price: Price | null;
}

/** How a product can be bought. */
export interface SubscriptionOption {
  id: string;
  base: Phase & { price: Price };
  /** What comes before it, if anything. */
  trial: Phase | null;
}

export interface Product {
  identifier: string;
  title: string;
  description: string | null;
  /** What is bought when no other option is asked for. */
  defaultOption: SubscriptionOption;
  options: Readonly<Record<string, SubscriptionOption>>;
}

export interface Package {
  identifier: string;
  type: PackageType;
  /** The offering it was presented in. */
  offering: string;
  product: Product;
}

export interface Offering {
  identifier: string;
  description: string;
  metadata: Readonly<Record<string, unknown>> | null;
  /** In the order of the provider. */
  packages: readonly Package[];
}

export interface Offerings {
  all: readonly Offering[];
  current: Offering | null;
}

/** What a package's identifier says of it. */
export function packageTypeOf(identifier: string): PackageType {
  for (const [known, type] of Object.entries(packageTypes)) if (known === identifier) return type;
  return identifier.startsWith('$rc_') ? 'unknown' : 'custom';
}

type ProductAnswer = ProductsAnswer['product_details'][number];
type OptionAnswer = ProductAnswer['subscription_options'][string];
type PhaseAnswer = NonNullable<OptionAnswer['base']>;

const phaseOf = ({ period_duration, cycle_count, price }: PhaseAnswer): Phase => ({
  period: parsePeriod(period_duration),
  cycles: cycle_count,
  price,
});

function optionOf({ id, base, trial }: OptionAnswer): SubscriptionOption | null {
  if (!base?.price) return null;
  return { id, base: { ...phaseOf(base), price: base.price }, trial: trial ? phaseOf(trial) : null };
}

/** A product that can be bought, or null: without a default option that has a price there is nothing to buy. */
function productOf(answer: ProductAnswer): Product | null {
  const options: Record<string, SubscriptionOption> = {};
  for (const each of Object.values(answer.subscription_options)) {
    const option = optionOf(each);
    if (option) options[option.id] = option;
  }
  const defaultOption = options[answer.default_subscription_option_id ?? ''];
  if (!defaultOption) return null;
  const { identifier, title, description = null } = answer;
  return { identifier, title, description, defaultOption, options };
}

/** The ids of the products that offerings speak of, in their order, each once. */
export const productIdsOf = ({ offerings }: OfferingsAnswer): string[] => [
  ...new Set(offerings.flatMap(({ packages }) => packages.map((each) => each.platform_product_identifier))),
];

/**
 * Joins offerings with their products (SUB-01). In: both answers. Out: the offerings that have something to buy;
 * `current` null when the provider names none of them. Packages without a product one can buy are left out.
 */
export function joinOfferings(answer: OfferingsAnswer, { product_details }: ProductsAnswer): Offerings {
  const products = new Map(product_details.map((each) => [each.identifier, productOf(each)]));
  const all = answer.offerings
    .map(({ identifier, description, metadata, packages }) => ({
      identifier,
      description,
      metadata: metadata ?? null,
      packages: packages.flatMap((each): Package[] => {
        const product = products.get(each.platform_product_identifier);
        if (!product) return [];
        const type = packageTypeOf(each.identifier);
        return [{ identifier: each.identifier, type, offering: identifier, product }];
      }),
    }))
    .filter(({ packages }) => packages.length > 0);
  const current = all.find(({ identifier }) => identifier === answer.current_offering_id) ?? null;
  return { all, current };
}
