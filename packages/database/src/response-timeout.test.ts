import { sql } from 'kysely';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { isTransientError } from './database-error.ts';
import { openDatabase } from './open-database.ts';
import { createTestDatabase, silentLog } from './testing.ts';

const connection = await createTestDatabase();
// The server itself does not end the statement, as one that is not reached, until it notices that its client is gone.
const db = openDatabase<object>({
  connection,
  schema: 'public',
  name: 'response timeout test',
  maxConnections: 1,
  log: silentLog,
  settings: { statement_timeout: '0', client_connection_check_interval: '100ms' },
});
afterAll(() => db.destroy());
afterEach(() => vi.useRealTimers());

it('a statement without a response fails after 20 s; the next one has another connection', async () => {
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows;
  const before = await backend();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failure = sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
  // Until the statement has been sent.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { timeout: 20_000 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(isTransientError(await failure)).toBe(true);
  vi.useRealTimers();
  expect(await backend()).not.toEqual(before);
});

it('a socket that a stopped server has removed, an unreachable network and missing names pass', () => {
  for (const [message, code] of [
    ['connect ENOENT /run/postgresql/.s.PGSQL.5432', 'ENOENT'],
    ['connect ENETUNREACH 10.0.0.9:5432', 'ENETUNREACH'],
    ['connect EHOSTUNREACH 10.0.0.9:5432', 'EHOSTUNREACH'],
    ['getaddrinfo ENOTFOUND db.example', 'ENOTFOUND'],
    ['getaddrinfo EAI_AGAIN db.example', 'EAI_AGAIN'],
  ])
    expect(isTransientError(Object.assign(new Error(message), { code }))).toBe(true);
  const missingFile = Object.assign(new Error("ENOENT: no such file or directory, open 'x'"), {
    code: 'ENOENT',
  });
  expect(isTransientError(missingFile)).toBe(false);
});
