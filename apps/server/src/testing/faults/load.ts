import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { LoadUser } from './load-user.ts';
import { type FaultyProduct, isLong } from './product.ts';

/** How long the longest wait of a user and the recovery may take before a test fails. */
const MAX_RECOVERY_MS = 60_000;
const WARM_UP_MS = 500;
/** How long a fault lasts. */
export const HOLD_MS = isLong ? 10_000 : 1000;

/** A row of the recovery table. Times in milliseconds. */
export interface Recovery {
  fault: string;
  heldMs: number;
  /** From the end of the fault until a write of every user was acknowledged. */
  recoveryMs: number;
  /** The longest time that a user waited for the acknowledgement of a write. */
  longestWaitMs: number;
  acknowledged: number;
  purchases: number;
  lost: number;
  /** Failed requests by status. */
  failures: Record<string, number>;
}

const firstAfter = (times: readonly number[], moment: number) =>
  times.find((time) => time > moment) ?? Number.POSITIVE_INFINITY;

function getLongestWait(startedAt: number, times: readonly number[]): number {
  return Math.max(...times.map((time, index) => time - (times[index - 1] ?? startedAt)));
}

function countFailures(users: readonly LoadUser[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const user of users)
    for (const [failure, count] of user.failures) counts[failure] = (counts[failure] ?? 0) + count;
  return counts;
}

/** Begins a fault and ends it after some time. */
export async function hold(begin: () => unknown, end: () => unknown): Promise<void> {
  await begin();
  await delay(HOLD_MS);
  await end();
}

/**
 * Causes a fault while users write and half of them buy. Then expects that no acknowledged write is lost, that nobody was
 * charged twice, and that the ledger, the background jobs and the rows are consistent.
 *
 * @param options.cause - causes the fault and resolves once it is over
 */
export async function expectRecovery(
  product: Pick<FaultyProduct, 'findInconsistencies' | 'listCharges'>,
  { fault, users, cause }: { fault: string; users: readonly LoadUser[]; cause: () => Promise<void> },
): Promise<Recovery> {
  let stopped = false;
  const startedAt = performance.now();
  const isStopped = () => stopped;
  const writing = users.flatMap((user) => [user.write(isStopped), user.readMedia(isStopped)]);
  await delay(WARM_UP_MS);
  const causedAt = performance.now();
  const buyers = users.filter((_, index) => index % 2 === 0);
  const buying = buyers.map((user) => user.buy());
  await cause();
  const endedAt = performance.now();
  await expect
    .poll(() => users.every(({ acknowledgedAt }) => acknowledgedAt.some((time) => time > endedAt)), {
      timeout: MAX_RECOVERY_MS,
    })
    .toBe(true)
    .catch((error: Error) => {
      throw new Error(`${error.message} ${JSON.stringify(users.map(({ problems }) => problems))}`);
    });
  await Promise.all(buying);
  stopped = true;
  await Promise.all(writing);

  expect(users.flatMap(({ problems }) => problems)).toEqual([]);
  const lost = (await Promise.all(users.map((user) => user.findLost()))).flat();
  expect(lost, 'acknowledged writes that are lost').toEqual([]);
  expect(await product.findInconsistencies()).toEqual([]);
  const charges = buyers.map((user) => product.listCharges(user.getCustomer()));
  expect(charges, 'charges of each buyer').toEqual(buyers.map(() => [300]));

  const recovery = {
    fault,
    heldMs: Math.round(endedAt - causedAt),
    recoveryMs: Math.round(
      Math.max(...users.map((user) => firstAfter(user.acknowledgedAt, endedAt))) - endedAt,
    ),
    longestWaitMs: Math.round(
      Math.max(...users.map((user) => getLongestWait(startedAt, user.acknowledgedAt))),
    ),
    acknowledged: users.reduce((sum, { acknowledgedAt }) => sum + acknowledgedAt.length, 0),
    purchases: buyers.length,
    lost: lost.length,
    failures: countFailures(users),
  };
  console.log(JSON.stringify(recovery));
  return recovery;
}
