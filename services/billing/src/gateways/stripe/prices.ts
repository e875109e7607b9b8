import type Stripe from 'stripe';
import type { Product } from '../../offerings/catalogue.ts';
import type { Money, Terms } from '../../subscriptions/events.ts';
import { parsePeriod } from '../../subscriptions/period.ts';
import { toIdempotencyKey } from '../gateway.ts';
import { callStripe } from './client.ts';

interface GatewayPrice {
  id: string;
  money: Money;
}

/** Converts an ISO 8601 period to Stripe's interval. */
export const toRecurring = (period: string) => {
  const { count, unit } = parsePeriod(period);
  return { interval: unit, interval_count: count };
};

/** Stripe's limit of lookup keys in one request. */
const MAX_LOOKUP_KEYS = 10;

const getLookupKey = ({ lookupKey, identifier }: Product) => lookupKey ?? identifier;

/** Whether a price has the product's period. */
function hasPeriodOf({ period }: Product, { recurring }: Stripe.Price): boolean {
  const expected = toRecurring(period);
  return recurring?.interval === expected.interval && recurring.interval_count === expected.interval_count;
}

/** Creates the operations on Stripe's prices, found by lookup key: the product's own or its identifier (RCB-02). */
export function createStripePrices(stripe: Stripe) {
  let onSale: readonly Product[] = [];

  /** Creates the product and its price, idempotently. */
  async function create(product: Product): Promise<Stripe.Price> {
    const { identifier, title, price, period } = product;
    const [lookup_key, currency] = [getLookupKey(product), price.currency.toLowerCase()];
    const once = (what: string) => ({
      idempotencyKey: toIdempotencyKey(
        `escucho.${what}.${lookup_key}.${currency}.${price.amount}`,
        new Date(),
      ),
    });
    const made = await callStripe(
      stripe.products.create({ name: title, metadata: { product: identifier } }, once('product')),
    );
    const terms = { currency, unit_amount: price.amount, recurring: toRecurring(period), lookup_key };
    // An archived price may still have the lookup key.
    const transfer = { transfer_lookup_key: true };
    return callStripe(
      stripe.prices.create({ product: made.id, ...terms, ...transfer }, once(`price.${period}`)),
    );
  }

  /**
   * Returns prices by product identifier. A price of another period or without an amount is left out, because it cannot be
   * sold. Throws `GatewayError`.
   */
  async function find(products: readonly Product[]): Promise<Map<string, GatewayPrice>> {
    const found = new Map<string, Stripe.Price>();
    for (let from = 0; from < products.length; from += MAX_LOOKUP_KEYS) {
      const lookup_keys = products.slice(from, from + MAX_LOOKUP_KEYS).map(getLookupKey);
      const { data } = await callStripe(stripe.prices.list({ lookup_keys, active: true, limit: 100 }));
      for (const price of data) if (price.lookup_key) found.set(price.lookup_key, price);
    }
    const prices = new Map<string, GatewayPrice>();
    for (const product of products) {
      const price = found.get(getLookupKey(product)) ?? (await create(product));
      const { id, unit_amount: amount, currency } = price;
      if (amount && hasPeriodOf(product, price)) {
        prices.set(product.identifier, { id, money: { amount, currency: currency.toUpperCase() } });
      }
    }
    return prices;
  }

  return {
    /** Returns the prices of all products on sale. */
    find(products: readonly Product[]) {
      onSale = products;
      return find(products);
    },

    /** Returns the price id of agreed terms; undefined where the product costs something else now. Throws `GatewayError`. */
    async findForTerms({ gatewayPrice, product: identifier, price: { amount, currency } }: Terms) {
      const product = gatewayPrice ? undefined : onSale.find((each) => each.identifier === identifier);
      const current = product && (await find([product])).get(identifier);
      const isSame = current?.money.amount === amount && current.money.currency === currency;
      return gatewayPrice ?? (isSame ? current.id : undefined);
    },
  };
}
