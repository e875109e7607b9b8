import type Stripe from 'stripe';
import type { Product } from '../../offerings/catalogue.ts';
import type { Money, Terms } from '../../subscriptions/events.ts';
import { parsePeriod } from '../../subscriptions/period.ts';
import { callStripe } from './client.ts';

/** A price as Stripe keeps it. */
export interface KeptPrice {
  id: string;
  money: Money;
}

/** A period in Stripe's words. */
export const toRecurring = (period: string) => {
  const { count, unit } = parsePeriod(period);
  return { interval: unit, interval_count: count };
};

/** So many keys may be callStripe for at once. */
const AT_ONCE = 10;

const keyOf = ({ lookupKey, identifier }: Product) => lookupKey ?? identifier;

/** Whether a price is renewed as often as a product says. */
function isFor({ period }: Product, { recurring }: Stripe.Price): boolean {
  const wanted = toRecurring(period);
  return recurring?.interval === wanted.interval && recurring.interval_count === wanted.interval_count;
}

/** Products' prices at Stripe, by lookup keys: the product's own, or its identifier (RCB-02). */
export function createStripePrices(stripe: Stripe) {
  let sold: readonly Product[] = [];

  /** Made where there is none: once, whoever else does so. */
  async function create(product: Product): Promise<Stripe.Price> {
    const { identifier, title, price, period } = product;
    const [lookup_key, currency] = [keyOf(product), price.currency.toLowerCase()];
    const once = (what: string) => ({
      idempotencyKey: `escucho.${what}.${lookup_key}.${currency}.${price.amount}`,
    });
    const made = await callStripe(
      stripe.products.create({ name: title, metadata: { product: identifier } }, once('product')),
    );
    const terms = { currency, unit_amount: price.amount, recurring: toRecurring(period), lookup_key };
    // A price that is not active any more may still hold the key.
    const takesOver = { transfer_lookup_key: true };
    return callStripe(
      stripe.prices.create({ product: made.id, ...terms, ...takesOver }, once(`price.${period}`)),
    );
  }

  /**
   * The prices of what is for sale, by the products' identifiers. One that is kept for another period or has no amount is
   * left out, for it cannot be sold. Throws `GatewayError`.
   */
  async function find(products: readonly Product[]): Promise<Map<string, KeptPrice>> {
    const found = new Map<string, Stripe.Price>();
    for (let from = 0; from < products.length; from += AT_ONCE) {
      const lookup_keys = products.slice(from, from + AT_ONCE).map(keyOf);
      const { data } = await callStripe(stripe.prices.list({ lookup_keys, active: true, limit: 100 }));
      for (const price of data) if (price.lookup_key) found.set(price.lookup_key, price);
    }
    const prices = new Map<string, KeptPrice>();
    for (const product of products) {
      const price = found.get(keyOf(product)) ?? (await create(product));
      const { id, unit_amount: amount, currency } = price;
      if (amount && isFor(product, price)) {
        prices.set(product.identifier, { id, money: { amount, currency: currency.toUpperCase() } });
      }
    }
    return prices;
  }

  return {
    /** Finds the prices of all that is sold. */
    find(products: readonly Product[]) {
      sold = products;
      return find(products);
    },

    /** The price of terms that were agreed to; nothing where it costs something else by now. Throws `GatewayError`. */
    async of({ gatewayPrice, product: identifier, price: { amount, currency } }: Terms) {
      const product = gatewayPrice ? undefined : sold.find((each) => each.identifier === identifier);
      const kept = product && (await find([product])).get(identifier);
      const isSame = kept?.money.amount === amount && kept.money.currency === currency;
      return gatewayPrice ?? (isSame ? kept.id : undefined);
    },
  };
}
