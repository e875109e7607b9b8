import * as z from 'zod/mini';
import type { Account } from '../account.ts';
import { maybe, metadata, page, text, whole, yesNo } from '../forms.ts';
import type { Prices } from '../prices.ts';
import { type Call, is, on, pageOf, retrieve } from './call.ts';

interface Parts {
  account: Account;
  prices: Prices;
}

const product = { id: maybe(text), name: text, description: maybe(text), metadata: maybe(metadata) };

/** Products, and what they cost. */
export const priceCalls = ({ account, prices }: Parts): Call[] => [
  on('POST', '/v1/products', product, (fields) => prices.product(fields)),
  retrieve(account, '/v1/products', 'product'),
  on(
    'GET',
    '/v1/products',
    { ...page, ids: maybe(z.array(text)), active: maybe(yesNo) },
    ({ ids, active, ...cut }) =>
      pageOf(account, 'product', (each) => is(active, each.active) && (ids?.includes(each.id) ?? true), cut),
  ),
  on(
    'POST',
    '/v1/prices',
    {
      ...{
        currency: text,
        unit_amount: whole,
        product: maybe(text),
        product_data: maybe(z.strictObject(product)),
      },
      ...{ lookup_key: maybe(text), transfer_lookup_key: maybe(yesNo), nickname: maybe(text) },
      metadata: maybe(metadata),
      recurring: maybe(
        z.strictObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: maybe(whole) }),
      ),
    },
    (fields) => prices.price(fields),
  ),
  retrieve(account, '/v1/prices', 'price'),
  on(
    'GET',
    '/v1/prices',
    {
      ...{ ...page, active: maybe(yesNo), product: maybe(text) },
      lookup_keys: maybe(z.array(text).check(z.maxLength(10))),
      type: maybe(z.enum(['recurring', 'one_time'])),
    },
    ({ lookup_keys: keys, active, product: of, type, ...cut }) =>
      pageOf(
        ...([account, 'price'] as const),
        (each) =>
          is(active, each.active) &&
          is(of, each.product) &&
          is(type, each.type) &&
          (keys?.includes(each.lookup_key ?? '') ?? true),
        cut,
      ),
  ),
];
