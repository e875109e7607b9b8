import { billingApi } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { jobQueue, processSubscription } from '../jobs.ts';
import { DAY, keys, startProvider } from '../testing/provider.ts';
import { startStripeSimulator } from '../testing/stripe/simulator.ts';

const provider = await startProvider();
const { connection, time, db, newUser, buy } = provider;
const stripe = await startStripeSimulator({ clock: provider.clock });
const { sandbox: _, ...liveKeys } = keys;
const live = await startProvider({
  connection,
  time,
  sandbox: false,
  keys: liveKeys,
  stripe: stripe.options,
});

describe('a subscription of the sandbox, where there is no sandbox any more', () => {
  it('[RCB-02] gives no access and cannot be managed', async () => {
    const user = newUser();
    await buy(user);
    expect((await provider.getInfo(user)).entitlements.premium).toBeDefined();
    const { body } = await live.get(`/v1/subscribers/${user}`, keys.production);
    expect(body.subscriber).toMatchObject({ entitlements: {}, subscriptions: {} });
    expect(await live.findCurrent(user)).toBeNull();
    const refused = await live.get(`/v1/subscribers/${user}`, keys.sandbox);
    expect(refused).toMatchObject({ status: 401, body: { code: 7225 } });
  });

  it('[RCB-02] does not prevent a purchase with a trial', async () => {
    const user = newUser();
    await buy(user, { offer_id: 'trial' });
    expect(await live.requestPurchase(user, { offer_id: 'trial' }, keys.production)).toMatchObject({
      status: 200,
      body: { next_action: 'collect_payment_info' },
    });
  });

  it('[RCB-02] leaves no advanced clock to what is bought for real money', async () => {
    const user = newUser();
    await buy(user);
    await provider.advanceClock(user, 40 * DAY);
    const { body } = await live.requestPurchase(user, { offer_id: 'trial' }, keys.production);
    stripe.completeSetup(body.data.client_secret);
    await live.get(`/rcbilling/v1/checkout/${body.operation_session_id}`, keys.production);
    const [trial] = stripe.list('subscription').filter(({ status }) => status === 'trialing');
    expect(trial?.trial_end).toBe(time.now / 1000 + 3 * DAY);
    const { subscriber } = (await live.get(`/v1/subscribers/${user}`, keys.production)).body;
    // Includes the hour in which Stripe begins the next period.
    expect(subscriber.entitlements.premium.expires_date).toBe('2026-11-23T11:00:00Z');
  });

  it('[SHELL-03] sold with Stripe’s test keys, does not prevent the deletion of its subscriber', async () => {
    const testStripe = await startStripeSimulator({
      clock: provider.clock,
      secretKey: 'sk_test_of_the_tests',
    });
    const test = await startProvider({ connection, time, sandbox: false, stripe: testStripe.options });
    const user = newUser();
    const { data, operation_session_id: session } = await test.subscribe(user);
    testStripe.completeSetup(data.client_secret);
    expect(await test.getStatus(session)).toMatchObject({ status: 'succeeded' });
    await test.app.close();
    expect((await live.callApi(billingApi.deleteSubscriber, user)).status).toBe(200);
    const { ended } = await db
      .selectFrom('subscription')
      .innerJoin('checkout', 'checkout.subscriberId', 'subscription.subscriberId')
      .select(sql`state ->> 'endedAt'`.as('ended'))
      .where('checkout.id', '=', session)
      .executeTakeFirstOrThrow();
    expect(ended).not.toBeNull();
  });

  it('[RCB-02] is neither renewed nor reported by email', async () => {
    const user = newUser();
    await buy(user);
    await provider.app.close();
    time.now += 60 * DAY * 1000;
    const { id, subscriberId } = await db
      .selectFrom('subscription')
      .innerJoin('subscriber', 'subscriber.id', 'subscriberId')
      .select(['subscription.id', 'subscriberId'])
      .where('appUserId', '=', user)
      .executeTakeFirstOrThrow();
    await jobQueue.enqueue(db, processSubscription, { id, subscriberId });
    await settleJobs(db, jobQueue);
    const events = await db
      .selectFrom('subscription_event')
      .select('kind')
      .where('subscriptionId', '=', id)
      .orderBy('sequence')
      .execute();
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'paid']);
  });
});
