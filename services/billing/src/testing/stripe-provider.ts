import { addressOf, billingApi } from '@escucho/contracts';
import { beforeEach } from 'vitest';
import { keys, startProvider } from './provider.ts';
import { startStripe } from './stripe.ts';

const { findManagement, takeCard } = billingApi.subscribers;

/** The billing provider with Stripe's stand-in as its gateway. Call it at the top of a test file. */
export async function startStripeProvider() {
  const stripe = await startStripe();
  const provider = await startProvider({ stripe: stripe.options });
  const { send, post, purchaseOf, clock } = provider;
  const { conduct } = stripe;

  beforeEach(() => {
    Object.assign(conduct, { decline: undefined, processing: false, broken: 0, afterPayment: undefined });
  });

  const subscribe = async (user: string, more: object = {}) =>
    (await post('/rcbilling/v1/subscribe', purchaseOf(user, more), keys.production)).body;
  const status = async (session: string) =>
    (await send('GET', `/rcbilling/v1/checkout/${session}`, undefined, keys.production)).body.operation;
  const info = async (user: string) =>
    (await send('GET', `/v1/subscribers/${user}`, undefined, keys.production)).body.subscriber;
  const isOpen = async (user: string) =>
    Date.parse((await info(user)).entitlements.premium?.expires_date) > clock().getTime();

  /** A purchase whose card form was filled in, and that was asked for once. */
  async function buy(user: string, more: object = {}) {
    const { data, operation_session_id: session } = await subscribe(user, more);
    const setup = stripe.confirm(data.client_secret);
    await status(session);
    const customer = String(setup.customer);
    return { session, setup, customer };
  }

  const paymentsOf = (customer: string) =>
    stripe.all('payment_intent').filter((each) => each.customer === customer);

  /** Says that something happened, as Stripe does unless `changes` say otherwise. */
  async function tell(type: string, about: object, changes: { signature?: string; payload?: string } = {}) {
    const event = { ...stripe.eventOf(type, about, clock()), ...changes };
    return provider.app.inject({
      method: 'POST',
      url: '/billing/stripe/events',
      headers: { 'content-type': 'application/json', 'stripe-signature': event.signature },
      payload: event.payload,
    });
  }

  /** Asks as a server does. */
  const ask = (
    target: { method: 'GET' | 'POST' | 'DELETE'; path: `/${string}` },
    params: Record<string, string>,
  ) => send(target.method, addressOf(target, { params }), undefined, keys.secret);

  const take = (user: string, setup: string) =>
    send(takeCard.method, addressOf(takeCard, { params: { appUserId: user } }), { setup }, keys.secret);
  const current = async (user: string) => (await ask(findManagement, { appUserId: user })).body.current;

  return {
    ...{ ...stripe, provider, subscribe, status, info, isOpen, buy, paymentsOf, tell, ask, take, current },
  };
}
