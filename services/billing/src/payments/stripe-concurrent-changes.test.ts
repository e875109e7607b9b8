import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { DAY } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, buy, callApi, changePlan, findCurrent, findStored, holdResponse, sendEvent } = stripe;
const { listInvoices, listPaidAmounts, listReceipts, listSubscriptions } = stripe;
const { newUser, clock, time } = provider;
const { cancel, resume, deleteSubscriber } = billingApi;

/** Buys the monthly plan. Returns the user and the path of the subscription at Stripe. */
async function createSubscriber() {
  const user = newUser();
  const { customer } = await buy(user);
  return { user, customer, path: `/v1/subscriptions/${listSubscriptions(customer)[0]?.id}` };
}

describe('a change while another request changes the same subscription at Stripe', () => {
  it('[RCB-02] is refused with 409, and possible afterwards', async () => {
    const { user, customer, path } = await createSubscriber();
    // The first request reads what was changed at Stripe, the second one belongs to the change.
    const held = holdResponse(`GET ${path}`, 2);
    const choosing = changePlan(user, 'escucho_yearly');
    await held.reached;
    const refused = await callApi(cancel, user);
    expect(refused).toMatchObject({ status: 409, body: { reason: 'change_in_progress' } });
    held.release();
    expect((await choosing).body.current).toMatchObject({ nextPlan: { product: 'escucho_yearly' } });
    expect((await callApi(cancel, user)).body.current).toMatchObject({ willRenew: false });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: true }]);
  });

  it('[RCB-02] is possible five minutes after the process of the other was killed', async () => {
    const { user } = await createSubscriber();
    const { id } = await findStored(user);
    const lockedUntil = { lockedUntil: new Date(clock().getTime() + 300_000) };
    await provider.db.updateTable('subscription').set(lockedUntil).where('id', '=', id).execute();
    expect((await callApi(cancel, user)).status).toBe(409);
    time.now += 300_000;
    expect((await callApi(cancel, user)).status).toBe(200);
    expect(await findCurrent(user)).toMatchObject({ willRenew: false });
  });
});

describe('an event of Stripe’s', () => {
  it('[RCB-02] whose read is older than a later change, does not undo that change', async () => {
    const { user, customer, path } = await createSubscriber();
    await callApi(cancel, user);
    const held = holdResponse(`GET ${path}`);
    const handled = sendEvent('customer.subscription.updated', listSubscriptions(customer)[0] ?? {});
    await held.reached;
    expect((await callApi(resume, user)).status).toBe(200);
    held.release();
    expect((await handled).statusCode).toBe(200);
    expect(await findCurrent(user)).toMatchObject({ willRenew: true });
    expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: false }]);
  });

  it('[RCB-02] during a cancellation, keeps the chosen plan that Stripe has already released', async () => {
    const { user, customer } = await createSubscriber();
    await changePlan(user, 'escucho_yearly');
    const schedule = listSubscriptions(customer)[0]?.schedule;
    const held = holdResponse(`POST /v1/subscription_schedules/${schedule}/release`);
    const cancelling = callApi(cancel, user);
    await held.reached;
    const sendUpdate = () => sendEvent('customer.subscription.updated', listSubscriptions(customer)[0] ?? {});
    // Stripe sends the event again.
    expect((await sendUpdate()).statusCode).toBe(503);
    held.release();
    expect((await cancelling).status).toBe(200);
    expect((await sendUpdate()).statusCode).toBe(200);
    expect((await callApi(resume, user)).body.current).toMatchObject({
      willRenew: true,
      nextPlan: { product: 'escucho_yearly' },
    });
  });
});

describe('the draft of a renewal that another request finalizes and pays', () => {
  /** Creates a subscriber whose renewal has a draft at Stripe. Returns the function that sends the event about it. */
  async function createRenewal() {
    const { user, customer } = await createSubscriber();
    time.now += 31 * DAY * 1000 + 120_000;
    stripe.advanceStripeClock(clock(), customer);
    const draft = listInvoices(customer).find(({ status }) => status === 'draft');
    return { user, customer, sendDraft: () => sendEvent('invoice.created', draft ?? {}) };
  }

  it('[RCB-02] is recorded once, and no event fails', async () => {
    const { user, customer, sendDraft } = await createRenewal();
    const held = holdResponse('GET /v1/invoices');
    const slower = sendDraft();
    await held.reached;
    expect((await sendDraft()).statusCode).toBe(200);
    held.release();
    expect((await slower).statusCode).toBe(200);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
    expect(await listReceipts(user)).toHaveLength(2);
  });

  it('[RCB-02] is recorded where the subscriber is being deleted', async () => {
    const { user, customer, sendDraft } = await createRenewal();
    const held = holdResponse('GET /v1/invoices');
    const deletion = callApi(deleteSubscriber, user);
    await held.reached;
    expect((await sendDraft()).statusCode).toBe(200);
    held.release();
    expect((await deletion).status).toBe(200);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(listPaidAmounts(customer)).toEqual([300, 300]);
  });
});
