import * as z from 'zod/mini';
import { type Account, createId, invalidRequest, StripeApiError } from './account.ts';
import {
  bool,
  integer,
  isMatch,
  metadata,
  optional,
  page,
  paginate,
  type Route,
  retrieveRoute,
  route,
  text,
} from './routes.ts';

const productFields = { name: text, metadata: optional(metadata) };
const recurringFields = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: z._default(integer, 1),
});

/** Creates the routes of products and prices. */
export function createPriceRoutes(account: Account): Route[] {
  const createProduct = ({ name, metadata = {} }: z.output<z.ZodMiniObject<typeof productFields>>) =>
    account.save('product', {
      id: createId('prod'),
      object: 'product',
      created: account.now(),
      name,
      metadata,
    });

  return [
    route('POST', '/v1/products', productFields, createProduct),
    route(
      'POST',
      '/v1/prices',
      {
        currency: text,
        unit_amount: integer,
        product: optional(text),
        product_data: optional(z.strictObject(productFields)),
        lookup_key: optional(text),
        transfer_lookup_key: optional(bool),
        recurring: optional(recurringFields),
      },
      ({ currency, unit_amount, product, product_data: data, lookup_key = null, recurring, ...fields }) => {
        if ((product === undefined) === (data === undefined)) {
          throw new StripeApiError(400, {
            param: 'product',
            message: 'One of product and product_data is needed.',
          });
        }
        const holder =
          lookup_key === null
            ? undefined
            : account.list('price').find((each) => each.lookup_key === lookup_key);
        if (holder && !fields.transfer_lookup_key) {
          throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`);
        }
        if (holder) holder.lookup_key = null;
        const { id } = data ? createProduct(data) : account.requireParam('product', product ?? '', 'product');
        return account.save('price', {
          id: createId('price'),
          object: 'price',
          created: account.now(),
          active: true,
          currency: currency.toLowerCase(),
          unit_amount,
          product: id,
          lookup_key,
          recurring: recurring ?? null,
        });
      },
    ),
    retrieveRoute(account, '/v1/prices', 'price'),
    route(
      'GET',
      '/v1/prices',
      {
        ...page,
        active: optional(bool),
        product: optional(text),
        lookup_keys: optional(z.array(text).check(z.maxLength(10))),
      },
      ({ lookup_keys: keys, active, product, ...pagination }) =>
        paginate(
          account,
          'price',
          (each) =>
            isMatch(active, each.active) &&
            isMatch(product, each.product) &&
            (keys?.includes(each.lookup_key ?? '') ?? true),
          pagination,
        ),
    ),
  ];
}
