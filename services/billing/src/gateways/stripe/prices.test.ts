import { billingApi } from '@escucho/contracts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  const createPrice = (key: string, amount: number, currency: string, interval: 'year' | 'month' = 'year') =>
    stripe.client.prices.create({
      lookup_key: key,
      transfer_lookup_key: true,
      unit_amount: amount,
      currency,
      recurring: { interval },
      product_data: { name: key },
    });

  it('[RCB-02] are read by lookup key; missing ones are created at Stripe once', async () => {
    await createPrice('year', 3100, 'eur');
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

  it('[RCB-02] of another period remove their product from those on sale', async () => {
    const keys = [
      ['another_period', 'month'],
      ['same_period', 'year'],
    ] as const;
    for (const [lookup_key, interval] of keys) {
      await createPrice(lookup_key, 3100, 'usd', interval);
    }
    const products = keys.map(([identifier]) => ({ identifier, price, ...product }));
    expect(await findPrices(products)).toEqual([{ amount: 3100, currency: 'USD' }]);
  });

  it('[RCB-02] that changed while they could not be read, let a plan change fail with 503', async () => {
    behavior.serverErrors = 2;
    const lateProvider = await startProvider({ stripe: stripe.options });
    behavior.serverErrors = 0;
    const user = newUser();
    const { body } = await lateProvider.requestPurchase(user, {}, keys.production);
    stripe.completeSetup(body.data.client_secret);
    await lateProvider.get(`/rcbilling/v1/checkout/${body.operation_session_id}`, keys.production);
    await createPrice('escucho_yearly', 9900, 'usd');
    const { choosePlan } = billingApi;
    const changed = await lateProvider.callApi(choosePlan, user, { product: 'escucho_yearly' });
    expect(changed.status).toBe(503);
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

  it('[RCB-02] that Stripe failed to create are created ten minutes afterwards', async () => {
    const products = [{ identifier: 'five', price, ...product }];
    const listIds = () => stripe.list('price').filter(({ lookup_key: key }) => key === 'five');
    behavior.failingPath = '/v1/prices';
    expect(await findPrices(products)).toEqual([price]);
    behavior.failingPath = undefined;
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(600_000);
    expect(await findPrices(products)).toEqual([price]);
    expect(listIds()).toHaveLength(1);
  });

  it('[RCB-02] are those of the file where Stripe cannot be reached', async () => {
    behavior.serverErrors = 2;
    expect(await findPrices([{ identifier: 'three', price, ...product }])).toEqual([price]);
  });

  it('[RCB-02] that could not be read at start are read again until Stripe responds', async () => {
    await createPrice('four', 4400, 'usd');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    behavior.serverErrors = 4;
    const products = catalogue([{ identifier: 'four', price, ...product }]);
    const { get } = await startProvider({ stripe: stripe.options, catalogue: products });
    const path = `/rcbilling/v1/subscribers/${newUser()}/products?id=four`;
    const findPrice = async () => (await get(path)).body.product_details[0].current_price;
    expect(await findPrice()).toEqual(price);
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(behavior.serverErrors).toBe(0), { timeout: 20_000 });
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(async () => expect(await findPrice()).toEqual({ amount: 4400, currency: 'USD' }), {
      timeout: 20_000,
    });
  });
});
