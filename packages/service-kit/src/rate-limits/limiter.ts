import { createHmac } from 'node:crypto';
import { AppError, type RateLimit } from '@escucho/contracts';
import { type Connection, openPool } from '@escucho/database';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

/** The table of each service's schema that holds the counters, as rate-limiter-flexible defines it. */
const TABLE = 'rate_limit';
const MAX_CONNECTIONS = 2;
const CLEANUP_INTERVAL_MS = 5 * 60_000;
/** Subjects whose window is in memory. A subject that is evicted loses what it has not written yet. */
const MAX_WINDOWS = 100_000;
/** From this limit on, attempts are written to the database in steps instead of one by one. */
const MIN_LIMIT_OF_STEPS = 200;
const STEPS = 20;
/** The clocks of processes may differ by so much. A counter from further ahead was written while a clock was wrong. */
export const MAX_CLOCK_SKEW_MS = 60_000;

/** How much of a rate limit a subject has left. */
export interface Quota {
  limit: RateLimit;
  remaining: number;
  resetSeconds: number;
}

/** The error `too_many_requests`, with the time after which another attempt is allowed. */
export class RateLimitError extends AppError {
  readonly quota: Quota;

  constructor(quota: Quota) {
    super('too_many_requests');
    this.name = 'RateLimitError';
    this.quota = quota;
  }
}

/** What this process knows about a subject's window. */
interface Window {
  /** Attempts in the database, of all processes, when this process last wrote to it. */
  counted: number;
  /** Attempts that this process has not written yet. */
  pending: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export interface RateLimiterOptions {
  connection: Connection;
  /** The PostgreSQL schema with the table `rate_limit`. */
  schema: string;
  /** The key of the subjects' HMACs: the table holds no addresses or ids. */
  secret: string;
}

/**
 * Creates a rate limiter whose counts all processes share, by rate-limiter-flexible on PostgreSQL.
 *
 * Low limits are exact: each attempt is counted in the database. Limits of 200 and more protect against overload, so
 * the first attempt of a window and then steps of 5 % are written, and cost no round trip in between; each process may
 * allow one step too many. A subject that has used its limit up is refused from memory, and refused attempts are not counted, so that the retries
 * of a client do not prolong its wait. While the database is unavailable, each process counts by itself.
 */
export function createRateLimiter({ connection, schema, secret }: RateLimiterOptions) {
  const pool = openPool({
    connection,
    schema,
    name: `${schema} rate limits`,
    maxConnections: MAX_CONNECTIONS,
    // A crash of the server may lose the counts of the last second; a commit does not wait for the disk.
    settings: { synchronous_commit: 'off' },
  });
  // With `max`, room for all windows would be allocated at the start.
  const windows = new LRUCache<string, Window>({ maxSize: MAX_WINDOWS, sizeCalculation: () => 1 });
  const stores = new Map<string, RateLimiterPostgres>();

  function getStore({ name, limit, windowSeconds }: RateLimit): RateLimiterPostgres {
    const existing = stores.get(name);
    if (existing) return existing;
    const options = { keyPrefix: name, points: limit, duration: windowSeconds };
    const store = new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      schemaName: schema,
      tableName: TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    });
    stores.set(name, store);
    return store;
  }

  const cleanup = setInterval(() => {
    // The library's own cleanup cannot be stopped. The next one repeats a failed one.
    pool.query(`delete from ${TABLE} where expire < $1`, [Date.now()]).catch(() => {});
  }, CLEANUP_INTERVAL_MS);
  cleanup.unref();

  const isFromFuture = ({ windowSeconds }: RateLimit, leftMs: number) =>
    leftMs > windowSeconds * 1000 + MAX_CLOCK_SKEW_MS;

  const toKey = (subject: string) =>
    createHmac('sha256', secret).update(`rate limit\n${subject}`).digest('base64url');

  function getWindow(limit: RateLimit, subject: string): Window {
    const id = `${limit.name}:${subject}`;
    const existing = windows.get(id);
    const leftMs = existing ? existing.expiresAt - Date.now() : 0;
    if (existing && leftMs > 0 && !isFromFuture(limit, leftMs)) return existing;
    const window = { counted: 0, pending: 0, expiresAt: Date.now() + limit.windowSeconds * 1000 };
    windows.set(id, window);
    return window;
  }

  function toQuota(limit: RateLimit, { counted, pending, expiresAt }: Window): Quota {
    return {
      limit,
      remaining: Math.max(0, limit.limit - counted - pending),
      resetSeconds: Math.max(1, Math.ceil((expiresAt - Date.now()) / 1000)),
    };
  }

  /** Updates a window by the response of the store, which forgets one from the future first. */
  async function update(
    limit: RateLimit,
    subject: string,
    window: Window,
    request: (store: RateLimiterPostgres, key: string) => Promise<RateLimiterRes | null>,
  ): Promise<void> {
    const [store, key] = [getStore(limit), toKey(subject)];
    const send = () =>
      request(store, key).catch((error: unknown) => {
        if (error instanceof RateLimiterRes) return error;
        throw error;
      });
    let stored = await send();
    if (stored && isFromFuture(limit, stored.msBeforeNext)) {
      await store.delete(key);
      stored = await send();
    }
    if (!stored) return;
    window.counted = stored.consumedPoints;
    window.expiresAt = Date.now() + stored.msBeforeNext;
  }

  /** Writes the pending attempts of a window; returns whether the limit allows them. */
  async function writePending(limit: RateLimit, subject: string, window: Window): Promise<boolean> {
    const points = window.pending;
    window.pending = 0;
    await update(limit, subject, window, (store, key) => store.consume(key, points));
    return window.counted <= limit.limit;
  }

  return {
    /**
     * Counts an attempt.
     *
     * @param subject - what the limit counts by; attempts without one are not limited
     * @throws RateLimitError where the limit is used up
     */
    async consume(limit: RateLimit, subject: string | undefined): Promise<Quota | undefined> {
      if (subject === undefined) return undefined;
      const window = getWindow(limit, subject);
      if (window.counted + window.pending >= limit.limit) throw new RateLimitError(toQuota(limit, window));
      window.pending += 1;
      const step = limit.limit < MIN_LIMIT_OF_STEPS ? 1 : Math.floor(limit.limit / STEPS);
      const isLast = window.counted + window.pending >= limit.limit;
      // The first attempt of a window reads what other processes have counted; the last writes its own count.
      const isWritten = window.counted === 0 || window.pending >= step || isLast;
      if (isWritten && !(await writePending(limit, subject, window))) {
        throw new RateLimitError(toQuota(limit, window));
      }
      return toQuota(limit, window);
    },

    /**
     * Checks a limit that counts failures, without counting.
     *
     * @throws RateLimitError where the limit is used up
     */
    async check(limit: RateLimit, subject: string | undefined): Promise<Quota | undefined> {
      if (subject === undefined) return undefined;
      const window = getWindow(limit, subject);
      const isUsedUp = () => window.counted + window.pending >= limit.limit;
      if (!isUsedUp()) await update(limit, subject, window, (store, key) => store.get(key));
      if (isUsedUp()) throw new RateLimitError(toQuota(limit, window));
      return toQuota(limit, window);
    },

    async close(): Promise<void> {
      clearInterval(cleanup);
      await pool.end();
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;
