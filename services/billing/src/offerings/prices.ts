import type { StripeGateway } from '../gateways/stripe.ts';
import type { CatalogueFile } from './catalogue.ts';

/**
 * The catalogue with the prices that are kept at the card gateway. Where that does not answer, those of the file stay,
 * and it is reported: better an old price than none.
 */
export async function pricedCatalogue(
  catalogue: CatalogueFile,
  stripe: StripeGateway | undefined,
  report: (detail: object, message: string) => void,
): Promise<CatalogueFile> {
  const keys = catalogue.products.flatMap(({ lookupKey }) => lookupKey ?? []);
  if (!stripe || keys.length === 0) return catalogue;
  const prices = await stripe.prices(keys).catch((error: Error) => {
    report({ reason: error.message }, 'prices could not be looked up; those of the offerings file hold');
    return undefined;
  });
  if (!prices) return catalogue;
  const products = catalogue.products.map((product) => {
    const price = product.lookupKey === undefined ? undefined : prices.get(product.lookupKey);
    if (product.lookupKey !== undefined && !price) {
      report({ lookupKey: product.lookupKey }, 'no such price; that of the offerings file holds');
    }
    return price ? { ...product, price } : product;
  });
  return { ...catalogue, products };
}
