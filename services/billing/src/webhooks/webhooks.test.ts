import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { settleJobs } from '@escucho/jobs/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { jobQueue } from '../jobs.ts';
import { DAY, startProvider } from '../testing/provider.ts';

const secret = 'a secret of the tests, long enough';
const received: { headers: Headers; body: string }[] = [];
const endpoint = { status: 200 };
const webhook = {
  url: 'https://portal.test/api/billing/events',
  secret,
  async send(_url: string, { headers, body }: RequestInit) {
    received.push({ headers: new Headers(headers), body: String(body) });
    return new Response('{}', { status: endpoint.status });
  },
};
const { newUser, buy, advanceClock, post, time, db } = await startProvider({ webhook });

interface WebhookBody {
  event: { id: string; type: string; app_user_id: string };
}
const listEvents = (user: string) =>
  received
    .map(({ body }): WebhookBody['event'] => JSON.parse(body).event)
    .filter(({ app_user_id: id }) => id === user);
const listTypes = (user: string) => listEvents(user).map(({ type }) => type);

beforeEach(() => {
  received.length = 0;
  endpoint.status = 200;
});

describe('webhook events', () => {
  it('[RCB-02] are delivered in order', async () => {
    const user = newUser();
    await buy(user);
    await settleJobs(db, jobQueue);
    expect(listTypes(user)).toEqual(['INITIAL_PURCHASE']);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 40 * DAY);
    await settleJobs(db, jobQueue);
    const issues = Array.from({ length: 4 }, () => 'BILLING_ISSUE');
    expect(listTypes(user).filter((type) => type !== 'CLOCK_MOVED')).toEqual([
      'INITIAL_PURCHASE',
      ...issues,
      'EXPIRATION',
    ]);
  });

  it('[RCB-02] are signed with their time and body', async () => {
    const user = newUser();
    await buy(user);
    await settleJobs(db, jobQueue);
    const [{ headers, body } = { headers: new Headers(), body: '' }] = received;
    const timestamp = time.now / 1000;
    const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    expect(headers.get('x-escucho-signature')).toBe(`t=${timestamp},v1=${mac}`);
  });

  it('[RCB-02] are repeated until accepted, before the next ones are sent', async () => {
    const user = newUser();
    endpoint.status = 503;
    await buy(user);
    await settleJobs(db, jobQueue);
    expect(listTypes(user)).toEqual(['INITIAL_PURCHASE']);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    await settleJobs(db, jobQueue, { advanceMs: 3000 });
    expect(new Set(listTypes(user))).toEqual(new Set(['INITIAL_PURCHASE']));
    endpoint.status = 200;
    await settleJobs(db, jobQueue, { advanceMs: 60_000 });
    expect(listTypes(user)).toContain('BILLING_ISSUE');
    const [first, second] = listEvents(user);
    expect(second).toEqual(first);
    expect(await db.selectFrom('webhook_event').select('id').execute()).toEqual([]);
  });

  it('[RCB-02] are not delivered by a redirect, which the sender would follow without them', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/events') response.writeHead(302, { location: '/sign-in' });
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const redirected = { url: `http://127.0.0.1:${port}/events`, secret };
    const { newUser, buy, db } = await startProvider({ webhook: redirected });
    await buy(newUser());
    await settleJobs(db, jobQueue);
    expect(await db.selectFrom('webhook_event').select('id').execute()).toHaveLength(1);
  });
});
