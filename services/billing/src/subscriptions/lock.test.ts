import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { jobQueue } from '../jobs.ts';
import { DAY, startProvider } from '../testing/provider.ts';
import { createBatchedLock } from './lock.ts';
import type { SubscriptionRef } from './repository.ts';

const { db, clock, time, newUser, buy, advanceClock } = await startProvider();

async function buyAll(count: number): Promise<SubscriptionRef[]> {
  const users = Array.from({ length: count }, newUser);
  await Promise.all(users.map((user) => buy(user)));
  return db
    .selectFrom('subscription')
    .innerJoin('subscriber', 'subscriber.id', 'subscription.subscriberId')
    .select(['subscription.id', 'subscriberId'])
    .where('appUserId', 'in', users)
    .execute();
}

const listEvents = async (refs: readonly SubscriptionRef[]) =>
  db
    .selectFrom('subscription_event')
    .select(['subscriptionId', 'kind'])
    .where(
      'subscriptionId',
      'in',
      refs.map(({ id }) => id),
    )
    .execute();

describe('subscriptions that are due at the same time', () => {
  it('[RCB-02] are renewed by their jobs, each once', async () => {
    const refs = await buyAll(12);
    time.now += 31 * DAY * 1000;
    await settleJobs(db, jobQueue, { advanceMs: 31 * DAY * 1000 });
    const renewals = (await listEvents(refs)).filter(({ kind }) => kind === 'renewed');
    expect(renewals.map((event) => event.subscriptionId).toSorted()).toEqual(
      refs.map(({ id }) => id).toSorted(),
    );
  });

  it('[RCB-02] store no webhook events where there is no endpoint', async () => {
    await buyAll(1);
    expect(await db.selectFrom('webhook_event').select('id').execute()).toEqual([]);
    const jobs = sql<{ task: string }>`select task_identifier as task from billing_jobs.jobs`;
    expect((await jobs.execute(db)).rows.map(({ task }) => task)).not.toContain('send_webhooks');
  });
});

it('[RCB-02] requests that advance a clock at once never move it back', async () => {
  const days = [35, 100, 1];
  for (const order of [days, days.toReversed()]) {
    const user = newUser();
    await buy(user);
    await Promise.all(order.map((count) => advanceClock(user, count * DAY)));
    const { clockOffsetSeconds } = await db
      .selectFrom('subscriber')
      .select('clockOffsetSeconds')
      .where('appUserId', '=', user)
      .executeTakeFirstOrThrow();
    expect(clockOffsetSeconds).toBeGreaterThanOrEqual(100 * DAY);
  }
});

describe('a batched lock', () => {
  const cancelled = () => ({ kind: 'cancelled', at: clock(), by: 'user' }) as const;

  it('shares transactions among the calls of one moment', async () => {
    const refs = await buyAll(8);
    const lock = createBatchedLock({ db, clock, hasWebhook: false });
    const transactions = await Promise.all(
      refs.map((ref) =>
        lock(ref, async ({ tx, append }) => {
          append([cancelled()]);
          return (await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)).rows[0]?.id;
        }),
      ),
    );
    expect(new Set(transactions).size).toBe(1);
    expect((await listEvents(refs)).filter(({ kind }) => kind === 'cancelled')).toHaveLength(8);
  });

  it('rejects only the call that throws, and saves the others', async () => {
    const refs = await buyAll(3);
    const lock = createBatchedLock({ db, clock, hasWebhook: false });
    const results = await Promise.allSettled(
      refs.map((ref, index) =>
        lock(ref, async ({ append }) => {
          append([cancelled()]);
          if (index === 1) throw new Error('refused');
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const saved = (await listEvents(refs)).filter(({ kind }) => kind === 'cancelled');
    expect(saved.map((event) => event.subscriptionId).toSorted()).toEqual(
      [refs[0]?.id, refs[2]?.id].toSorted(),
    );
  });

  it('shows each call what the one before appended to the same subscription', async () => {
    const [ref] = await buyAll(1);
    if (!ref) throw new Error('There is no subscription');
    const lock = createBatchedLock({ db, clock, hasWebhook: false });
    const versions = await Promise.all(
      [0, 1, 2].map(() => lock(ref, async ({ append }) => append([cancelled()]).version)),
    );
    expect(versions).toEqual([3, 4, 5]);
  });
});
