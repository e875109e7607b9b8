import { describe, expect, it, vi } from 'vitest';
import { type BillingOptions, createBilling, customerInfoRetry, offeringsRetry } from './billing.ts';
import { PurchasesError } from './errors.ts';
import {
  createFakeClock,
  createFakeProvider,
  offeringsJson,
  productsJson,
  subscribedJson,
} from './testing/fake-provider.ts';

function open(
  replies: Parameters<typeof createFakeProvider>[0],
  { apiKey = 'rcb_sb_key', clock = createFakeClock().clock, ...more }: Partial<BillingOptions> = {},
) {
  const { fetch, requests } = createFakeProvider(replies);
  const warn = vi.fn<(message: string) => void>();
  const options = { baseUrl: 'https://billing.test', apiKey, userId: 'user 1', fetch, clock, warn, ...more };
  return { billing: createBilling(options), requests, warn };
}

const offers = {
  'GET /v1/subscribers/user%201/offerings': { json: offeringsJson },
  'GET /rcbilling/v1/subscribers/user%201/products?id=yearly&id=half&id=monthly': { json: productsJson },
};

describe('the six calls', () => {
  it.each([
    ['rcb_sb_key', 'true'],
    ['rcb_live_key', 'false'],
  ])('carry the headers of the protocol, with key %s', async (apiKey, sandbox) => {
    const { billing, requests } = open({ 'GET /rcbilling/v1/branding': { json: {} } }, { apiKey });
    await billing.branding();
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'x-platform': 'web',
      'x-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'x-is-sandbox': sandbox,
    });
  });

  it('requests the offerings, then their products', async () => {
    const { billing, requests, warn } = open(offers);
    expect((await billing.offerings()).current?.packages).toHaveLength(3);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Object.keys(offers));
    expect(warn).not.toHaveBeenCalled();
  });

  it('[SUB-03] offerings without packages log a warning and request no products', async () => {
    const { billing, requests, warn } = open({
      'GET /v1/subscribers/user%201/offerings': { json: { current_offering_id: null, offerings: [] } },
    });
    expect(await billing.offerings()).toEqual({ all: [], current: null });
    expect(requests).toHaveLength(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('configuration'));
  });

  it('converts missing fields of the branding to null', async () => {
    const { billing } = open({
      'GET /rcbilling/v1/branding': {
        json: { id: 'b', app_icon: '/a.png', app_icon_webp: null, seller_company_name: 'Escucho' },
      },
    });
    expect(await billing.branding()).toEqual({ companyName: 'Escucho', icon: '/a.png', supportEmail: null });
  });

  it.each([
    ['the offer id of a trial', 'trial', { offer_id: 'trial' }],
    ['no offer id for the base option', 'base_option', {}],
  ])('a purchase sends %s', async (_, optionId, offer) => {
    const { billing, requests } = open({
      ...offers,
      'POST /rcbilling/v1/subscribe': { json: subscribedJson },
    });
    const pack = (await billing.offerings()).current?.packages[1];
    const option = pack?.product.options[optionId];
    if (!pack || !option) throw new Error('no such plan');
    expect(await billing.subscribe({ pack, option, email: 'ana@example.org' })).toEqual({
      session: 'session-1',
      card: { clientSecret: 'secret-1', publishableKey: 'key-1', accountId: 'account-1' },
    });
    expect(requests.at(-1)?.body).toEqual({
      app_user_id: 'user 1',
      product_id: 'half',
      email: 'ana@example.org',
      presented_offering_identifier: 'default',
      ...offer,
    });
  });

  it.each([
    ['a token of the app’s server', async () => 'token-1', 'token-1'],
    ['no token where the provider requires none', async () => null, null],
  ])('buys with %s', async (_name, requestPurchaseToken, sent) => {
    const { billing, requests } = open(
      { ...offers, 'POST /rcbilling/v1/subscribe': { json: subscribedJson } },
      { requestPurchaseToken },
    );
    const pack = (await billing.offerings()).current?.packages[0];
    if (!pack) throw new Error('no such plan');
    await billing.subscribe({ pack, option: pack.product.defaultOption, email: 'ana@example.org' });
    expect(requests.map(({ headers }) => headers.get('x-purchase-token'))).toEqual([null, null, sent]);
  });

  it('confirms a test card at the sandbox', async () => {
    const { billing, requests } = open({ 'POST /sandbox/confirm': { json: {} } });
    await billing.confirmTestCard('secret-1', 'failed');
    expect(requests[0]?.body).toEqual({ client_secret: 'secret-1', outcome: 'failed' });
  });

  it.each([
    ['started', null],
    ['in_progress', undefined],
    ['succeeded', null],
    ['failed', { code: 3, message: 'Declined' }],
  ])('reads the status %s of a purchase', async (status, error) => {
    const { billing } = open({
      'GET /rcbilling/v1/checkout/s%2F1': { json: { operation: { status, is_expired: false, error } } },
    });
    expect(await billing.operation('s/1')).toEqual({ status, errorCode: error?.code ?? null });
  });
});

describe('[SUB-06] errors', () => {
  const branding = 'GET /rcbilling/v1/branding';

  it.each([
    ['no network', 'no network', 'NetworkError'],
    [
      'an unknown key',
      { status: 401, json: { code: 7225, message: 'Invalid API Key.' } },
      'InvalidCredentialsError',
    ],
    ['a server error', { status: 500, json: { code: 7110 } }, 'UnknownBackendError'],
    ['a refusal without JSON', { status: 404, text: '<html>' }, 'UnknownBackendError'],
    ['a success without JSON', { text: '<html>' }, 'UnexpectedBackendResponseError'],
    ['a success of another shape', { json: { app_icon: 7 } }, 'UnexpectedBackendResponseError'],
  ] as const)('%s becomes a billing error', async (_, reply, code) => {
    const { billing } = open({ [branding]: reply });
    const error = await billing.branding().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PurchasesError);
    expect(error).toMatchObject({ code });
  });

  it('a request without a response is a network error after 30 seconds', async () => {
    const wait = vi.fn(async (milliseconds: number) => expect(milliseconds).toBe(30_000));
    const { billing } = open({ [branding]: 'silence' }, { clock: { now: () => 0, wait } });
    await expect(billing.branding()).rejects.toMatchObject({ code: 'NetworkError' });
  });

  it('an aborted call rejects with the reason, not with a network error', async () => {
    const { billing } = open({ [branding]: 'silence' });
    const controller = new AbortController();
    const response = billing.branding(controller.signal);
    controller.abort(new Error('closed'));
    await expect(response).rejects.toThrow('closed');
  });

  it.each([
    ['an unknown next action', { ...subscribedJson, next_action: 'redirect' }],
    ['no payment data', { ...subscribedJson, data: null }],
    ['no client secret', { ...subscribedJson, data: { ...subscribedJson.data, client_secret: '' } }],
    [
      '[BUY-06] no publishable key',
      { ...subscribedJson, data: { ...subscribedJson.data, publishable_api_key: null } },
    ],
    [
      '[BUY-06] no account id',
      { ...subscribedJson, data: { ...subscribedJson.data, stripe_account_id: undefined } },
    ],
  ])('a purchase that starts with %s is refused', async (_, json) => {
    const { billing } = open({ ...offers, 'POST /rcbilling/v1/subscribe': { json } });
    const pack = (await billing.offerings()).current?.packages[0];
    if (!pack) throw new Error('no plan');
    const order = { pack, option: pack.product.defaultOption, email: 'ana@example.org' };
    await expect(billing.subscribe(order)).rejects.toMatchObject({ code: 'UnexpectedBackendResponseError' });
  });

  it('refuses an unknown status of a purchase', async () => {
    const { billing } = open({
      'GET /rcbilling/v1/checkout/s': { json: { operation: { status: 'paused' } } },
    });
    await expect(billing.operation('s')).rejects.toMatchObject({ code: 'UnexpectedBackendResponseError' });
  });
});

it.each([
  ['entitlements are a list', { entitlements: [] }],
  ['entitlements are missing', { entitlements: undefined }],
  ['a subscription is invalid', { subscriptions: { yearly: { store: 7 } } }],
])('refuses a subscriber whose %s', async (_, fields) => {
  const subscriber = {
    first_seen: 'a',
    original_app_user_id: 'b',
    entitlements: {},
    subscriptions: {},
    non_subscriptions: {},
    ...fields,
  };
  const { billing } = open({ 'GET /v1/subscribers/user%201': { json: { request_date: 'c', subscriber } } });
  await expect(billing.customerInfo()).rejects.toMatchObject({ code: 'UnexpectedBackendResponseError' });
});

it.each([
  ['offerings', offeringsRetry, [3000, 6000, 9000]],
  ['customer info', customerInfoRetry, [5000, 10_000, 15_000]],
] as const)('[SUB-03] %s: retried three times, whatever failed', (_, { retry, retryDelay }, delays) => {
  expect(Array.from({ length: retry }, (_, failures) => retryDelay(failures))).toEqual(delays);
});
