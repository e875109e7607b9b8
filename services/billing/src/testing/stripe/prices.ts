import { type Account, idOf, type Kinds, type Metadata } from './account.ts';
import { impossible, Refusal } from './refusal.ts';

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

/** Products, and what they cost. */
export function pricesOf(account: Account) {
  function product({ id = idOf('prod'), name, description, metadata = {} }: NewProduct): Kinds['product'] {
    if (account.find('product', id)) throw impossible('Product already exists.', 'resource_already_exists');
    return account.keep('product', {
      ...{ id, object: 'product', created: account.now(), name, description: description ?? null },
      ...{ active: true, metadata, livemode: true, type: 'service' },
    });
  }

  return {
    product,

    price(fields: NewPrice): Kinds['price'] {
      const { product_data: data, lookup_key: key, recurring } = fields;
      if ((fields.product === undefined) === (data === undefined)) {
        throw new Refusal(400, { param: 'product', message: 'One of product and product_data is needed.' });
      }
      const holder = account.list('price').find((each) => key !== undefined && each.lookup_key === key);
      if (holder && !fields.transfer_lookup_key) {
        throw impossible(`A price (\`${holder.id}\`) already uses that lookup key.`);
      }
      if (holder) holder.lookup_key = null;
      const of = data ? product(data) : account.named('product', fields.product ?? '', 'product');
      return account.keep('price', {
        ...{ id: idOf('price'), object: 'price', created: account.now(), active: true, livemode: true },
        ...{ currency: fields.currency.toLowerCase(), unit_amount: fields.unit_amount, product: of.id },
        ...{ lookup_key: key ?? null, nickname: fields.nickname ?? null, metadata: fields.metadata ?? {} },
        type: recurring ? 'recurring' : 'one_time',
        recurring: recurring
          ? { interval: recurring.interval, interval_count: recurring.interval_count ?? 1 }
          : null,
      });
    },
  };
}
export type Prices = ReturnType<typeof pricesOf>;
