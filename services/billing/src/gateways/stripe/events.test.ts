import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { DAY, startProvider } from '../../testing/provider.ts';
import { startStripeProvider } from '../../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const {
  provider,
  behavior,
  subscribe,
  getStatus,
  hasAccess,
  buy,
  advanceClock,
  listPayments,
  listSubscriptions,
  sendEvent,
  callApi,
  replaceCard,
  findCurrent,
} = stripe;
const { newUser, clock, send, refund, advanceClock: advanceProviderClock } = provider;
const { findReceipts, createCardSetup, deleteSubscriber: remove } = billingApi;

describe('a refund at Stripe', () => {
  it('[RCB-02] refunds once at Stripe, ends access and charges nothing more', async () => {
    const user = newUser();
    const { session, customer } = await buy(user);
    for (let times = 0; times < 2; times += 1) {
      expect((await refund(user, session)).body.current).toBeNull();
    }
    expect(
      stripe.list('refund').filter((each) => each.payment_intent === listPayments(customer)[0]?.id),
    ).toMatchObject([{ amount: 300 }]);
    expect((await callApi(findReceipts, user)).body.docs).toMatchObject([{ refunded: 300 }]);
    expect(await hasAccess(user)).toBe(false);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
  });

  it('[RCB-02] succeeds once Stripe recovers from a server error', async () => {
    const user = newUser();
    const { session } = await buy(user);
    behavior.failingPath = '/v1/refunds';
    expect((await refund(user, session)).status).toBe(503);
    behavior.failingPath = undefined;
    expect((await refund(user, session)).status).toBe(200);
    expect((await callApi(findReceipts, user)).body.docs).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] lets the customer buy again, with another address for receipts', async () => {
    const user = newUser();
    const { session, customer } = await buy(user, { email: 'old@user.test' });
    await refund(user, session);
    expect((await buy(user, { email: 'new@user.test' })).customer).toBe(customer);
    expect(stripe.find(customer)).toMatchObject({ email: 'new@user.test' });
  });

  /** Refunds an amount in Stripe's dashboard. Returns the object of the event. */
  async function refundAtStripe(payment: string, amount: number) {
    await stripe.client.refunds.create({ payment_intent: payment, amount });
    const [event] = stripe.events.filter(({ type }) => type === 'charge.refunded').slice(-1);
    return event?.object ?? {};
  }

  it('[RCB-02] in any order: a partial refund keeps access, a full one ends it', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const payment = String(listPayments(customer)[0]?.id);
    const partial = await refundAtStripe(payment, 100);
    await sendEvent('charge.refunded', partial);
    expect(await findCurrent(user)).not.toBeNull();
    const all = await refundAtStripe(payment, 200);
    await sendEvent('charge.refunded', all);
    await sendEvent('charge.refunded', partial);
    expect(await findCurrent(user)).toBeNull();
    expect((await callApi(findReceipts, user)).body.docs).toMatchObject([{ refunded: 300 }]);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
  });

  it('[RCB-02] records an unknown payment before its refund, and ignores those of others', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    stripe.advanceStripeClock(new Date(provider.time.now + 31 * DAY * 1000), customer);
    // The renewal is due here as well and was not processed yet.
    const clockOffset = { clockOffsetSeconds: 31 * DAY };
    await provider.db.updateTable('subscriber').set(clockOffset).where('appUserId', '=', user).execute();
    const renewal = String(listPayments(customer).at(-1)?.id);
    await sendEvent('charge.refunded', await refundAtStripe(renewal, 300));
    expect((await callApi(findReceipts, user)).body.docs).toMatchObject([{ refunded: 300 }, { refunded: 0 }]);
    const unknown = { object: 'charge', payment_intent: 'pi_unknown', amount_refunded: 300 };
    expect((await sendEvent('charge.refunded', unknown)).statusCode).toBe(200);
  });

  it('[RCB-02] of a period that Stripe began early is recorded at once and ends access', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await advanceClock(user, 20 * DAY);
    const [subscription] = listSubscriptions(customer);
    await stripe.client.subscriptions.update(String(subscription?.id), {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
    // Stripe pays the draft by itself.
    await advanceClock(user, 3600);
    const payment = String(listPayments(customer).at(-1)?.id);
    const { statusCode } = await sendEvent('charge.refunded', await refundAtStripe(payment, 300));
    expect(statusCode).toBe(200);
    expect((await callApi(findReceipts, user)).body.docs).toMatchObject([{ refunded: 300 }, { refunded: 0 }]);
    expect(await hasAccess(user)).toBe(false);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
  });

  it.each([
    ['all of it', 300],
    ['some of it', 100],
  ])('[RCB-02] of a payment of which Stripe refunded %s, and sent no event', async (_name, amount) => {
    const user = newUser();
    const { session, customer } = await buy(user);
    await refundAtStripe(String(listPayments(customer)[0]?.id), amount);
    expect((await refund(user, session)).status).toBe(200);
    expect((await callApi(findReceipts, user)).body.docs).toMatchObject([{ refunded: 300 }]);
    expect(stripe.list('charge').find((each) => each.customer === customer)).toMatchObject({
      amount_refunded: 300,
    });
    expect(await hasAccess(user)).toBe(false);
  });

  it('[RCB-02] of somebody else’s payment is refused', async () => {
    const { session } = await buy(newUser());
    expect((await refund(newUser(), session)).status).toBe(404);
  });
});

describe('events', () => {
  it.each([
    [
      'signed with another secret',
      () => stripe.createEvent('setup_intent.succeeded', {}, clock(), 'whsec_other'),
    ],
    [
      'signed long ago',
      () => stripe.createEvent('setup_intent.succeeded', {}, new Date(clock().getTime() - 400_000)),
    ],
    ['unsigned', () => ({ signature: '' })],
    ['changed', () => ({ payload: '{"type":"setup_intent.succeeded"}' })],
    ['truncated', () => ({ payload: stripe.createEvent('x', {}, clock()).payload.slice(0, 20) })],
  ])('[RCB-02] that are %s are refused', async (_name, changes) => {
    const answer = await sendEvent('setup_intent.succeeded', {}, changes());
    expect([answer.statusCode, answer.json().code]).toEqual([400, 7226]);
  });

  it('[RCB-02] are refused with 503 while Stripe cannot be reached, and accepted after', async () => {
    const user = newUser();
    const setup = stripe.completeSetup((await subscribe(user)).data.client_secret);
    behavior.serverErrors = 2;
    const refused = await sendEvent('setup_intent.succeeded', setup);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect((await sendEvent('setup_intent.succeeded', setup)).statusCode).toBe(200);
    expect(await hasAccess(user)).toBe(true);
  });

  it('[RCB-02] about payments of another installation are ignored', async () => {
    const { customer } = await buy(newUser());
    const payment = String(listPayments(customer)[0]?.id);
    const disputed = stripe.dispute(payment, 'needs_response');
    const other = await startProvider({ stripe: stripe.options, time: provider.time });
    const charge = { object: 'charge', payment_intent: payment, amount_refunded: 100 };
    for (const [type, about] of [
      ['charge.refunded', charge],
      ['charge.dispute.created', disputed],
    ] as const) {
      const { payload, signature } = stripe.createEvent(type, about, clock());
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const url = '/billing/stripe/events';
      const response = await other.app.inject({ method: 'POST', url, headers, payload });
      expect([type, response.statusCode]).toEqual([type, 200]);
    }
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'active' }]);
  });

  it('about other objects are accepted and ignored', async () => {
    for (const [type, about] of [
      ['invoice.paid', { id: 'in_1', parent: null }],
      ['customer.subscription.updated', { id: 'sub_of_another_system', metadata: {} }],
      ['payment_intent.succeeded', { id: 'pi_1', metadata: {} }],
    ] as const) {
      expect((await sendEvent(type, about)).statusCode).toBe(200);
    }
  });
});

describe('a subscriber’s card', () => {
  it('[SUB-07] is replaced by a form of Stripe’s and charged from then on', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const { setup, clientSecret } = (await callApi(createCardSetup, user)).body;
    expect((await replaceCard(user, setup)).status).toBe(409);
    expect((await replaceCard(user, 'seti_invented')).status).toBe(409);
    expect((await replaceCard(user, 'seti_\ud800')).status).toBe(400);
    const { payment_method: card } = stripe.completeSetup(clientSecret);
    expect((await replaceCard(user, setup)).body.confirmation).toBeNull();
    await advanceClock(user, 31 * DAY);
    expect(listPayments(customer).at(-1)).toMatchObject({ payment_method: card, status: 'succeeded' });
  });

  it('[SUB-07] of another customer’s form is refused', async () => {
    const [user, other] = [newUser(), newUser()];
    await buy(user);
    await buy(other);
    const { setup, clientSecret } = (await callApi(createCardSetup, other)).body;
    stripe.completeSetup(clientSecret);
    expect((await replaceCard(user, setup)).status).toBe(409);
  });

  it('[SHELL-03] is deleted with the subscriber, even where Stripe had deleted it', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    behavior.serverErrors = 2;
    expect((await callApi(remove, user)).status).toBe(503);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'active' }]);
    expect((await callApi(remove, user)).status).toBe(200);
    expect(listSubscriptions(customer)).toMatchObject([{ status: 'canceled' }]);
    expect(stripe.list('customer').map(({ id }) => id)).not.toContain(customer);
  });
});

describe('a customer who was deleted in Stripe’s dashboard', () => {
  it('[RCB-02] before the first payment, fails the purchase', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    await stripe.client.customers.del(String(stripe.completeSetup(data.client_secret).customer));
    expect((await getStatus(session)).status).toBe('failed');
    expect((await callApi(remove, user)).status).toBe(200);
  });

  it('[RCB-02] is created again by the next purchase, and not for another card', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    await stripe.client.customers.del(customer);
    const before = stripe.list('customer').length;
    expect((await callApi(createCardSetup, user)).status).toBe(404);
    expect(stripe.list('customer')).toHaveLength(before);
    await advanceProviderClock(user, 60 * DAY);
    expect(await findCurrent(user)).toBeNull();
    const { session, customer: other } = await buy(user);
    expect((await getStatus(session)).status).toBe('succeeded');
    expect(listSubscriptions(other)).toMatchObject([{ status: 'active' }]);
  });
});

describe('a user without a completed purchase', () => {
  it('[SHELL-03] is deleted at Stripe too, for every purchase that was started', async () => {
    const user = newUser();
    const begun = [await subscribe(user), await subscribe(user, { product_id: 'escucho_yearly' })];
    const customers = begun.map(({ data }) => String(stripe.completeSetup(data.client_secret).customer));
    expect((await callApi(remove, user)).status).toBe(200);
    expect(customers.map((id) => stripe.find(id))).toEqual([undefined, undefined]);
  });
});

describe('an account deleted while a purchase starts', () => {
  it('[SHELL-03] is deleted here and at Stripe, in either order', async () => {
    const users = Array.from({ length: 6 }, newUser);
    const before = stripe.list('customer').length;
    await Promise.all(users.map((user) => send('GET', `/v1/subscribers/${user}`)));
    await Promise.all(users.flatMap((user): Promise<unknown>[] => [subscribe(user), callApi(remove, user)]));
    for (const user of users) await callApi(remove, user);
    expect(stripe.list('customer')).toHaveLength(before);
    const left = provider.db.selectFrom('subscriber').select('email').where('deletedAt', 'is not', null);
    expect((await left.execute()).filter(({ email }) => email !== null)).toEqual([]);
  });
});
