import { randomUUID } from 'node:crypto';
import { openDatabase } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type AuditEvent,
  anonymizeAuditEvents,
  deleteAuditEvents,
  findAuditEvents,
  findUserEvents,
  recordAuditEvent,
  registerAuditContext,
  runAsAdmin,
  runAsSystem,
} from './index.ts';

const connection = await createTestDatabase();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'audit tests' });
const app = Fastify({ trustProxy: true, genReqId: () => 'request-1' });
registerAuditContext(app);
app.post<{ Body: AuditEvent }>('/record', async ({ body }) => {
  await recordAuditEvent(db, body);
  return {};
});
app.post(
  '/forward',
  async ({ body }) => (await app.inject({ method: 'POST', url: '/record', body: Object(body) })).body,
);
afterAll(async () => {
  await app.close();
  await db.destroy();
});

const headers = {
  'x-forwarded-for': '203.0.113.77',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
};
const post = (url: string, payload: AuditEvent) => app.inject({ method: 'POST', url, headers, payload });
const findByUser = (userId: string) => findAuditEvents(db, { userId }, 100);

describe('an event of a request', () => {
  it('has its actor, network, device and request id, and a masked address', async () => {
    const userId = randomUUID();
    await post('/record', {
      type: 'code_sent',
      userId,
      details: { purpose: 'reset', email: 'ana@example.org' },
    });
    expect(await findByUser(userId)).toMatchObject([
      {
        type: 'code_sent',
        actor: 'user',
        actorName: null,
        network: '203.0.113.0/24',
        browser: 'Firefox',
        system: 'Linux',
        requestId: 'request-1',
        details: { purpose: 'reset', email: 'a***@e***' },
      },
    ]);
  });

  it('is recorded where a text ends with half of a character', async () => {
    const userId = randomUUID();
    const details = { purpose: 'reset\ud83e', email: 'ana@\ud83e' };
    expect((await post('/record', { type: 'code_sent', userId, details })).statusCode).toBe(200);
    expect(await findByUser(userId)).toMatchObject([{ details: { purpose: 'reset', email: 'a***@***' } }]);
  });

  it('keeps the origin of the request through a service of the same process', async () => {
    const userId = randomUUID();
    await post('/forward', { type: 'subscription_cancelled', userId });
    expect(await findByUser(userId)).toMatchObject([{ actor: 'user', network: '203.0.113.0/24' }]);
  });

  it('about a failure does not claim that the user caused it', async () => {
    const userId = randomUUID();
    await post('/record', { type: 'sign_in_failed', userId });
    expect(await findByUser(userId)).toMatchObject([{ actor: 'anonymous' }]);
  });
});

describe('an event of another source', () => {
  it('of a job is caused by the system, of a command by an admin', async () => {
    const userId = randomUUID();
    const lines: object[] = [];
    const log = { info: (details: object) => void lines.push(details) };
    await runAsSystem('portal some_job 7', log, () =>
      recordAuditEvent(db, { type: 'subscription_ended', userId, details: { reason: 'unpaid' } }),
    );
    await runAsAdmin('root', log, () => recordAuditEvent(db, { type: 'account_disabled', userId }));
    expect(await findByUser(userId)).toMatchObject([
      { actor: 'admin', actorName: 'root', network: null },
      { actor: 'system', requestId: 'portal some_job 7' },
    ]);
    expect(lines).toMatchObject([
      { audit: { type: 'subscription_ended', userId, details: { reason: 'unpaid' } } },
      { audit: { type: 'account_disabled', actorName: 'root' } },
    ]);
  });

  it('does not exist when its transaction rolls back', async () => {
    const userId = randomUUID();
    const work = db.transaction().execute(async (tx) => {
      await recordAuditEvent(tx, { type: 'password_changed', userId });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await findByUser(userId)).toEqual([]);
  });
});

describe('the events of a user', () => {
  it('are listed newest first, a page at a time, without those of the administration', async () => {
    const [id, subject] = [randomUUID(), randomUUID()];
    for (const type of ['signed_in', 'password_changed', 'signed_out'] as const)
      await recordAuditEvent(db, { type, userId: type === 'signed_out' ? id : subject });
    await recordAuditEvent(db, { type: 'admin_command', userId: id });
    const first = await findUserEvents(db, [id, subject], { limit: 2 });
    expect(first).toMatchObject({ total: 3, events: [{ type: 'signed_out' }, { type: 'password_changed' }] });
    const next = await findUserEvents(db, [id, subject], { limit: 2, after: first.events[1]?.id });
    expect(next.events).toMatchObject([{ type: 'signed_in' }]);
    expect((await findUserEvents(db, [id], { limit: 2, after: randomUUID() })).events).toEqual([]);
  });

  it('are anonymous after erasure, and keep type and time', async () => {
    const userId = randomUUID();
    await post('/record', { type: 'email_changed', userId, details: { email: 'ana@example.org' } });
    const [{ id, occurredAt } = { id: '', occurredAt: null }] = await findByUser(userId);
    await anonymizeAuditEvents(db, [userId]);
    const erased = (await findAuditEvents(db, { types: ['email_changed'] }, 100)).find(
      (event) => event.id === id,
    );
    const anonymous = {
      userId: null,
      network: null,
      browser: null,
      system: null,
      requestId: null,
      details: {},
    };
    expect(erased).toMatchObject({ type: 'email_changed', occurredAt, ...anonymous });
  });
});

it('filters by type, user, network and time, and deletes by age in days', async () => {
  const userId = randomUUID();
  await post('/record', { type: 'signed_in', userId });
  const now = Date.now();
  const network = '203.0.113.0/24';
  const find = (filter: object) => findAuditEvents(db, { userId, ...filter }, 10);
  expect(await find({ types: ['signed_in'], network, since: new Date(now - 60_000) })).toHaveLength(1);
  expect(await find({ types: ['signed_out'] })).toEqual([]);
  expect(await find({ network: '198.51.100.0/24' })).toEqual([]);
  expect(await find({ until: new Date(now - 60_000) })).toEqual([]);
  await deleteAuditEvents(db, 1);
  expect(await find({})).toHaveLength(1);
  await deleteAuditEvents(db, 0);
  expect(await find({})).toEqual([]);
});

it('deletes more events than the timeout of a statement allows', async () => {
  await sql`create function time_out() returns trigger language plpgsql as $$
    begin
      if (select count(*) from removed) > 10000 then raise query_canceled; end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger time_out after delete on audit.event
    referencing old table as removed for each statement execute function time_out()`.execute(db);
  await sql`insert into audit.event (occurred_at, type, actor)
    select now() - interval '2 days', 'signed_out', 'user' from generate_series(1, 20001)`.execute(db);
  await deleteAuditEvents(db, 1);
  expect(await findAuditEvents(db, { types: ['signed_out'] }, 10)).toEqual([]);
});
