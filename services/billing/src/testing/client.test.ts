import { PackageType, Purchases, type PurchasesError } from '@revenuecat/purchases-js';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, startProvider } from './provider.ts';

// RevenueCat's own web client against this provider: a conformance test of the protocol.
const provider = await startProvider({ clock: () => new Date() });
const address = await provider.app.listen({ port: 0, host: '127.0.0.1' });
const proxyURL = `${address}/billing`;
const { newUser, buy, advanceClock, post, keys } = provider;

let user = newUser();
let client = Purchases.configure(keys.sandbox, user, { proxyURL });
beforeEach(() => {
  client.close();
  user = newUser();
  client = Purchases.configure(keys.sandbox, user, { proxyURL });
});
afterAll(() => client.close());

describe('RevenueCat’s web client', () => {
  it('[RCB-01] finds three packages, each with its price and a trial', async () => {
    const { current, all } = await client.getOfferings();
    expect(Object.keys(all)).toEqual(['default']);
    expect(current?.availablePackages.map((each) => each.packageType)).toEqual([
      PackageType.Annual,
      PackageType.SixMonth,
      PackageType.Monthly,
    ]);
    expect(current?.annual?.rcBillingProduct).toMatchObject({
      currentPrice: { amount: 2700, currency: 'USD', formattedPrice: '$27.00' },
      normalPeriodDuration: 'P1Y',
      defaultSubscriptionOption: {
        id: 'trial',
        trial: { periodDuration: 'P3D', period: { number: 3, unit: 'day' } },
      },
    });
    expect(
      [current?.sixMonth, current?.monthly].map((each) => each?.rcBillingProduct.currentPrice.amount),
    ).toEqual([1500, 300]);
    expect(client.isSandbox()).toBe(true);
  });

  it('[RCB-01] sees no entitlement before a purchase, and one after it', async () => {
    const before = await client.getCustomerInfo();
    expect([before.entitlements.all, [...before.activeSubscriptions]]).toEqual([{}, []]);
    await buy(user, { product_id: 'escucho_yearly' });
    const { entitlements, activeSubscriptions, managementURL } = await client.getCustomerInfo();
    expect(entitlements.active.premium).toMatchObject({
      isActive: true,
      willRenew: true,
      store: 'rc_billing',
      productIdentifier: 'escucho_yearly',
      isSandbox: true,
      periodType: 'normal',
    });
    expect([...activeSubscriptions]).toEqual(['escucho_yearly']);
    expect(managementURL).toBe('https://escucho.test/settings/subscription');
    expect(await client.isEntitledTo('premium')).toBe(true);
  });

  it('[RCB-02] sees a trial become a paid month, and an unpaid month expire', async () => {
    await buy(user, { offer_id: 'trial' });
    expect((await client.getCustomerInfo()).entitlements.active.premium).toMatchObject({
      periodType: 'trial',
      willRenew: true,
    });
    await advanceClock(user, 3 * DAY);
    expect((await client.getCustomerInfo()).entitlements.active.premium).toMatchObject({
      periodType: 'normal',
      willRenew: true,
    });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 32 * DAY);
    const inGrace = (await client.getCustomerInfo()).entitlements.active.premium;
    expect([inGrace?.isActive, inGrace?.willRenew]).toEqual([true, false]);
    expect(inGrace?.billingIssueDetectedAt).toBeInstanceOf(Date);
    await advanceClock(user, 8 * DAY);
    expect(await client.isEntitledTo('premium')).toBe(false);
  });

  it('[RCB-01] receives the protocol’s errors', async () => {
    const refused = (promise: Promise<unknown>): Promise<number> =>
      promise.then(
        () => -1,
        (error: PurchasesError) => error.errorCode,
      );
    const createUnknownClient = () => Purchases.configure('rcb_sb_nobody', newUser(), { proxyURL });
    expect(await refused(createUnknownClient().getCustomerInfo())).toBe(11);
    expect(await refused(createUnknownClient().getOfferings())).toBe(11);
  });
});
