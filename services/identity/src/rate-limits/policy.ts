import { MAX_CLOCK_SKEW_MS } from '@escucho/service-kit';
import type { Tables } from '../database.ts';

export type AttemptCounter = Omit<Tables['attempt_counter'], 'subject' | 'kind'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOCKOUT_THRESHOLD = 5;
const MAX_LOCKOUT_MS = 15 * MINUTE_MS;
const LOCKOUT_RESET_MS = 15 * MINUTE_MS;

const addMs = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);

/** Returns whether a counter was written while the clock was ahead: it would count until that time. */
const isFromFuture = ({ firstAt, lastAt }: AttemptCounter, now: Date): boolean =>
  Math.max(firstAt.getTime(), lastAt.getTime()) > now.getTime() + MAX_CLOCK_SKEW_MS;

/** Returns whether an account is locked out: every password is refused and not counted. */
export function isLocked(counter: AttemptCounter | undefined, now: Date): boolean {
  return counter?.lockedUntil != null && now < counter.lockedUntil && !isFromFuture(counter, now);
}

/**
 * Counts a wrong password: from the fifth on, the n-th locks the account for 2^(n-5) seconds, at most 15 minutes. The
 * count restarts 15 minutes after the last failure or lockout.
 */
export function countWrongPassword(previous: AttemptCounter | undefined, now: Date): AttemptCounter {
  const isReset =
    !previous ||
    isFromFuture(previous, now) ||
    now >= addMs(previous.lockedUntil ?? previous.lastAt, LOCKOUT_RESET_MS);
  const count = isReset ? 1 : previous.count + 1;
  const lockoutMs = Math.min(1000 * 2 ** (count - LOCKOUT_THRESHOLD), MAX_LOCKOUT_MS);
  return {
    count,
    firstAt: isReset ? now : previous.firstAt,
    lastAt: now,
    lockedUntil: count < LOCKOUT_THRESHOLD ? null : addMs(now, lockoutMs),
  };
}

/** Attempts allowed per window; a window begins with its first attempt. */
const rateLimits = {
  'sign-up': { count: 5, windowMs: HOUR_MS },
  'sign-up-mail': { count: 5, windowMs: HOUR_MS },
  'reset-mail': { count: 5, windowMs: HOUR_MS },
  'reset-mail-daily': { count: 10, windowMs: 24 * HOUR_MS },
  'email-mail': { count: 5, windowMs: HOUR_MS },
  'sign-in-mail': { count: 5, windowMs: HOUR_MS },
  'sign-in-mail-daily': { count: 20, windowMs: 24 * HOUR_MS },
  'second-factor-mail': { count: 5, windowMs: HOUR_MS },
  'reused-code-mail': { count: 1, windowMs: HOUR_MS },
  'sign-up-code': { count: 15, windowMs: HOUR_MS },
  'reset-code': { count: 15, windowMs: HOUR_MS },
  'email-code': { count: 15, windowMs: HOUR_MS },
  'sign-in-code': { count: 15, windowMs: HOUR_MS },
  'second-factor-code': { count: 15, windowMs: HOUR_MS },
} as const;

export type RateLimitKind = keyof typeof rateLimits;

/** Returns whether an attempt belongs to the window of a counter. */
const isSameWindow = (counter: AttemptCounter, kind: RateLimitKind, now: Date): boolean =>
  now < addMs(counter.firstAt, rateLimits[kind].windowMs) && !isFromFuture(counter, now);

/** Returns whether a rate limit is used up. */
export function isLimitExceeded(
  counter: AttemptCounter | undefined,
  kind: RateLimitKind,
  now: Date,
): boolean {
  return counter !== undefined && counter.count >= rateLimits[kind].count && isSameWindow(counter, kind, now);
}

/**
 * Counts an attempt; returns undefined where the limit is used up. Refused attempts do not count, so that a client's
 * automatic retries do not prolong its wait.
 */
export function countAttempt(
  previous: AttemptCounter | undefined,
  kind: RateLimitKind,
  now: Date,
): AttemptCounter | undefined {
  if (isLimitExceeded(previous, kind, now)) return undefined;
  const current = previous && isSameWindow(previous, kind, now) ? previous : undefined;
  return {
    count: (current?.count ?? 0) + 1,
    firstAt: current?.firstAt ?? now,
    lastAt: now,
    lockedUntil: null,
  };
}
