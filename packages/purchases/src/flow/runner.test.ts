import { describe, expect, it, vi } from 'vitest';
import { createBilling } from '../billing.ts';
import type { PurchasesErrorCode } from '../errors.ts';
import { hastyClock, offeringsJson, productsJson, provider, subscribedJson } from '../testing/provider.ts';
import type { PurchaseState } from './machine.ts';
import { runPurchase, tooManyAttempts } from './runner.ts';

type Replies = Parameters<typeof provider>[0];

const standing = (status: string, code?: number) => ({
  json: {
    operation: { status, is_expired: false, error: code === undefined ? null : { code, message: '' } },
  },
});
const checkout = 'GET /rcbilling/v1/checkout/session-1';
const subscribe = 'POST /rcbilling/v1/subscribe';
const branding = 'GET /rcbilling/v1/branding';
const usual: Replies = {
  'GET /v1/subscribers/reader-1/offerings': { json: offeringsJson },
  'GET /rcbilling/v1/subscribers/reader-1/products?id=yearly&id=half&id=monthly': { json: productsJson },
  [branding]: { json: { seller_company_name: 'Escucho' } },
  [subscribe]: { json: subscribedJson },
  [checkout]: standing('succeeded'),
};

/** A purchase of the yearly plan. Out: what it went through, what was asked, what was waited for. */
async function purchase(replies: Replies, email: string | null = 'ana@example.org') {
  const { fetch, heard } = provider({ ...usual, ...replies });
  const { clock, waits } = hastyClock();
  const warn = () => undefined;
  const billing = createBilling({
    baseUrl: 'https://billing.test',
    apiKey: 'rcb_sb_1',
    userId: 'reader-1',
    fetch,
    clock,
    warn,
  });
  const pack = (await billing.offerings()).current?.packages[0];
  if (!pack) throw new Error('no plan');
  const states: PurchaseState[] = [];
  const onBranding = vi.fn();
  const onFinish = vi.fn<(error: PurchasesErrorCode | null) => void>();
  const running = runPurchase({
    billing,
    clock,
    order: { pack, option: pack.product.defaultOption },
    email,
    onState: (state) => states.push(state),
    onBranding,
    onFinish,
  });
  const reached = (at: PurchaseState['at']) =>
    expect.poll(() => states.at(-1)?.at, { timeout: 10_000 }).toBe(at);
  const asked = (path: string) => heard.filter(({ method, path: one }) => `${method} ${one}` === path).length;
  return { ...running, states, reached, asked, waits, onBranding, onFinish };
}

/** A purchase whose card was confirmed. */
async function paid(replies: Replies) {
  const run = await purchase(replies);
  await run.reached('needs-payment-info');
  run.waits.length = 0;
  run.send({ type: 'card-confirmed' });
  return run;
}

describe('a purchase', () => {
  it('[BUY-02] e-mail not known: asks for it, then the card, then waits, and ends in success', async () => {
    const run = await purchase({}, null);
    await run.reached('needs-auth-info');
    run.send({ type: 'email-given', email: 'ana@example.org' });
    await run.reached('needs-payment-info');
    run.send({ type: 'card-confirmed' });
    await run.reached('success');
    expect(run.states.map(({ at }) => at)).toEqual([
      'needs-auth-info',
      'processing-auth-info',
      'needs-payment-info',
      'polling-purchase-status',
      'success',
    ]);
    expect(run.onBranding).toHaveBeenCalledWith(expect.objectContaining({ companyName: 'Escucho' }));
    run.send({ type: 'continued' });
    expect(run.onFinish).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('[BUY-02] e-mail known and nothing to pay now: success at once', async () => {
    const run = await purchase({
      [subscribe]: { json: { ...subscribedJson, next_action: 'completed', data: {} } },
    });
    await run.reached('success');
    expect(run.states.map(({ at }) => at)).toEqual(['loading', 'success']);
    expect(run.asked(checkout)).toBe(0);
  });

  it.each([
    ['is not there', { status: 500 }],
    ['never comes', 'silence'],
  ] as const)('goes on when the branding %s', async (_, reply) => {
    const run = await purchase({ [branding]: reply }, null);
    await run.reached('needs-auth-info');
    expect(run.onBranding).not.toHaveBeenCalled();
  });

  it('[BUY-07] closed: finishes as cancelled and ignores later results', async () => {
    const run = await purchase({ [subscribe]: 'silence' });
    await run.reached('loading');
    run.send({ type: 'closed' });
    run.send({ type: 'closed' });
    expect(run.onFinish).toHaveBeenCalledExactlyOnceWith('UserCancelledError');
    expect(run.states.at(-1)?.at).toBe('loading');
  });

  it('stopped: no callback is called any more', async () => {
    const run = await purchase({}, null);
    run.stop();
    run.send({ type: 'closed' });
    expect([run.states, run.onFinish.mock.calls]).toEqual([[], []]);
  });

  it.each([
    ['[BUY-07] the product is active already', { status: 409, json: { code: 7772 } }, 'already-subscribed'],
    ['the offer is not known', { status: 404, json: { code: 7814 } }, 'setting-up'],
    ['the server is in trouble', { status: 500 }, 'setting-up'],
    ['there is no network', 'no network', 'network'],
    ['the next action is not known', { json: { ...subscribedJson, next_action: 'dance' } }, 'setting-up'],
    [
      '[BUY-06] the account is missing',
      { json: { ...subscribedJson, data: { client_secret: 'a' } } },
      'setting-up',
    ],
  ] as const)('%s: ends in the error screen', async (_, reply, kind) => {
    const run = await purchase({ [subscribe]: reply });
    await run.reached('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind } });
  });
});

describe('[BUY-04] polling', () => {
  it('asks at once, then every second while it is started or in progress', async () => {
    const run = await paid({
      [checkout]: [
        standing('started'),
        standing('in_progress'),
        standing('in_progress'),
        standing('succeeded'),
      ],
    });
    await run.reached('success');
    expect([run.asked(checkout), run.waits]).toEqual([4, [1000, 1000, 1000]]);
  });

  it('gives up after ten attempts', async () => {
    const run = await paid({ [checkout]: standing('in_progress') });
    await run.reached('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind: 'unknown', detail: tooManyAttempts } });
    expect(tooManyAttempts).toBe('Max attempts reached trying to get successful purchase status');
    expect(run.asked(checkout)).toBe(10);
  });

  it.each([
    [1, 'setting-up'],
    [2, 'setting-up'],
    [3, 'charging'],
    [77, 'unknown'],
    [undefined, 'unknown'],
  ] as const)('failed with %s: %s', async (code, kind) => {
    const run = await paid({ [checkout]: [standing('started'), standing('failed', code)] });
    await run.reached('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind } });
  });

  it('a server that is away for a moment counts as attempts, and success is still found', async () => {
    const run = await paid({ [checkout]: ['no network', { status: 503 }, standing('succeeded')] });
    await run.reached('success');
    expect(run.asked(checkout)).toBe(3);
  });

  it.each([
    ['never comes back', 'no network', 10, 'network'],
    ['refuses', { status: 404, json: { code: 7226 } }, 1, 'unknown'],
    ['talks nonsense', { json: { operation: { status: 'dancing' } } }, 1, 'unknown'],
    ['knows it as bought', { status: 409, json: { code: 7772 } }, 1, 'already-subscribed'],
  ] as const)('a server that %s ends in the error screen', async (_, reply, times, kind) => {
    const run = await paid({ [checkout]: reply });
    await run.reached('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind } });
    expect(run.asked(checkout)).toBe(times);
  });

  it('cannot be closed while the status is awaited, since the card may be charged by now', async () => {
    const run = await paid({ [checkout]: 'silence' });
    await run.reached('polling-purchase-status');
    run.send({ type: 'closed' });
    expect(run.onFinish).not.toHaveBeenCalled();
    run.stop();
  });
});
