import { billingApi } from '@escucho/contracts';
import { beforeEach } from 'vitest';
import { isTestKey } from '../index.ts';
import { keys, startProvider } from './provider.ts';
import { startStripeSimulator, stripeKeys } from './stripe/simulator.ts';

/**
 * Starts the billing provider with the Stripe simulator as its gateway. Call it at the top of a test file. `secretKey`
 * decides between live and test mode.
 */
export async function startStripeProvider({ secretKey = stripeKeys.secretKey } = {}) {
  const time = { now: Date.parse('2026-11-20T10:00:00Z') };
  const stripe = await startStripeSimulator({ clock: () => new Date(time.now), secretKey });
  const key = isTestKey(secretKey) ? keys.sandbox : keys.production;
  const provider = await startProvider({ stripe: stripe.options, time });
  const { send, requestPurchase, clock, callApi, findCurrent, listReceipts } = provider;
  const { behavior } = stripe;

  beforeEach(() => {
    Object.assign(behavior, {
      decline: undefined,
      processing: false,
      serverErrors: 0,
      afterPayment: undefined,
      beforeResponse: undefined,
      failingPath: undefined,
    });
  });

  const subscribe = async (user: string, fields: object = {}) =>
    (await requestPurchase(user, fields, key)).body;
  const getStatus = async (session: string) =>
    (await send('GET', `/rcbilling/v1/checkout/${session}`, undefined, key)).body.operation;
  const getInfo = async (user: string) =>
    (await send('GET', `/v1/subscribers/${user}`, undefined, key)).body.subscriber;
  const hasAccess = async (user: string) =>
    Date.parse((await getInfo(user)).entitlements.premium?.expires_date) > clock().getTime();

  /** Holds the response of a request (`METHOD path`): of the `nth` one from now on, once it was carried out. */
  function holdResponse(held: string, nth = 1) {
    let [release, left] = [() => {}, nth];
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      behavior.beforeResponse = (request) => {
        if (request !== held) return;
        left -= 1;
        if (left > 0) return;
        behavior.beforeResponse = undefined;
        resolve();
        return released;
      };
    });
    return { reached, release };
  }

  /** The customers of users at Stripe, and how many seconds their clocks are ahead. */
  const customers = new Map<string, { customer: string; clockOffset: number }>();

  /** Advances the customer's time at Stripe together with the user's from now on. */
  const trackCustomer = (user: string, customer: string) =>
    customers.set(user, { customer, clockOffset: customers.get(user)?.clockOffset ?? 0 });
  const getUserTime = (user: string) => new Date(time.now + (customers.get(user)?.clockOffset ?? 0) * 1000);

  /** Makes a purchase: completes the card form and polls the status once. */
  async function buy(user: string, fields: object = {}) {
    const { data, operation_session_id: session } = await subscribe(user, fields);
    const setup = stripe.completeSetup(data.client_secret);
    await getStatus(session);
    const customer = String(setup.customer);
    trackCustomer(user, customer);
    return { session, setup, customer };
  }

  /** Advances the user's clock to `target`; an earlier call may have stopped halfway because the gateway failed. */
  async function advanceProviderClock(user: string, target: number) {
    const { clockOffsetSeconds: offset } = await provider.db
      .selectFrom('subscriber')
      .select('clockOffsetSeconds')
      .where('appUserId', '=', user)
      .executeTakeFirstOrThrow();
    if (target > Number(offset)) await provider.advanceClock(user, target - Number(offset));
  }

  /** Advances a user's time at Stripe and here, `step` seconds at a time. Stripe sends no events. */
  async function advanceClock(user: string, seconds: number, step = seconds) {
    const tracked = customers.get(user);
    if (!tracked) throw new Error('This user has not bought anything');
    for (let left = seconds; left > 0; left -= step) {
      tracked.clockOffset += Math.min(step, left);
      stripe.advanceClock(getUserTime(user), tracked.customer);
      await advanceProviderClock(user, tracked.clockOffset);
    }
  }

  const listByCustomer = (type: string) => (customer: string) =>
    stripe.list(type).filter((each) => each.customer === customer);
  const listPayments = listByCustomer('payment_intent');
  const listPaidAmounts = (customer: string) =>
    listPayments(customer).flatMap(({ status, amount }) => (status === 'succeeded' ? [Number(amount)] : []));

  /** Sends a webhook event; `changes` replace its signature or body. */
  async function sendEvent(
    type: string,
    object: object,
    changes: { signature?: string; payload?: string } = {},
  ) {
    const event = { ...stripe.createEvent(type, object, clock()), ...changes };
    return provider.app.inject({
      method: 'POST',
      url: '/billing/stripe/events',
      headers: { 'content-type': 'application/json', 'stripe-signature': event.signature },
      payload: event.payload,
    });
  }

  /** Sends every event about a customer so far whose type begins with `prefix`. Returns the responses. */
  async function sendAllEvents(customer: string, prefix = '') {
    const responses = [];
    for (const { type, object } of stripe.events.filter((each) => each.customer === customer)) {
      if (type.startsWith(prefix)) responses.push(await sendEvent(type, object));
    }
    return responses;
  }

  const replaceCard = (user: string, setup: string) => callApi(billingApi.replaceCard, user, { setup });
  const changePlan = (user: string, product: string) => callApi(billingApi.choosePlan, user, { product });

  /** Returns the id of a user's subscription and when it expires, in Unix seconds. */
  async function findStored(user: string) {
    const { id, state } = await provider.db
      .selectFrom('subscription')
      .innerJoin('subscriber', 'subscriber.id', 'subscription.subscriberId')
      .select(['subscription.id', 'state'])
      .where('appUserId', '=', user)
      .executeTakeFirstOrThrow();
    return { id, expires: Date.parse(JSON.parse(JSON.stringify(state)).expiresAt) / 1000 };
  }

  return {
    ...stripe,
    holdResponse,
    advanceStripeClock: stripe.advanceClock,
    provider,
    subscribe,
    getStatus,
    getInfo,
    hasAccess,
    buy,
    trackCustomer,
    getUserTime,
    advanceClock,
    listPayments,
    listPaidAmounts,
    listSubscriptions: listByCustomer('subscription'),
    listInvoices: listByCustomer('invoice'),
    sendEvent,
    sendAllEvents,
    callApi,
    replaceCard,
    changePlan,
    findCurrent,
    listReceipts,
    findStored,
  };
}
