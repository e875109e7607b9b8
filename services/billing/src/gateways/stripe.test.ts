import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { DAY, keys, startProvider } from '../testing/provider.ts';
import { stripeKeys } from '../testing/stripe.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, conduct, subscribe, status, info, isOpen, buy, paymentsOf, tell, ask, take, current } =
  stripe;
const { newUser, purchaseOf, advance, clock, connection, post } = provider;
const { findReceipts, beginCard, refund, remove } = billingApi.subscribers;

describe('a purchase by Stripe', () => {
  it('[RCB-02] sets a card up and charges it off session, once, in minor units', async () => {
    const user = newUser();
    const started = await subscribe(user);
    expect(started.data).toMatchObject({
      client_secret: expect.stringMatching(/^seti_\w+_secret$/),
      publishable_api_key: stripeKeys.publishableKey,
      stripe_account_id: stripeKeys.accountId,
    });
    expect((await status(started.operation_session_id)).status).toBe('started');
    const setup = stripe.confirm(started.data.client_secret);
    expect((await status(started.operation_session_id)).status).toBe('succeeded');
    expect(paymentsOf(String(setup.customer))).toMatchObject([
      {
        ...{ amount: 300, currency: 'usd', off_session: 'true', confirm: 'true', status: 'succeeded' },
        ...{ payment_method: setup.payment_method, metadata: { charge: started.operation_session_id } },
      },
    ]);
    expect((await info(user)).subscriptions.escucho_monthly.is_sandbox).toBe(false);
  });

  it('[RCB-02] is finished by Stripe’s event alone, and by the same event again not anew', async () => {
    const user = newUser();
    const { data } = await subscribe(user);
    const setup = stripe.confirm(data.client_secret);
    for (let times = 0; times < 3; times += 1) {
      expect((await tell('setup_intent.succeeded', setup)).statusCode).toBe(200);
    }
    expect(await isOpen(user)).toBe(true);
    expect(paymentsOf(String(setup.customer))).toHaveLength(1);
  });

  it('[RCB-02] with a trial charges nothing until it ends', async () => {
    const user = newUser();
    const { customer } = await buy(user, { offer_id: 'trial' });
    expect(paymentsOf(customer)).toEqual([]);
    await advance(user, 3 * DAY);
    expect(paymentsOf(customer)).toMatchObject([{ amount: 300, status: 'succeeded' }]);
  });

  it('[RCB-02] that is declined fails, and opens nothing', async () => {
    const user = newUser();
    conduct.decline = 'insufficient_funds';
    const { session } = await buy(user);
    expect(await status(session)).toMatchObject({ status: 'failed', error: { code: 3 } });
    expect(await isOpen(user)).toBe(false);
  });

  it('[RCB-02] whose charge takes its time is done when Stripe says so', async () => {
    const user = newUser();
    conduct.processing = true;
    const { session, customer } = await buy(user);
    expect((await status(session)).status).toBe('in_progress');
    const [payment] = paymentsOf(customer);
    provider.time.now += 6000;
    const paid = stripe.change(String(payment?.id), { status: 'succeeded' });
    await tell('payment_intent.succeeded', paid);
    expect((await status(session)).status).toBe('succeeded');
    expect(paymentsOf(customer)).toHaveLength(1);
  });

  it('[RCB-02] goes on where Stripe failed in between, and is paid once', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    const setup = stripe.confirm(data.client_secret);
    conduct.broken = 2;
    expect((await status(session)).status).toBe('started');
    conduct.broken = 0;
    expect((await status(session)).status).toBe('succeeded');
    expect(paymentsOf(String(setup.customer))).toHaveLength(1);
  });

  it('[RCB-02] is refused in the protocol’s words where Stripe cannot be asked', async () => {
    conduct.broken = 2;
    const answer = await post('/rcbilling/v1/subscribe', purchaseOf(newUser()), keys.production);
    expect(answer).toMatchObject({ status: 422, body: { code: 7101 } });
  });

  it('[RCB-02] survives a process that is killed between payment and answer: charged once, active after', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    const setup = stripe.confirm(data.client_secret);
    const {
      app: _,
      db: __,
      ...options
    } = {
      ...{ app: undefined, db: undefined, connection, keys, sandbox: false, stripe: stripe.options },
      managementUrl: 'https://escucho.test',
    };
    const script = fileURLToPath(new URL('../testing/provider-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)]);
    const [line] = await once(child.stdout, 'data');
    const killed = once(child, 'exit');
    conduct.afterPayment = () => child.kill('SIGKILL');
    const address = `${String(line).trim()}/billing/rcbilling/v1/checkout/${session}`;
    await expect(
      fetch(address, { headers: { authorization: `Bearer ${keys.production}` } }),
    ).rejects.toThrow();
    await killed;
    conduct.afterPayment = undefined;
    expect(paymentsOf(String(setup.customer))).toHaveLength(1);
    // The dead process's hold on it runs out by the clock.
    provider.time.now = Math.max(provider.time.now, Date.now()) + 10_000;
    expect((await status(session)).status).toBe('succeeded');
    expect(await isOpen(user)).toBe(true);
    expect(paymentsOf(String(setup.customer))).toHaveLength(1);
  });
});

describe('renewals by Stripe', () => {
  it('[RCB-02] that are paid after all, when they had been given up, give a period', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    conduct.decline = 'card_declined';
    await advance(user, 40 * DAY);
    const declined = paymentsOf(customer).find((payment) => payment.status !== 'succeeded');
    const late = stripe.change(String(declined?.id), { status: 'succeeded' });
    for (let times = 0; times < 2; times += 1) await tell('payment_intent.succeeded', late);
    expect(await current(user)).toMatchObject({ willRenew: true });
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toHaveLength(2);
  });
});

describe('giving back by Stripe', () => {
  it('[RCB-02] is asked of Stripe once, and shuts the door', async () => {
    const user = newUser();
    const { session } = await buy(user);
    for (let times = 0; times < 2; times += 1) {
      expect((await ask(refund, { appUserId: user, receipt: session })).body.current).toBeNull();
    }
    expect(stripe.all('refund').filter(({ amount }) => amount === '300')).toHaveLength(1);
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toMatchObject([{ refunded: 300 }]);
    expect(await isOpen(user)).toBe(false);
  });

  it('[RCB-02] is heard of: part of it leaves the door open, all of it does not, in whatever order', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const [payment] = paymentsOf(customer);
    const charge = { object: 'charge', payment_intent: payment?.id, metadata: payment?.metadata };
    await tell('charge.refunded', { ...charge, amount_refunded: 100 });
    expect(await current(user)).not.toBeNull();
    await tell('charge.refunded', { ...charge, amount_refunded: 300 });
    await tell('charge.refunded', { ...charge, amount_refunded: 100 });
    expect(await current(user)).toBeNull();
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] of a payment that is not written down yet is to be told again; of others’ it is not', async () => {
    const charge = { object: 'charge', payment_intent: 'pi_unknown', amount_refunded: 300 };
    expect((await tell('charge.refunded', { ...charge, metadata: { charge: 'k' } })).statusCode).toBe(500);
    expect((await tell('charge.refunded', { ...charge, metadata: {} })).statusCode).toBe(200);
  });

  it('[RCB-02] of somebody else’s payment is refused', async () => {
    const { session } = await buy(newUser());
    expect((await ask(refund, { appUserId: newUser(), receipt: session })).status).toBe(404);
  });
});

describe('events', () => {
  it.each([
    [
      'signed with another secret',
      () => stripe.eventOf('setup_intent.succeeded', {}, clock(), 'whsec_other'),
    ],
    [
      'signed long ago',
      () => stripe.eventOf('setup_intent.succeeded', {}, new Date(clock().getTime() - 400_000)),
    ],
    ['unsigned', () => ({ signature: '' })],
    ['changed', () => ({ payload: '{"type":"setup_intent.succeeded"}' })],
    ['cut', () => ({ payload: stripe.eventOf('x', {}, clock()).payload.slice(0, 20) })],
  ])('[RCB-02] that are %s are refused', async (_name, changes) => {
    const answer = await tell('setup_intent.succeeded', {}, changes());
    expect([answer.statusCode, answer.json().code]).toEqual([400, 7226]);
  });

  it('that are about something else are heard and passed over', async () => {
    expect((await tell('invoice.paid', { id: 'in_1' })).statusCode).toBe(200);
    expect((await tell('payment_intent.succeeded', { id: 'pi_1', metadata: {} })).statusCode).toBe(200);
  });
});

describe('a subscriber’s card', () => {
  it('[SUB-07] is changed by a form of Stripe’s, and charged from then on', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const { setup, clientSecret } = (await ask(beginCard, { appUserId: user })).body;
    expect((await take(user, setup)).status).toBe(409);
    const { payment_method: card } = stripe.confirm(clientSecret);
    expect((await take(user, setup)).body.confirmation).toBeNull();
    await advance(user, 31 * DAY);
    expect(paymentsOf(customer).at(-1)).toMatchObject({ payment_method: card, status: 'succeeded' });
  });

  it('[SUB-07] of somebody else’s form is not taken', async () => {
    const [user, other] = [newUser(), newUser()];
    await buy(user);
    await buy(other);
    const { setup, clientSecret } = (await ask(beginCard, { appUserId: other })).body;
    stripe.confirm(clientSecret);
    expect((await take(user, setup)).status).toBe(409);
  });

  it('[SHELL-03] is forgotten with the subscriber, even where Stripe had forgotten it', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    conduct.broken = 2;
    expect((await ask(remove, { appUserId: user })).status).toBe(500);
    expect((await ask(remove, { appUserId: user })).status).toBe(200);
    expect(stripe.all('customer').map(({ id }) => id)).not.toContain(customer);
  });
});

describe('prices', () => {
  it('[RCB-02] are looked up at Stripe by their keys; those it lacks are the file’s', async () => {
    stripe.keep({ id: 'price_1', object: 'price', lookup_key: 'year', unit_amount: 3100, currency: 'eur' });
    const product = { title: 'x', description: null, period: 'P1Y', trial: null };
    const price = { amount: 100, currency: 'USD' };
    const { get } = await startProvider({
      stripe: stripe.options,
      catalogue: {
        entitlement: 'premium',
        seller: { id: 's', name: null, supportEmail: null, icon: null },
        products: [
          { identifier: 'one', lookupKey: 'year', price, ...product },
          { identifier: 'two', lookupKey: 'nothing', price, ...product },
        ],
        offerings: [],
        currentOffering: null,
      },
    });
    const { body } = await get(`/rcbilling/v1/subscribers/${newUser()}/products?id=one&id=two`);
    const found = body.product_details.map((each: { current_price: object }) => each.current_price);
    expect(found).toEqual([{ amount: 3100, currency: 'EUR' }, price]);
  });
});
