import { findAuditEvents, recordAuditEvent, runAsAdmin } from '@escucho/audit';
import { api } from '@escucho/contracts';
import { settleJobs } from '@escucho/jobs/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../testing/portal.ts';
import { jobQueue } from './repository.ts';
import { auditRetentionSchedule } from './service.ts';

const { call, send, createUser, db, clock } = await startPortal();
const { findSecurityEvents } = api.account;

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

describe('security events', () => {
  it('lists the events of the user at all services, newest first, a page at a time', async () => {
    const user = await createUser();
    await recordAuditEvent(db, { type: 'password_changed', userId: user.subject });
    await recordAuditEvent(db, { type: 'subscription_started', userId: user.id });
    await call(api.account.exportAccount, user.token, {}, { 'user-agent': userAgent });
    const first = await call(findSecurityEvents, user.token, { query: { limit: 2 } });
    expect(first).toMatchObject({
      totalDocs: 3,
      docs: [
        {
          type: 'data_exported',
          actor: 'user',
          isFailure: false,
          device: { browser: 'Chrome', system: 'Windows' },
          network: '127.0.0.0/24',
        },
        { type: 'subscription_started', actor: 'system', device: null, network: null },
      ],
    });
    const after = first.docs.at(-1)?.id;
    const second = await call(findSecurityEvents, user.token, { query: { limit: 2, after } });
    expect(second.docs.map(({ type }) => type)).toEqual(['password_changed']);
  });

  it('has no text of a User-Agent that names no known browser', async () => {
    const user = await createUser();
    const text = 'Your account was hacked. Call +1 555 0100/1 (Windows NT 10.0)';
    await call(api.account.exportAccount, user.token, {}, { 'user-agent': text });
    const { docs } = await call(findSecurityEvents, user.token, { query: {} });
    expect(docs.map(({ type, device }) => [type, device])).toEqual([['data_exported', null]]);
  });

  it('exports events of administrators without their account names', async () => {
    const { subject, token } = await createUser();
    const log = { info: () => {} };
    await runAsAdmin('admin-lucia', log, () =>
      recordAuditEvent(db, { type: 'account_enabled', userId: subject }),
    );
    const { records } = await call(api.account.exportAccount, token, {});
    const [, event] = records.security_event ?? [];
    expect(event).toMatchObject({ type: 'account_enabled', actor: 'admin' });
    expect(JSON.stringify(records)).not.toContain('admin-lucia');
  });

  it('contains no events of other users, nor of the administration', async () => {
    const [user, other] = [await createUser(), await createUser()];
    await recordAuditEvent(db, { type: 'signed_in', userId: other.subject });
    await recordAuditEvent(db, { type: 'admin_command', userId: user.id });
    const { docs } = await call(findSecurityEvents, other.token, { query: {} });
    expect(await call(findSecurityEvents, user.token, { query: {} })).toEqual({ docs: [], totalDocs: 0 });
    const query = { after: docs[0]?.id };
    expect((await call(findSecurityEvents, user.token, { query })).docs).toEqual([]);
  });

  it.each([
    ['after', 'x'],
    ['limit', 0],
    ['limit', 101],
  ])('refuses %s=%s with 400', async (name, value) => {
    const { token } = await createUser();
    const response = await send(findSecurityEvents, { token, query: { [name]: value } });
    expect([response.statusCode, response.json().error.fields[0].path]).toEqual([400, `query.${name}`]);
  });
});

it('audit events are deleted after a year', async () => {
  const { subject: userId } = await createUser();
  await recordAuditEvent(db, { type: 'signed_in', userId });
  const runJobAtAge = async (days: number) => {
    await sql`update audit.event set occurred_at = now() - make_interval(days => ${days})
      where user_id = ${userId}`.execute(db);
    await jobQueue.enqueue(db, auditRetentionSchedule.job, {});
    await settleJobs(db, jobQueue);
    return (await findAuditEvents(db, { userId }, 10)).length;
  };
  // A wrong clock of the process deletes nothing: events have the time of the database.
  clock.advance(2 * 365 * 86_400);
  expect(await runJobAtAge(364)).toBe(1);
  expect(await runJobAtAge(366)).toBe(0);
});
