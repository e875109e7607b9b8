import * as z from 'zod/mini';
import { type Account, createId, invalidRequest, StripeApiError } from './account.ts';
import type { Metadata, StripeObjects } from './objects.ts';
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

export interface NewProduct {
  id?: string | undefined;
  name: string;
  description?: string | undefined;
  metadata?: Metadata | undefined;
}

export interface NewPrice {
  currency: string;
  unit_amount: number;
  product?: string | undefined;
  product_data?: NewProduct | undefined;
  lookup_key?: string | undefined;
  transfer_lookup_key?: boolean | undefined;
  nickname?: string | undefined;
  metadata?: Metadata | undefined;
  recurring?: { interval: string; interval_count?: number | undefined } | undefined;
}

/** Creates the operations on products and prices. */
export function createPrices(account: Account) {
  function product({
    id = createId('prod'),
    name,
    description,
    metadata = {},
  }: NewProduct): StripeObjects['product'] {
    if (account.find('product', id))
      throw invalidRequest('Product already exists.', 'resource_already_exists');
    return account.save('product', {
      id,
      object: 'product',
      created: account.now(),
      name,
      description: description ?? null,
      active: true,
      metadata,
      livemode: true,
      type: 'service',
    });
  }

  return {
    product,

    price(fields: NewPrice): StripeObjects['price'] {
      const { product_data: data, lookup_key: key, recurring } = fields;
      if ((fields.product === undefined) === (data === undefined)) {
        throw new StripeApiError(400, {
          param: 'product',
          message: 'One of product and product_data is needed.',
        });
      }
      const holder = account.list('price').find((each) => key !== undefined && each.lookup_key === key);
      if (holder && !fields.transfer_lookup_key) {
        throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`);
      }
      if (holder) holder.lookup_key = null;
      const of = data ? product(data) : account.requireParam('product', fields.product ?? '', 'product');
      return account.save('price', {
        id: createId('price'),
        object: 'price',
        created: account.now(),
        active: true,
        livemode: true,
        currency: fields.currency.toLowerCase(),
        unit_amount: fields.unit_amount,
        product: of.id,
        lookup_key: key ?? null,
        nickname: fields.nickname ?? null,
        metadata: fields.metadata ?? {},
        type: recurring ? 'recurring' : 'one_time',
        recurring: recurring
          ? { interval: recurring.interval, interval_count: recurring.interval_count ?? 1 }
          : null,
      });
    },
  };
}
export type Prices = ReturnType<typeof createPrices>;

const product = { id: optional(text), name: text, description: optional(text), metadata: optional(metadata) };

export const priceRoutes = (account: Account, prices: Prices): Route[] => [
  route('POST', '/v1/products', product, (fields) => prices.product(fields)),
  retrieveRoute(account, '/v1/products', 'product'),
  route(
    'GET',
    '/v1/products',
    { ...page, ids: optional(z.array(text)), active: optional(bool) },
    ({ ids, active, ...pagination }) =>
      paginate(
        account,
        'product',
        (each) => isMatch(active, each.active) && (ids?.includes(each.id) ?? true),
        pagination,
      ),
  ),
  route(
    'POST',
    '/v1/prices',
    {
      currency: text,
      unit_amount: integer,
      product: optional(text),
      product_data: optional(z.strictObject(product)),
      lookup_key: optional(text),
      transfer_lookup_key: optional(bool),
      nickname: optional(text),
      metadata: optional(metadata),
      recurring: optional(
        z.strictObject({
          interval: z.enum(['day', 'week', 'month', 'year']),
          interval_count: optional(integer),
        }),
      ),
    },
    (fields) => prices.price(fields),
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
      type: optional(z.enum(['recurring', 'one_time'])),
    },
    ({ lookup_keys: keys, active, product: of, type, ...pagination }) =>
      paginate(
        account,
        'price',
        (each) =>
          isMatch(active, each.active) &&
          isMatch(of, each.product) &&
          isMatch(type, each.type) &&
          (keys?.includes(each.lookup_key ?? '') ?? true),
        pagination,
      ),
  ),
];
