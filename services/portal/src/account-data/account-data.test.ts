import { randomUUID } from 'node:crypto';
import { findAuditEvents } from '@escucho/audit';
import { api } from '@escucho/contracts';
import { countLockWaiters, createDeferred } from '@escucho/database/testing';
import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { jobQueue } from './repository.ts';

const portal = await startPortal();
const {
  call,
  send,
  createUser,
  db,
  clock,
  provider,
  billing,
  articleId,
  insertPlaylist,
  tableChecksums,
  issuer,
  log,
} = portal;
const { exportAccount, deleteAccount: deleteAccountEndpoint } = api.account;

beforeEach(() => {
  Object.assign(provider.behavior, { status: 200, error: '', isUnreachable: false, failing: undefined });
  Object.assign(billing.behavior, { status: 200, isUnreachable: false, responseDelay: undefined });
  provider.requests.length = 0;
  billing.requests.length = 0;
});

/** Creates a user with rows in every table that can hold a user's data. */
async function createActiveUser() {
  const user = await createUser({ subscribed: true, firstName: 'Inés', lastName: `Vega${Date.now()}` });
  const { id, token } = user;
  await insertPlaylist(id, 'My evenings', ['night-ferry']);
  await insertPlaylist(id, 'default', [], 'auto');
  const entry = {
    track: articleId('night-ferry'),
    device: randomUUID(),
    sequence: 1,
    position: 4,
    cause: 'pause',
  };
  expect((await send(api.listening.saveProgress, { token, body: entry })).statusCode).toBe(200);
  return user;
}

/** Returns how many rows of each table, of the job queue too, contain one of the texts. */
async function findTraces(...texts: string[]) {
  const { rows: tables } = await sql<{ name: string }>`
    select case table_schema when current_schema() then table_name else table_schema || '.' || table_name end as name
    from information_schema.tables
    where table_schema in (current_schema(), 'audit', ${jobQueue.schema}) and table_type = 'BASE TABLE'
    order by name`.execute(db);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    for (const text of texts) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${sql.table(name)} t
        where position(${text} in t::text) > 0`.execute(db);
      if (rows[0]?.count) found[name] = (found[name] ?? 0) + rows[0].count;
    }
  }
  return found;
}

/** Lets time pass for waiting jobs, performs what is due and returns how many wait. */
async function advanceJobs(seconds = 0): Promise<number> {
  await settleJobs(db, jobQueue, { advanceMs: seconds * 1000 });
  return (await jobQueue.countJobs(db)).waiting;
}

async function deleteAccount(token: string) {
  await call(deleteAccountEndpoint, token, {});
  return advanceJobs();
}

describe('export', () => {
  it('[SHELL-03] contains all data of the user and none of others', async () => {
    const { id, token, email } = await createActiveUser();
    const other = await createActiveUser();
    const data = await call(exportAccount, token, {});
    const { users, ...tables } = data.records;
    expect(data.user).toMatchObject({ _id: id, email });
    expect(users).toMatchObject([{ id, email, has_custom_names: false }]);
    expect(
      Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length])),
    ).toMatchObject({
      subscription_grant: 1,
      playlist: 2,
      playlist_item: 1,
      listening_event: 1,
      listening_progress: 1,
      security_event: 1,
    });
    const tableNames = Object.keys(await findTraces(id)).filter(
      (table) => !['playlist_item', 'audit.event'].includes(table),
    );
    expect(Object.keys(data.records)).toEqual(expect.arrayContaining(tableNames));
    expect(data.articleTitles).toEqual({ [articleId('night-ferry')]: 'The night-ferry' });
    expect(data.signIn).toEqual({ attributes: { sub: 'ana-1', email: 'ana@reader.test' }, sessions: [] });
    expect(provider.requests).toEqual([
      { operation: 'GetUser', credential: token },
      { operation: 'sessions', credential: token },
    ]);
    for (const text of [other.id, other.email, other.subject])
      expect(JSON.stringify(data)).not.toContain(text);
  });

  it('[SHELL-03] contains the payments of the billing provider', async () => {
    const { id, token } = await createUser();
    const payment = {
      _id: 'receipt-1',
      paidAt: '2026-11-05T10:00:00.000Z',
      plan: { product: 'monthly', title: 'Monthly' },
      paid: { amount: 300, currency: 'USD' },
      refunded: 0,
    };
    billing.receipts.set(id, [payment]);
    expect((await call(exportAccount, token, {})).payments).toEqual([payment]);
    billing.behavior.isUnreachable = true;
    expect((await send(exportAccount, { token })).statusCode).toBe(503);
  });

  it('[SHELL-03] exports an operator’s user without the identity provider', async () => {
    const { id, token } = await createActiveUser();
    await db.updateTable('users').set({ platform: 'entel' }).where('id', '=', id).execute();
    expect((await call(exportAccount, token, {})).signIn).toBeNull();
    expect(provider.requests).toEqual([]);
  });
});

it('[SHELL-03] an export leaves no event about a user deleted by then', async () => {
  const { id, token } = await createUser();
  await call(api.auth.me, token, {});
  billing.requests.length = 0;
  const { promise, resolve } = createDeferred();
  billing.behavior.responseDelay = promise;
  const exported = send(exportAccount, { token });
  await expect.poll(() => billing.requests.length).toBe(1);
  await call(deleteAccountEndpoint, token, {});
  resolve();
  const response = await exported;
  expect(await findAuditEvents(db, { userId: id }, 10)).toEqual([]);
  expect([response.statusCode, response.json().error?.code]).toEqual([401, 'unauthorized']);
});

it('[SHELL-03] the export is sent in pages and has each row once', async () => {
  const { id, token } = await createUser();
  const count = 2500;
  await sql`
    insert into listening_event (user_id, article_id, device_id, sequence, position, cause, occurred_at, received_at)
    select ${id}, ${articleId('night-ferry')}, ${randomUUID()}, number, 0, 'tick', now(), now()
    from generate_series(1, ${count}::integer) number`.execute(db);
  const response = await send(exportAccount, { token });
  expect(response.headers['content-length']).toBeUndefined();
  const { records } = exportAccount.response.parse(response.json());
  expect(records.listening_event?.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
});

it('[SHELL-03] the export finds a user’s rows among those of others by an index', async () => {
  const quiet = await startPortal();
  const [other, user] = [await quiet.createUser(), await quiet.createUser()];
  await sql`
    insert into listening_event (user_id, article_id, device_id, sequence, position, cause, occurred_at, received_at)
    select id, ${articleId('night-ferry')}, gen_random_uuid(), number, 0, 'tick', now(), now()
    from generate_series(1, 10000) number, unnest(${[other.id]}::uuid[]) id`.execute(quiet.db);
  await sql`analyze listening_event`.execute(quiet.db);
  await quiet.call(exportAccount, user.token, {});
  // A connection that closes reports what it did.
  await quiet.app.close();
  const countIndexScans = async () => {
    const { rows } = await sql<{ scans: number }>`
      select idx_scan::integer as scans from pg_stat_user_tables where relname = 'listening_event'`.execute(
      quiet.db,
    );
    return rows[0]?.scans;
  };
  await expect.poll(countIndexScans, { timeout: 30_000 }).toBeGreaterThan(0);
});

describe('account deletion', () => {
  it('[SHELL-03] deletes all rows of the user and none of others', async () => {
    const other = await createActiveUser();
    const before = await findTraces(other.id);
    const { id, subject, email, token } = await createActiveUser();
    expect(Object.keys(await findTraces(id, subject, email)).length).toBeGreaterThan(4);
    await deleteAccount(token);
    expect(await findTraces(id, subject, email)).toEqual({});
    expect(await findTraces(other.id)).toEqual(before);
    expect(provider.requests).toEqual([
      { operation: 'GetUser', credential: token },
      { operation: 'AdminDeleteUser', credential: 'a key of the tests' },
    ]);
    expect(billing.requests).toContain(`DELETE /v1/subscribers/${id}`);
  });

  it('all foreign keys to users and playlists cascade on delete', async () => {
    const { rows } = await sql<{ rule: string }>`
      select conrelid::regclass || ': ' || conname as rule from pg_constraint
      where contype = 'f' and confrelid in ('users'::regclass, 'playlist'::regclass) and confdeltype != 'c'`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });

  it('[AUTH-09] refuses tokens from before; the next sign-in creates a new user', async () => {
    const { id, subject, token } = await createActiveUser();
    clock.advance(5);
    await deleteAccount(token);
    for (const endpoint of [api.auth.me, api.settings.findSettings, deleteAccountEndpoint]) {
      const response = await send(endpoint, { token });
      expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
    }
    clock.advance(1);
    const { user } = await call(api.auth.me, await issuer.access(subject), {});
    expect(user._id).not.toBe(id);
    expect(user.displayName).toBe('');
  });

  it('[SHELL-03] deletes an operator’s user without the identity provider', async () => {
    const { id, subject, email, token } = await createActiveUser();
    await db.updateTable('users').set({ platform: 'cnt' }).where('id', '=', id).execute();
    await deleteAccount(token);
    expect(await findTraces(id, subject, email)).toEqual({});
    expect(provider.requests).toEqual([]);
  });

  it.each([
    ['has no such account', { status: 400, error: 'UserNotFoundException' }, 401, 'unauthorized'],
    ['is unreachable', { isUnreachable: true }, 503, 'unavailable'],
    ['fails', { status: 500, error: 'InternalErrorException' }, 503, 'unavailable'],
    ['has no such session', { status: 400, error: 'NotAuthorizedException' }, 401, 'unauthorized'],
  ])('deletes nothing when the identity provider %s', async (_name, behavior, status, code) => {
    const { id, token } = await createActiveUser();
    const before = await tableChecksums();
    Object.assign(provider.behavior, behavior);
    const response = await send(deleteAccountEndpoint, { token });
    expect([response.statusCode, response.json().error.code]).toEqual([status, code]);
    expect(await tableChecksums()).toEqual(before);
    expect((await call(api.auth.me, token, {})).user._id).toBe(id);
  });

  describe('at the providers', () => {
    const findRequests = () => [
      ...billing.requests.filter((request) => request.startsWith('DELETE')).map(() => 'billing'),
      ...provider.requests.filter(({ operation }) => operation === 'AdminDeleteUser').map(() => 'identity'),
    ];

    it.each([
      [
        'the billing provider is unreachable',
        () => Object.assign(billing.behavior, { isUnreachable: true }),
        ['billing', 'identity'],
      ],
      [
        'the billing provider fails',
        () => Object.assign(billing.behavior, { status: 500 }),
        ['billing', 'billing', 'identity'],
      ],
      [
        'the identity provider fails after GetUser',
        () => Object.assign(provider.behavior, { status: 500, failing: 'AdminDeleteUser' }),
        ['billing', 'billing', 'identity', 'identity'],
      ],
    ])('[SHELL-03] retries the providers until they respond when %s', async (_name, fail, expected) => {
      const { id, subject, email, token } = await createActiveUser();
      billing.requests.length = 0;
      fail();
      await deleteAccount(token);
      expect(Object.keys(await findTraces(id, subject, email))).toEqual(['portal_jobs._private_jobs']);
      expect(findRequests()).not.toEqual(expected);
      Object.assign(provider.behavior, { status: 200, failing: undefined });
      Object.assign(billing.behavior, { status: 200, isUnreachable: false });
      expect(await advanceJobs(5)).toBe(0);
      expect(findRequests()).toEqual(expected);
      expect(await findTraces(id, subject, email)).toEqual({});
    });

    it('[SHELL-03] deletes at the billing provider before the identity provider', async () => {
      const { token } = await createActiveUser();
      Object.assign(billing.behavior, { status: 500 });
      await deleteAccount(token);
      expect(provider.requests.map(({ operation }) => operation)).toEqual(['GetUser']);
      Object.assign(billing.behavior, { status: 200 });
      expect(await advanceJobs(5)).toBe(0);
    });

    it('[AUTH-09] signs out at once and refuses sign-in until the deletion is complete', async () => {
      const { subject, token } = await createActiveUser();
      Object.assign(provider.behavior, { status: 500, failing: 'AdminDeleteUser' });
      await deleteAccount(token);
      clock.advance(2);
      for (const anyToken of [token, await issuer.access(subject)]) {
        const response = await send(api.auth.me, { token: anyToken });
        expect([response.statusCode, response.json().error.code]).toEqual([401, 'unauthorized']);
      }
      Object.assign(provider.behavior, { status: 200, failing: undefined });
      expect(await advanceJobs(5)).toBe(0);
      clock.advance(1);
      expect((await send(api.auth.me, { token: await issuer.access(subject) })).statusCode).toBe(200);
    });

    it('[AUTH-09] refuses tokens that were issued before the deletion was complete', async () => {
      const { subject, token } = await createActiveUser();
      Object.assign(billing.behavior, { status: 500 });
      await deleteAccount(token);
      clock.advance(26 * 3600);
      const refreshed = await issuer.access(subject);
      clock.advance(60);
      Object.assign(billing.behavior, { status: 200 });
      expect(await advanceJobs(5)).toBe(0);
      expect((await send(api.auth.me, { token: refreshed })).statusCode).toBe(401);
      await deleteAccount((await createActiveUser()).token);
      expect((await send(api.auth.me, { token: refreshed })).statusCode).toBe(401);
    });

    it('[SHELL-03] deletes once for concurrent requests', async () => {
      const { id, subject, email, token } = await createActiveUser();
      const responses = await Promise.all([1, 2, 3].map(() => send(deleteAccountEndpoint, { token })));
      expect(responses.map(({ statusCode }) => statusCode)).toContain(200);
      expect(await advanceJobs()).toBe(0);
      expect(await findTraces(id, subject, email)).toEqual({});
    });

    it('[SHELL-03] deletes beside a change of a playlist, no deadlock', async () => {
      const { id, token } = await createActiveUser();
      const playlist = await insertPlaylist(id, 'My mornings');
      const article = articleId('night-ferry');
      const [change, deletion] = await db.transaction().execute(async (tx) => {
        await tx.selectFrom('article').select('id').where('id', '=', article).forUpdate().execute();
        const body = { _id: playlist, 'articles.added': [article] };
        const changing = send(api.playlists.changePlaylist, { token, body });
        // The change waits for this transaction, the deletion for the change.
        await expect.poll(() => countLockWaiters(db)).toBe(1);
        const deleting = send(deleteAccountEndpoint, { token });
        await expect.poll(() => countLockWaiters(db)).toBe(2);
        return [changing, deleting] as const;
      });
      expect((await deletion).statusCode).toBe(200);
      expect((await change).statusCode).toBeLessThan(500);
    });

    it('[API-03] logs failures without personal data', async () => {
      const { subject, email, token } = await createActiveUser();
      Object.assign(provider.behavior, { status: 500, failing: 'AdminDeleteUser' });
      log.length = 0;
      await deleteAccount(token);
      const text = log.join('');
      expect(text).toContain('job failed and will be tried again');
      for (const hidden of [subject, email, token, 'a key of the tests']) expect(text).not.toContain(hidden);
      Object.assign(provider.behavior, { status: 200, failing: undefined });
      expect(await advanceJobs(5)).toBe(0);
    });
  });

  it('the hash that refuses old tokens is deleted after a day', async () => {
    const { token } = await createActiveUser();
    await deleteAccount(token);
    clock.advance(26 * 3600);
    await deleteAccount((await createActiveUser()).token);
    const { length } = await db.selectFrom('deleted_user').select('deleted_at').execute();
    expect(length).toBe(1);
  });
});
