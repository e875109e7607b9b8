import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { DAY } from '../testing/provider.ts';
import { stripeKeys } from '../testing/stripe.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, conduct, status, isOpen, buy, paymentsOf, tell, ask, take, current } = stripe;
const { newUser, advance, clock } = provider;
const { findReceipts, pay, beginCard } = billingApi.subscribers;

describe('a renewal that the bank wants confirmed', () => {
  /** Somebody whose bank has asked since the first renewal. */
  async function asked() {
    const user = newUser();
    const { customer } = await buy(user);
    conduct.decline = 'authentication_required';
    await advance(user, 31 * DAY);
    return { user, customer };
  }

  it('[RCB-02] is not tried again by itself, and is paid when its owner confirms it', async () => {
    const { user, customer } = await asked();
    await advance(user, 5 * DAY);
    expect(paymentsOf(customer)).toHaveLength(2);
    expect(await current(user)).toMatchObject({ needsConfirmation: true, willRenew: false });
    expect(await isOpen(user)).toBe(true);
    const intent = paymentsOf(customer).at(-1);
    const { confirmation } = (await ask(pay, { appUserId: user })).body;
    expect(confirmation).toEqual({
      ...{ clientSecret: intent?.client_secret, card: intent?.payment_method },
      ...{ publishableKey: stripeKeys.publishableKey, accountId: stripeKeys.accountId },
    });
    stripe.change(String(intent?.id), { status: 'succeeded' });
    const { body } = await ask(pay, { appUserId: user });
    expect(body).toMatchObject({
      confirmation: null,
      current: { needsConfirmation: false, willRenew: true },
    });
    expect(paymentsOf(customer)).toHaveLength(2);
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toHaveLength(2);
  });

  it('[RCB-02] is paid by Stripe’s event alone, where the page was closed too early', async () => {
    const { user, customer } = await asked();
    const paid = stripe.change(String(paymentsOf(customer).at(-1)?.id), { status: 'succeeded' });
    for (let times = 0; times < 2; times += 1) await tell('payment_intent.succeeded', paid);
    expect(await current(user)).toMatchObject({ needsConfirmation: false, willRenew: true });
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toHaveLength(2);
  });

  it('[RCB-02] is paid by another card, and the old charge comes to nothing any more', async () => {
    const { user, customer } = await asked();
    const refused = paymentsOf(customer).at(-1);
    const { setup, clientSecret } = (await ask(beginCard, { appUserId: user })).body;
    const { payment_method: card } = stripe.confirm(clientSecret);
    conduct.decline = undefined;
    expect((await take(user, setup)).body).toMatchObject({
      confirmation: null,
      current: { willRenew: true },
    });
    expect(paymentsOf(customer).map(({ status }) => status)).toEqual(['succeeded', 'canceled', 'succeeded']);
    expect(paymentsOf(customer).at(-1)?.payment_method).toBe(card);
    expect(refused?.status).toBe('requires_payment_method');
  });

  it('[RCB-02] that was confirmed in the moment another card was taken is paid once', async () => {
    const { user, customer } = await asked();
    const { setup, clientSecret } = (await ask(beginCard, { appUserId: user })).body;
    stripe.confirm(clientSecret);
    stripe.change(String(paymentsOf(customer).at(-1)?.id), { status: 'succeeded' });
    conduct.decline = undefined;
    await take(user, setup);
    expect(paymentsOf(customer)).toHaveLength(2);
    expect(await current(user)).toMatchObject({ willRenew: true });
  });

  it('[RCB-02] ends a week later where nobody confirms it', async () => {
    const { user } = await asked();
    await advance(user, 8 * DAY);
    expect(await current(user)).toBeNull();
    expect((await ask(pay, { appUserId: user })).status).toBe(404);
  });

  it('[RCB-02] gives a trial that ends with it the same week', async () => {
    const user = newUser();
    await buy(user, { offer_id: 'trial' });
    conduct.decline = 'authentication_required';
    await advance(user, 4 * DAY);
    expect(await current(user)).toMatchObject({ isTrial: true, needsConfirmation: true });
    expect(await isOpen(user)).toBe(true);
  });
});

describe('a dispute at Stripe', () => {
  /** Opens one about a purchase. Out: how Stripe is made to say how it stands. */
  async function disputed(more: object = {}) {
    const user = newUser();
    const { customer } = await buy(user);
    const [payment] = paymentsOf(customer);
    const about = { object: 'dispute', payment_intent: payment?.id, amount: 300, ...more };
    const { id } = stripe.keep({ id: `dp_${user}`, status: 'needs_response', ...about });
    const says = (type: string, status?: string) =>
      tell(`charge.dispute.${type}`, stripe.change(id, status ? { status } : {}));
    return { user, customer, says };
  }

  it('[RCB-02] shuts the door at once, and nothing is charged while it runs', async () => {
    const { user, customer, says } = await disputed();
    for (let times = 0; times < 2; times += 1) expect((await says('created')).statusCode).toBe(200);
    expect(await current(user)).toBeNull();
    expect(await isOpen(user)).toBe(false);
    await advance(user, 60 * DAY);
    expect(paymentsOf(customer)).toHaveLength(1);
  });

  it('[RCB-02] that is won opens it for as long as it was shut, and is renewed no more', async () => {
    const { user, says } = await disputed();
    await advance(user, 10 * DAY);
    await says('created');
    await advance(user, 60 * DAY);
    for (let times = 0; times < 2; times += 1) await says('closed', 'won');
    const won = await current(user);
    expect(won).toMatchObject({ willRenew: false, canResume: true });
    const days = (Date.parse(won.endsAt) - clock().getTime()) / (DAY * 1000);
    expect(Math.round(days)).toBe(20);
    await advance(user, 21 * DAY);
    expect(await current(user)).toBeNull();
  });

  it('[RCB-02] that is lost has the payment given back, and the door stays shut', async () => {
    const { user, says } = await disputed();
    await says('created');
    for (let times = 0; times < 2; times += 1) await says('closed', 'lost');
    expect(await current(user)).toBeNull();
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] whose end is told before its beginning, or alone, ends the same', async () => {
    const { user, says } = await disputed();
    await says('closed', 'lost');
    await says('created');
    await says('updated');
    expect(await current(user)).toBeNull();
    expect((await ask(findReceipts, { appUserId: user })).body.docs).toMatchObject([{ refunded: 300 }]);
  });

  it('[RCB-02] that is a mere inquiry changes nothing until it is more', async () => {
    const { user, says } = await disputed({ status: 'warning_needs_response' });
    await says('created');
    expect(await current(user)).not.toBeNull();
    await says('updated', 'needs_response');
    expect(await current(user)).toBeNull();
  });

  it('[RCB-02] leaves its owner free to buy anew', async () => {
    const { user, says } = await disputed();
    await says('created');
    const { session } = await buy(user);
    expect((await status(session)).status).toBe('succeeded');
    await says('closed', 'won');
    expect(await current(user)).toMatchObject({ willRenew: true });
  });

  it('[RCB-02] of a payment that is not written down yet is to be told again; of others’ it is not', async () => {
    for (const [metadata, expected] of [
      [{ charge: 'k' }, 500],
      [{}, 200],
    ] as const) {
      const { id } = stripe.keep({ id: `pi_${newUser()}`, object: 'payment_intent', metadata });
      const dispute = stripe.keep({ id: `dp_${id}`, status: 'lost', amount: 1, payment_intent: id });
      expect((await tell('charge.dispute.closed', dispute)).statusCode).toBe(expected);
    }
  });
});
