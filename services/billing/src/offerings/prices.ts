import type { StripeGateway } from '../gateways/stripe/gateway.ts';
import type { Terms } from '../subscriptions/events.ts';
import { BASE_OPTION, type Catalogue, toTerms } from './catalogue.ts';

/**
 * The catalogue with the prices that are kept at the card gateway. Where that does not answer, those of the file stay,
 * and it is reported: better an old price than none.
 */
export async function applyGatewayPrices(
  catalogue: Catalogue,
  stripe: StripeGateway | undefined,
  report: (detail: object, message: string) => void,
): Promise<Catalogue> {
  if (!stripe) return catalogue;
  const prices = await stripe.prices(catalogue.products).catch((error: Error) => {
    report({ reason: error.message }, 'prices could not be looked up; those of the offerings file hold');
    return undefined;
  });
  if (!prices) return catalogue;
  const products = catalogue.products.map((product) => {
    const price = prices.get(product.identifier);
    if (price) return { ...product, price: price.money, gatewayPrice: price.id };
    report(
      { product: product.identifier },
      'its price at the gateway is for another period; it cannot be sold',
    );
    return product;
  });
  return { ...catalogue, products };
}

/** What is for sale, by the gateway's names for prices. */
export const createTermsByPrice =
  ({ products }: Catalogue) =>
  (price: string): Terms | undefined => {
    const product = products.find(({ gatewayPrice }) => gatewayPrice === price);
    return product && toTerms(product, BASE_OPTION);
  };
