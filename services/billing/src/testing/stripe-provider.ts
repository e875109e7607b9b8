import { billingApi, buildPath } from '@escucho/contracts';
import { beforeEach } from 'vitest';
import { keys, startProvider } from './provider.ts';
import { startStripe } from './stripe/simulator.ts';

const { findManagement, replaceCard: replaceCard } = billingApi.subscribers;

/** The billing provider with Stripe's stand-in as its gateway. Call it at the top of a test file. */
export async function startStripeProvider() {
  const time = { now: Date.parse('2026-11-20T10:00:00Z') };
  const stripe = await startStripe({ clock: () => new Date(time.now) });
  const provider = await startProvider({ stripe: stripe.options, time });
  const { send, post, purchaseOf, clock } = provider;
  const { conduct } = stripe;

  beforeEach(() => {
    const usual = { decline: undefined, processing: false, broken: 0, afterPayment: undefined };
    Object.assign(conduct, { ...usual, undecided: undefined });
  });

  const subscribe = async (user: string, more: object = {}) =>
    (await post('/rcbilling/v1/subscribe', purchaseOf(user, more), keys.production)).body;
  const status = async (session: string) =>
    (await send('GET', `/rcbilling/v1/checkout/${session}`, undefined, keys.production)).body.operation;
  const info = async (user: string) =>
    (await send('GET', `/v1/subscribers/${user}`, undefined, keys.production)).body.subscriber;
  const isOpen = async (user: string) =>
    Date.parse((await info(user)).entitlements.premium?.expires_date) > clock().getTime();

  /** Readers' customers at Stripe, and how many seconds their time is clockOffset. */
  const known = new Map<string, { customer: string; clockOffset: number }>();

  /** From now on the reader's time passes at Stripe as well. */
  const knows = (user: string, customer: string) =>
    known.set(user, { customer, clockOffset: known.get(user)?.clockOffset ?? 0 });
  /** What time it is for a reader. */
  const nowOf = (user: string) => new Date(time.now + (known.get(user)?.clockOffset ?? 0) * 1000);

  /** A purchase whose card form was filled in, and that was callStripe for once. */
  async function buy(user: string, more: object = {}) {
    const { data, operation_session_id: session } = await subscribe(user, more);
    const setup = stripe.confirm(data.client_secret);
    await status(session);
    const customer = String(setup.customer);
    knows(user, customer);
    return { session, setup, customer };
  }

  /** Moves a reader's time here; it may have been stopped on the way before, by a gateway that did not answer. */
  async function catchUp(user: string, clockOffset: number) {
    const { clock_ahead: so } = await provider.db
      .selectFrom('subscriber')
      .select('clock_ahead')
      .where('app_user_id', '=', user)
      .executeTakeFirstOrThrow();
    if (clockOffset > Number(so)) await provider.advance(user, clockOffset - Number(so));
  }

  /** Lets time pass for a reader, at Stripe and here, so many seconds at a time. Stripe tells nothing of it. */
  async function pass(user: string, seconds: number, step = seconds) {
    const reader = known.get(user);
    if (!reader) throw new Error('Nobody who paidPeriod something');
    for (let left = seconds; left > 0; left -= step) {
      const passed = Math.min(step, left);
      reader.clockOffset += passed;
      stripe.pass(nowOf(user), reader.customer);
      await catchUp(user, reader.clockOffset);
    }
  }

  const ofCustomer = (kind: string) => (customer: string) =>
    stripe.all(kind).filter((each) => each.customer === customer);
  const paymentsOf = ofCustomer('payment_intent');
  const subscriptionsOf = ofCustomer('subscription');
  const invoicesOf = ofCustomer('invoice');
  /** The amounts that were taken, in their order. */
  const paidOf = (customer: string) =>
    paymentsOf(customer).flatMap(({ status, amount }) => (status === 'succeeded' ? [Number(amount)] : []));

  /** Everything that Stripe told so far of a customer is told, or what is of some kind. */
  async function tellAll(customer: string, ofKind = '') {
    for (const { type, object } of stripe.events.filter((each) => each.customer === customer)) {
      if (type.startsWith(ofKind)) await tell(type, object);
    }
  }

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
  ) => send(target.method, buildPath(target, { params }), undefined, keys.secret);

  const take = (user: string, setup: string) =>
    send(replaceCard.method, buildPath(replaceCard, { params: { appUserId: user } }), { setup }, keys.secret);
  const current = async (user: string) => (await ask(findManagement, { appUserId: user })).body.current;

  return {
    ...{ ...stripe, passAtStripe: stripe.pass, provider, subscribe, status, info, isOpen, buy },
    ...{ knows, nowOf, pass, paymentsOf, paidOf, subscriptionsOf, invoicesOf, tell, tellAll },
    ...{ ask, take, current },
  };
}
