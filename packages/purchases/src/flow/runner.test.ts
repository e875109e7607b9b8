import { describe, expect, it, vi } from 'vitest';
import { createBilling } from '../billing.ts';
import type { PurchasesError } from '../errors.ts';
import {
  createFakeClock,
  createFakeProvider,
  offeringsJson,
  productsJson,
  subscribedJson,
} from '../testing/fake-provider.ts';
import type { PurchaseState } from './machine.ts';
import { MAX_ATTEMPTS_MESSAGE, runPurchase } from './runner.ts';

type Replies = Parameters<typeof createFakeProvider>[0];

const operation = (status: string, code?: number) => ({
  json: {
    operation: { status, is_expired: false, error: code === undefined ? null : { code, message: '' } },
  },
});
const checkout = 'GET /rcbilling/v1/checkout/session-1';
const subscribe = 'POST /rcbilling/v1/subscribe';
const branding = 'GET /rcbilling/v1/branding';
const usual: Replies = {
  'GET /v1/subscribers/user-1/offerings': { json: offeringsJson },
  'GET /rcbilling/v1/subscribers/user-1/products?id=yearly&id=half&id=monthly': { json: productsJson },
  [branding]: { json: { seller_company_name: 'Escucho' } },
  [subscribe]: { json: subscribedJson },
  [checkout]: operation('succeeded'),
};

/** Starts a purchase of the yearly plan. Returns its states, and functions that inspect its requests and waits. */
async function startPurchase(
  replies: Replies,
  { email = 'ana@example.org', productId }: { email?: string | null; productId?: string } = {},
) {
  const { fetch, requests } = createFakeProvider({ ...usual, ...replies });
  const { clock, waits } = createFakeClock();
  const warn = () => undefined;
  const billing = createBilling({
    baseUrl: 'https://billing.test',
    apiKey: 'rcb_sb_1',
    userId: 'user-1',
    fetch,
    clock,
    warn,
  });
  const pack = (await billing.offerings()).current?.packages[0];
  if (!pack) throw new Error('no plan');
  const states: PurchaseState[] = [];
  const onBranding = vi.fn();
  const onFinish = vi.fn<(error: PurchasesError | null) => void>();
  const running = runPurchase({
    billing,
    clock,
    order: {
      pack: { ...pack, product: { ...pack.product, identifier: productId ?? pack.product.identifier } },
      option: pack.product.defaultOption,
    },
    email,
    onState: (state) => states.push(state),
    onBranding,
    onFinish,
  });
  const waitForState = (at: PurchaseState['at']) =>
    expect.poll(() => states.at(-1)?.at, { timeout: 30_000 }).toBe(at);
  const listRequests = (target: string) =>
    requests.filter(({ method, path }) => `${method} ${path}` === target);
  return { ...running, states, waitForState, listRequests, waits, onBranding, onFinish };
}

async function confirmCard(replies: Replies) {
  const run = await startPurchase(replies);
  await run.waitForState('needs-payment-info');
  run.waits.length = 0;
  run.send({ type: 'card-confirmed' });
  return run;
}

describe('a purchase', () => {
  it('[BUY-02] without a known e-mail asks for it, then for the card, polls and succeeds', async () => {
    const run = await startPurchase({}, { email: null });
    await run.waitForState('needs-auth-info');
    run.send({ type: 'email-submitted', email: 'ana@example.org' });
    await run.waitForState('needs-payment-info');
    run.send({ type: 'card-confirmed' });
    await run.waitForState('success');
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

  it('[BUY-02] with a known e-mail and nothing to pay succeeds at once', async () => {
    const run = await startPurchase({
      [subscribe]: { json: { ...subscribedJson, next_action: 'completed', data: {} } },
    });
    await run.waitForState('success');
    expect(run.states.map(({ at }) => at)).toEqual(['loading', 'success']);
    expect(run.listRequests(checkout)).toHaveLength(0);
  });

  it('[BUY-02] asks for the e-mail when the provider refuses the known one', async () => {
    const refusal = { status: 400, json: { code: 7012, message: 'The email address is not valid.' } };
    const run = await startPurchase({ [subscribe]: [refusal, { json: subscribedJson }] });
    await run.waitForState('needs-auth-info');
    run.send({ type: 'email-submitted', email: 'ben@example.org' });
    await run.waitForState('needs-payment-info');
    expect(run.states.map(({ at }) => at)).toEqual([
      'loading',
      'needs-auth-info',
      'processing-auth-info',
      'needs-payment-info',
    ]);
  });

  it('[BUY-02] starts again with another e-mail when the user changes it before payment', async () => {
    const run = await startPurchase({});
    await run.waitForState('needs-payment-info');
    run.send({ type: 'email-change-requested' });
    run.send({ type: 'email-submitted', email: 'ben@example.org' });
    await run.waitForState('needs-payment-info');
    expect(run.states.at(-1)).toMatchObject({ email: 'ben@example.org' });
    expect(run.listRequests(subscribe).map(({ body }) => body)).toMatchObject([
      { email: 'ana@example.org' },
      { email: 'ben@example.org' },
    ]);
  });

  it('[SUB-06] without a product id ends in the error screen and starts nothing', async () => {
    const run = await startPurchase({}, { productId: '' });
    await run.waitForState('error');
    run.send({ type: 'continued' });
    expect(run.onFinish.mock.calls).toMatchObject([
      [{ code: 'StoreProblemError', message: 'Product ID was not set before purchase.' }],
    ]);
    expect(run.listRequests(subscribe)).toHaveLength(0);
  });

  it.each([
    ['fails', { status: 500 }],
    ['is never answered', 'silence'],
  ] as const)('continues when the request for the branding %s', async (_, reply) => {
    const run = await startPurchase({ [branding]: reply }, { email: null });
    await run.waitForState('needs-auth-info');
    expect(run.onBranding).not.toHaveBeenCalled();
  });

  it('[BUY-07] closed, finishes as cancelled and ignores pending results', async () => {
    const run = await startPurchase({ [subscribe]: 'silence' });
    await run.waitForState('loading');
    run.send({ type: 'closed' });
    run.send({ type: 'closed' });
    expect(run.onFinish).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'UserCancelledError' }),
    );
    expect(run.states.at(-1)?.at).toBe('loading');
  });

  it('stopped, calls no callback', async () => {
    const run = await startPurchase({}, { email: null });
    run.stop();
    run.send({ type: 'closed' });
    expect([run.states, run.onFinish.mock.calls]).toEqual([[], []]);
  });

  it.each([
    ['[BUY-07] the product is active already', { status: 409, json: { code: 7772 } }, 'already-subscribed'],
    ['the offer is unknown', { status: 404, json: { code: 7814 } }, 'setting-up'],
    ['the server fails', { status: 500 }, 'setting-up'],
    ['there is no network', 'no network', 'network'],
    ['the next action is unknown', { json: { ...subscribedJson, next_action: 'redirect' } }, 'setting-up'],
    [
      '[BUY-06] the account is missing',
      { json: { ...subscribedJson, data: { client_secret: 'a' } } },
      'setting-up',
    ],
  ] as const)('%s: ends in the error screen', async (_, reply, kind) => {
    const run = await startPurchase({ [subscribe]: reply });
    await run.waitForState('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind } });
  });
});

describe('[BUY-04] polling', () => {
  it('polls at once, then every second while it is started or in progress', async () => {
    const run = await confirmCard({
      [checkout]: [
        operation('started'),
        operation('in_progress'),
        operation('in_progress'),
        operation('succeeded'),
      ],
    });
    await run.waitForState('success');
    expect([run.listRequests(checkout).length, run.waits]).toEqual([4, [1000, 1000, 1000]]);
  });

  it('stops after ten attempts', async () => {
    const run = await confirmCard({ [checkout]: operation('in_progress') });
    await run.waitForState('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind: 'unknown', detail: MAX_ATTEMPTS_MESSAGE } });
    expect(MAX_ATTEMPTS_MESSAGE).toBe('Max attempts reached trying to get successful purchase status');
    expect(run.listRequests(checkout)).toHaveLength(10);
  });

  it.each([
    [1, 'setting-up'],
    [2, 'setting-up'],
    [3, 'charging'],
    [77, 'unknown'],
    [undefined, 'unknown'],
  ] as const)('failed with %s: %s', async (code, kind) => {
    const run = await confirmCard({ [checkout]: [operation('started'), operation('failed', code)] });
    await run.waitForState('error');
    expect(run.states.at(-1)).toMatchObject({ failure: { kind } });
  });

  it('counts failed polls as attempts, and still finds the success', async () => {
    const run = await confirmCard({ [checkout]: ['no network', { status: 503 }, operation('succeeded')] });
    await run.waitForState('success');
    expect(run.listRequests(checkout)).toHaveLength(3);
  });

  it.each([
    ['cannot be reached', 'no network', 10, 'unknown', MAX_ATTEMPTS_MESSAGE],
    ['always fails', { status: 503 }, 10, 'unknown', MAX_ATTEMPTS_MESSAGE],
    ['refuses', { status: 404, json: { code: 7226 } }, 1, 'unknown', null],
    ['sends an unknown status', { json: { operation: { status: 'paused' } } }, 1, 'unknown', null],
    ['reports an active plan', { status: 409, json: { code: 7772 } }, 1, 'already-subscribed', null],
  ] as const)('a server that %s ends in the error screen', async (_, reply, times, kind, detail) => {
    const run = await confirmCard({ [checkout]: reply });
    await run.waitForState('error');
    expect(run.states.at(-1)).toEqual({ at: 'error', failure: { kind, detail } });
    expect(run.listRequests(checkout)).toHaveLength(times);
  });

  it('cannot be closed while the status is polled', async () => {
    const run = await confirmCard({ [checkout]: 'silence' });
    await run.waitForState('polling-purchase-status');
    run.send({ type: 'closed' });
    expect(run.onFinish).not.toHaveBeenCalled();
    run.stop();
  });
});
