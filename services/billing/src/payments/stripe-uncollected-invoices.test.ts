import { describe, expect, it } from 'vitest';
import { DAY } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, buy, advanceClock, listPaidAmounts, listSubscriptions, findCurrent } = stripe;
const MONTH = 31 * DAY;

const getSubscription = (customer: string) => String(listSubscriptions(customer)[0]?.id);

describe('a subscription that is ended at Stripe while an invoice is not paid', () => {
  it('[RCB-02] is not charged for the draft of its next period', async () => {
    const user = provider.newUser();
    const { customer } = await buy(user);
    const end = Date.parse((await findCurrent(user)).endsAt);
    stripe.advanceStripeClock(new Date(end + 60_000), customer);
    await stripe.client.subscriptions.cancel(getSubscription(customer));
    await advanceClock(user, MONTH);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
  });

  it('[RCB-02] is not charged again for a refused renewal', async () => {
    const user = provider.newUser();
    const { customer } = await buy(user);
    stripe.behavior.decline = 'card_declined';
    await advanceClock(user, MONTH);
    stripe.behavior.decline = undefined;
    await stripe.client.subscriptions.cancel(getSubscription(customer));
    await advanceClock(user, 2 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
  });
});
