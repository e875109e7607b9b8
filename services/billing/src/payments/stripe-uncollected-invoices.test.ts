import { describe, expect, it } from 'vitest';
import { DAY } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, buy, hasAccess, advanceClock, listPaidAmounts, listSubscriptions, listInvoices } = stripe;
const { sendAllEvents, listReceipts, findCurrent } = stripe;
const MONTH = 31 * DAY;

const getSubscription = (customer: string) => String(listSubscriptions(customer)[0]?.id);

/** Buys a subscription whose first renewal is refused. */
async function buyWithRefusedRenewal() {
  const user = provider.newUser();
  const { customer } = await buy(user);
  stripe.behavior.decline = 'card_declined';
  await advanceClock(user, MONTH);
  stripe.behavior.decline = undefined;
  return { user, customer };
}

describe('a subscription whose payment collection is paused at Stripe', () => {
  it.each([
    ['keep_as_draft', 'draft'],
    ['mark_uncollectible', 'uncollectible'],
    ['void', 'void'],
  ] as const)('[RCB-02] is active and not charged until it resumes: %s', async (behavior, status) => {
    const user = provider.newUser();
    const { customer } = await buy(user);
    const id = getSubscription(customer);
    await stripe.client.subscriptions.update(id, { pause_collection: { behavior } });
    await advanceClock(user, 2 * MONTH, 10 * DAY);
    await sendAllEvents(customer, 'invoice.');
    expect(await hasAccess(user)).toBe(true);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true, billingIssueAt: null });
    expect(listInvoices(customer).map((each) => each.status)).toEqual(['paid', status, status]);
    await stripe.client.subscriptions.update(id, { pause_collection: '' });
    await advanceClock(user, MONTH, 10 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] owes what was refused before', async () => {
    const { user, customer } = await buyWithRefusedRenewal();
    await stripe.client.subscriptions.update(getSubscription(customer), {
      pause_collection: { behavior: 'void' },
    });
    await advanceClock(user, 2 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
  });
});

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
    const { user, customer } = await buyWithRefusedRenewal();
    await stripe.client.subscriptions.cancel(getSubscription(customer));
    await advanceClock(user, 2 * DAY);
    expect(listPaidAmounts(customer)).toEqual([300]);
    expect(await findCurrent(user)).toBeNull();
  });
});
