import { billingApi } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { jobQueue } from '../jobs.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, buy, callApi, findCurrent, listSubscriptions, sendAllEvents } = stripe;
const { newUser, db, time } = provider;
const { cancel, resume } = billingApi;
const CHANGE_LOCK_MS = 300_000;

/** Refuses writes for which a condition is true, such as `insert on subscription_event`, until the test ends. */
async function refuse(name: string, write: string, condition: string): Promise<void> {
  await sql`
    create or replace function billing.refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused'; end $$`.execute(db);
  await sql`
    create trigger ${sql.id(name)} before ${sql.raw(write)}
    for each row when (${sql.raw(condition)}) execute function billing.refuse()`.execute(db);
}
const refuseCancellation = () =>
  refuse('refuse_cancellation', 'insert on billing.subscription_event', `new.kind = 'cancelled'`);
const refuseUnlock = () =>
  refuse('refuse_unlock', 'update on billing.subscription', 'new.locked_until is null');
const allowWrites = () => sql`drop function if exists billing.refuse() cascade`.execute(db);
afterEach(() => allowWrites());

/** Waits for the jobs that are due when the lock of a change expires. */
async function expireLock(): Promise<void> {
  time.now += CHANGE_LOCK_MS;
  await settleJobs(db, jobQueue, { advanceMs: CHANGE_LOCK_MS });
}

/** Buys, and cancels while writes are refused. Returns the user, whose subscription is cancelled at Stripe only. */
async function cancelHalfway(...refusals: (() => Promise<void>)[]) {
  const user = newUser();
  const { customer } = await buy(user);
  for (const refuseWrites of refusals) await refuseWrites();
  expect((await callApi(cancel, user)).status).toBe(500);
  await allowWrites();
  expect(listSubscriptions(customer)).toMatchObject([{ cancel_at_period_end: true }]);
  expect(await findCurrent(user)).toMatchObject({ willRenew: true });
  return { user, customer };
}

it('[RCB-02] a cancellation that was not recorded is recorded without an event of Stripe’s', async () => {
  const { user } = await cancelHalfway(refuseCancellation);
  await expireLock();
  expect(await findCurrent(user)).toMatchObject({ willRenew: false, canResume: true });
  expect((await callApi(resume, user)).body.current).toMatchObject({ willRenew: true });
});

it('[RCB-02] a cancellation whose process was killed is recorded once its lock has expired', async () => {
  const { user, customer } = await cancelHalfway(refuseCancellation, refuseUnlock);
  const [response] = await sendAllEvents(customer, 'customer.subscription.updated');
  expect(response?.statusCode).toBe(503);
  await expireLock();
  expect(await findCurrent(user)).toMatchObject({ willRenew: false, canResume: true });
});

it('[RCB-02] a cancellation that was not recorded is recorded once, by an event of Stripe’s', async () => {
  const { user, customer } = await cancelHalfway(refuseCancellation);
  await sendAllEvents(customer, 'customer.subscription.updated');
  expect(await findCurrent(user)).toMatchObject({ willRenew: false, canResume: true });
  await expireLock();
  const { id } = await stripe.findStored(user);
  const events = db.selectFrom('subscription_event').select('kind').where('subscriptionId', '=', id);
  expect((await events.where('kind', '=', 'cancelled').execute()).length).toBe(1);
});

it('[RCB-02] a retry completes a cancellation of which Stripe failed the second request', async () => {
  const user = newUser();
  const { customer } = await buy(user);
  await stripe.changePlan(user, 'escucho_yearly');
  stripe.behavior.failingPath = '/v1/subscriptions/:id';
  expect((await callApi(cancel, user)).status).toBe(503);
  stripe.behavior.failingPath = undefined;
  expect(listSubscriptions(customer)).toMatchObject([{ schedule: null, cancel_at_period_end: false }]);
  expect((await callApi(cancel, user)).body.current).toMatchObject({ willRenew: false });
  expect(listSubscriptions(customer)).toMatchObject([{ schedule: null, cancel_at_period_end: true }]);
});

it('[RCB-02] a cancellation that was recorded leaves no job behind', async () => {
  const user = newUser();
  await buy(user);
  const before = await jobQueue.countJobs(db);
  expect((await callApi(cancel, user)).status).toBe(200);
  expect(await jobQueue.countJobs(db)).toEqual(before);
});

it('[RCB-02] a subscription that was created again is recorded without an event', async () => {
  const user = newUser();
  const { customer } = await buy(user);
  await stripe.client.subscriptions.cancel(String(listSubscriptions(customer)[0]?.id));
  await sendAllEvents(customer, 'customer.subscription');
  await refuse('refuse_resumption', 'insert on billing.subscription_event', `new.kind = 'resumed'`);
  expect((await callApi(resume, user)).status).toBe(500);
  await allowWrites();
  expect(listSubscriptions(customer).map(({ status }) => status)).toEqual(['canceled', 'trialing']);
  await expireLock();
  expect(await findCurrent(user)).toMatchObject({ willRenew: true });
  expect(listSubscriptions(customer).map(({ status }) => status)).toEqual(['canceled', 'trialing']);
});
