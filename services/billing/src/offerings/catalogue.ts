import * as z from 'zod/mini';
import { money, type Terms } from '../subscriptions/events.ts';
import { period } from '../subscriptions/period.ts';

const identifier = z.string().check(z.regex(/^[\w.$-]{1,100}$/));

/** What is for sale, as the offerings file says it. */
export const catalogueSchema = z.object({
  /** What every product opens. */
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
      /** Once for each subscriber; null: none. */
      trial: z.nullable(period),
      /**
       * Where the price is kept at a card gateway that keeps prices, by the product's identifier unless said. It is read at
       * start and wins over `price`.
       */
      lookupKey: z.optional(z.string()),
      /** The gateway's name for the price; found at start. */
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

/** The id of the option that is the plain price; clients do not send it. */
export const BASE_OPTION = 'base_option';
/** The id of the option that begins with a trial. */
export const TRIAL_OPTION = 'trial';

/** The products of the embedded default. */
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

/** A product's terms, as agreed to today. */
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

/** Throws with every fault of a file: products named twice, packages without a product, a current offering that is none. */
export function parseCatalogue(value: unknown): Catalogue {
  const read = catalogueSchema.safeParse(value);
  if (!read.success) {
    const flaws = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
    throw new Error(`The offerings are not usable: ${flaws.join('; ')}.`);
  }
  const file = read.data;
  const products = new Set(file.products.map((product) => product.identifier));
  const named = file.offerings.flatMap((offering) => offering.packages.map((each) => each.product));
  const missing = named.filter((product) => !products.has(product));
  const current = file.offerings.some((offering) => offering.identifier === file.currentOffering);
  const flaws = [
    ...(products.size < file.products.length ? ['a product is named twice'] : []),
    ...missing.map((product) => `a package names ${product}, ref is no product`),
    ...(file.currentOffering !== null && !current ? [`${file.currentOffering} is no offering`] : []),
  ];
  if (flaws.length > 0) throw new Error(`The offerings are not usable: ${flaws.join('; ')}.`);
  return file;
}
