import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../testing/provider.ts';
import { startStripeProvider } from '../../testing/stripe-provider.ts';

const stripe = await startStripeProvider({ secretKey: 'sk_test_of_the_tests' });
const { provider, behavior, buy, advanceClock, callApi, changePlan, findCurrent, hasAccess } = stripe;
const { newUser, advanceClock: advanceProviderClock } = provider;
const { cancel, resume, pay, deleteSubscriber } = billingApi;
const MONTH = 31 * DAY;

/** Creates a user whose data were deleted in Stripe's dashboard after the purchase and what `before` does. */
async function createDeleted(before?: (user: string) => Promise<unknown>) {
  const user = newUser();
  const { customer, session } = await buy(user);
  await before?.(user);
  stripe.removeCustomers(new Set([customer]));
  return { user, session };
}

/** Returns the events of a user's first subscription after its purchase. */
async function listEvents(user: string) {
  const { id } = await stripe.findStored(user);
  const rows = await provider.db
    .selectFrom('subscription_event')
    .select('kind')
    .where('subscriptionId', '=', id)
    .orderBy('sequence')
    .offset(2)
    .execute();
  return rows.map(({ kind }) => kind);
}

describe('a subscription whose test data were deleted at Stripe', () => {
  it('[RCB-02] ends with its paid period and can be bought again', async () => {
    const { user } = await createDeleted();
    await advanceProviderClock(user, MONTH);
    await advanceProviderClock(user, DAY);
    expect(await findCurrent(user)).toBeNull();
    expect(await listEvents(user)).toEqual(['charge_begun', 'charge_dropped', 'cancelled', 'expired']);
    await buy(user);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
  });

  it('[RCB-02] is cancelled once, and gives access until its paid period ends', async () => {
    const { user } = await createDeleted();
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await callApi(cancel, user);
      expect([status, body.current]).toMatchObject([200, { willRenew: false }]);
    }
    expect(await listEvents(user)).toEqual(['cancelled']);
    expect(await hasAccess(user)).toBe(true);
  });

  it.each([
    ['another plan', 'plan_change_refused', (user: string) => changePlan(user, 'escucho_yearly')],
    [
      'a withdrawn cancellation',
      'ended_at_gateway',
      async (user: string) => {
        await callApi(cancel, user);
        return callApi(resume, user);
      },
    ],
  ])('[RCB-02] refuses %s with 409 %s', async (_name, reason, change) => {
    const { user } = await createDeleted();
    expect(await change(user)).toMatchObject({ status: 409, body: { reason } });
    expect(await findCurrent(user)).toMatchObject({ willRenew: false });
  });

  it('[RCB-02] ends when its owner pays an unpaid renewal', async () => {
    const { user } = await createDeleted(async (user) => {
      behavior.decline = 'card_declined';
      await advanceClock(user, MONTH);
      behavior.decline = undefined;
    });
    expect(await callApi(pay, user)).toMatchObject({ status: 200, body: { current: null } });
  });

  it('[RCB-02] has no payment that could be refunded', async () => {
    const { user, session } = await createDeleted();
    expect(await provider.refund(user, session)).toMatchObject({
      status: 404,
      body: { reason: 'payment_not_found' },
    });
  });

  it('[SHELL-03] does not prevent the deletion of its subscriber', async () => {
    const { user } = await createDeleted();
    expect((await callApi(deleteSubscriber, user)).status).toBe(200);
  });
});

describe('a subscription that is missing at Stripe in live mode, with the keys of another account', () => {
  it('[RCB-02] is not ended, because another account charges it', async () => {
    const live = await startStripeProvider();
    const user = live.provider.newUser();
    const { customer } = await live.buy(user);
    live.removeCustomers(new Set([customer]));
    for (const endpoint of [cancel, deleteSubscriber])
      expect((await live.callApi(endpoint, user)).status).toBe(503);
    await live.provider.advanceClock(user, MONTH);
    expect(await live.findCurrent(user)).toMatchObject({ willRenew: true });
  });
});
