import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY, startProvider } from '../testing/provider.ts';

interface Told {
  webhookEvent: { id: string; type: string; app_user_id: string };
}

const secret = 'a secret of the tests, long enough';
const heard: { headers: Headers; body: string }[] = [];
const conduct = { status: 200 };
const listener = {
  url: 'https://portal.test/api/billing/webhookEvents',
  secret,
  async send(_address: string, { headers, body }: RequestInit) {
    heard.push({ headers: new Headers(headers), body: String(body) });
    return new Response('{}', { status: conduct.status });
  },
};
const { newUser, buy, advanceClock, post, time, db } = await startProvider({ listener });
const toWebhookEvents = (user: string) =>
  heard
    .map(({ body }): Told['webhookEvent'] => JSON.parse(body).webhookEvent)
    .filter(({ app_user_id: name }) => name === user);
const typesOf = (user: string) => toWebhookEvents(user).map(({ type }) => type);

/** However long the machine takes: the rounds are the server's own. */
const patience = { timeout: 25_000 };

beforeEach(() => {
  heard.length = 0;
  conduct.status = 200;
});

describe('what others are told', () => {
  it('[RCB-02] comes in its order, and at once', async () => {
    const user = newUser();
    await buy(user);
    await vi.waitFor(() => expect(typesOf(user)).toEqual(['INITIAL_PURCHASE']), patience);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 40 * DAY);
    const issues = Array.from({ length: 4 }, () => 'BILLING_ISSUE');
    await vi.waitFor(
      () =>
        expect(typesOf(user).filter((type) => type !== 'CLOCK_MOVED')).toEqual([
          ...['INITIAL_PURCHASE', ...issues, 'EXPIRATION'],
        ]),
      patience,
    );
  });

  it('[RCB-02] is signed over its time and body', async () => {
    const user = newUser();
    await buy(user);
    await vi.waitFor(() => expect(typesOf(user)).toHaveLength(1), patience);
    const [{ headers, body } = { headers: new Headers(), body: '' }] = heard;
    const seconds = time.now / 1000;
    const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    expect(headers.get('x-escucho-signature')).toBe(`t=${seconds},v1=${mac}`);
  });

  it('[RCB-02] is told again until it is heard, and nothing newer before', async () => {
    const user = newUser();
    conduct.status = 503;
    await buy(user);
    await vi.waitFor(() => expect(toWebhookEvents(user).length).toBe(1), patience);
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 31 * DAY);
    expect(typesOf(user)).toEqual(['INITIAL_PURCHASE']);
    conduct.status = 200;
    time.now += 2000;
    await vi.waitFor(() => expect(typesOf(user)).toContain('BILLING_ISSUE'), patience);
    const [first, second] = toWebhookEvents(user);
    expect(second).toEqual(first);
    const left = () => db.selectFrom('delivery').select('id').execute();
    await vi.waitFor(async () => expect(await left()).toEqual([]), patience);
  });
});
