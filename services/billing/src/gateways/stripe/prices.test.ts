import { describe, expect, it } from 'vitest';
import { keys, startProvider } from '../../testing/provider.ts';
import { startStripeProvider } from '../../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, behavior, listPaidAmounts } = stripe;
const { newUser } = provider;

describe('prices', () => {
  const product = { title: 'x', description: null, period: 'P1Y', trial: null };
  const price = { amount: 100, currency: 'USD' };
  const catalogue = (products: object[]) => ({
    entitlement: 'premium',
    seller: { id: 's', name: null, supportEmail: null, icon: null },
    products,
    offerings: [],
    currentOffering: null,
  });
  const findPrices = async (products: { identifier: string; lookupKey?: string; price: object }[]) => {
    const { get } = await startProvider({ stripe: stripe.options, catalogue: catalogue(products) });
    const ids = products.map(({ identifier }) => `id=${identifier}`).join('&');
    const { body } = await get(`/rcbilling/v1/subscribers/${newUser()}/products?${ids}`);
    return body.product_details.map((each: { current_price: object }) => each.current_price);
  };

  it('[RCB-02] are read by lookup key; missing ones are created at Stripe once', async () => {
    await stripe.client.prices.create({
      lookup_key: 'year',
      unit_amount: 3100,
      currency: 'eur',
      recurring: { interval: 'year' },
      product_data: { name: 'A year' },
    });
    const products = [
      { identifier: 'one', lookupKey: 'year', price, ...product },
      { identifier: 'two', price, ...product },
    ];
    for (let times = 0; times < 2; times += 1) {
      expect(await findPrices(products)).toEqual([{ amount: 3100, currency: 'EUR' }, price]);
    }
    const made = stripe.list('price').filter(({ lookup_key: key }) => key === 'two');
    expect(made).toMatchObject([{ unit_amount: 100, currency: 'usd', recurring: { interval: 'year' } }]);
  });

  it('[RCB-02] that could not be read at start are found with the first purchase', async () => {
    behavior.serverErrors = 2;
    const lateProvider = await startProvider({ stripe: stripe.options });
    behavior.serverErrors = 0;
    const begun = await lateProvider.requestPurchase(newUser(), {}, keys.production);
    const { customer } = stripe.completeSetup(begun.body.data.client_secret);
    const session = `/rcbilling/v1/checkout/${begun.body.operation_session_id}`;
    expect((await lateProvider.get(session, keys.production)).body.operation.status).toBe('succeeded');
    expect(listPaidAmounts(String(customer))).toEqual([300]);
  });

  it('[RCB-02] are those of the file where Stripe cannot be reached', async () => {
    behavior.serverErrors = 2;
    expect(await findPrices([{ identifier: 'three', price, ...product }])).toEqual([price]);
  });
});
