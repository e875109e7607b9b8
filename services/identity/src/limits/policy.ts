/** How often something was tried: since when, when last, and until when it is refused, if so. */
export interface Attempts {
  count: number;
  firstAt: Date;
  lastAt: Date;
  blockedUntil: Date | null;
}

const minute = 60_000;
const hour = 60 * minute;
const freeFailures = 5;
const longestLock = 15 * minute;
const quietTime = 15 * minute;

const later = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

/** Whether a lock-out is on. Both right and wrong passwords are refused meanwhile, and neither counts. */
export function isLocked(attempts: Attempts | undefined, now: Date): boolean {
  return attempts?.blockedUntil != null && now < attempts.blockedUntil;
}

/**
 * The attempts after one more wrong password: from the fifth on, the n-th locks the account for 2^(n-5) seconds, at
 * most 15 minutes. Fifteen quiet minutes after a failure or its lock begin anew.
 */
export function afterWrongPassword(previous: Attempts | undefined, now: Date): Attempts {
  const forgotten = !previous || now >= later(previous.blockedUntil ?? previous.lastAt, quietTime);
  const count = forgotten ? 1 : previous.count + 1;
  const lock = Math.min(1000 * 2 ** (count - freeFailures), longestLock);
  return {
    count,
    firstAt: forgotten ? now : previous.firstAt,
    lastAt: now,
    blockedUntil: count < freeFailures ? null : later(now, lock),
  };
}

/** How many of a kind are free in a window that opens with the first. */
const allowances = {
  'sign-up mail': { count: 5, window: hour },
  'reset mail': { count: 5, window: hour },
  'email mail': { count: 5, window: hour },
  'sign-up code': { count: 15, window: hour },
  'reset code': { count: 15, window: hour },
  'email code': { count: 15, window: hour },
  // Soft limits for one network address: many people may share it.
  'mail from here': { count: 100, window: hour },
  'wrong password from here': { count: 300, window: 15 * minute },
} as const;

export type AllowanceKind = keyof typeof allowances;

/** Whether nothing is left of an allowance. */
export function isSpent(attempts: Attempts | undefined, kind: AllowanceKind, now: Date): boolean {
  const { count, window } = allowances[kind];
  return attempts !== undefined && attempts.count >= count && now < later(attempts.firstAt, window);
}

/**
 * The attempts after taking one more, or nothing where the allowance is spent. What is refused is not counted, so a
 * client that repeats by itself does not prolong its wait.
 */
export function afterTaking(
  previous: Attempts | undefined,
  kind: AllowanceKind,
  now: Date,
): Attempts | undefined {
  if (isSpent(previous, kind, now)) return undefined;
  const open = previous !== undefined && now < later(previous.firstAt, allowances[kind].window);
  return {
    count: open ? previous.count + 1 : 1,
    firstAt: open ? previous.firstAt : now,
    lastAt: now,
    blockedUntil: null,
  };
}
