import type { Money, Terms } from '../subscriptions/events.ts';
import { BASE_OPTION, type Catalogue, type Product, toTerms } from './catalogue.ts';

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
