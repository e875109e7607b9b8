import { describe, expect, it, vi } from 'vitest';
import { createBilling } from './billing.ts';
import { PurchasesError } from './errors.ts';
import { customerInfoRetry, isWorthRetry, offeringsRetry } from './retry.ts';
import { hastyClock, offeringsJson, productsJson, provider, subscribedJson } from './testing/provider.ts';

function open(
  replies: Parameters<typeof provider>[0],
  { apiKey = 'rcb_sb_key', clock = hastyClock().clock } = {},
) {
  const { fetch, heard } = provider(replies);
  const warn = vi.fn<(message: string) => void>();
  const options = { baseUrl: 'https://billing.test', apiKey, userId: 'reader 1', fetch, clock, warn };
  return { billing: createBilling(options), heard, warn };
}

const offers = {
  'GET /v1/subscribers/reader%201/offerings': { json: offeringsJson },
  'GET /rcbilling/v1/subscribers/reader%201/products?id=yearly&id=half&id=monthly': { json: productsJson },
};

describe('the six calls', () => {
  it.each([
    ['rcb_sb_key', 'true'],
    ['rcb_live_key', 'false'],
  ])('carry the headers of the protocol, with key %s', async (apiKey, sandbox) => {
    const { billing, heard } = open({ 'GET /rcbilling/v1/branding': { json: {} } }, { apiKey });
    await billing.branding();
    expect(Object.fromEntries(heard[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'x-platform': 'web',
      'x-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'x-is-sandbox': sandbox,
    });
  });

  it('offerings: then the products they speak of', async () => {
    const { billing, heard, warn } = open(offers);
    expect((await billing.offerings()).current?.packages).toHaveLength(3);
    expect(heard.map(({ method, path }) => `${method} ${path}`)).toEqual(Object.keys(offers));
    expect(warn).not.toHaveBeenCalled();
  });

  it('[SUB-03] offerings without anything to buy warn of the configuration, and ask for no products', async () => {
    const { billing, heard, warn } = open({
      'GET /v1/subscribers/reader%201/offerings': { json: { current_offering_id: null, offerings: [] } },
    });
    expect(await billing.offerings()).toEqual({ all: [], current: null });
    expect(heard).toHaveLength(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('configuration'));
  });

  it('branding: missing fields are null', async () => {
    const { billing } = open({
      'GET /rcbilling/v1/branding': {
        json: { id: 'b', app_icon: '/a.png', app_icon_webp: null, seller_company_name: 'Escucho' },
      },
    });
    expect(await billing.branding()).toEqual({ companyName: 'Escucho', icon: '/a.png', supportEmail: null });
  });

  it.each([
    ['a trial names its offer', 'trial', { offer_id: 'trial' }],
    ['the base option does not', 'base_option', {}],
  ])('subscribe: %s', async (_, optionId, named) => {
    const { billing, heard } = open({ ...offers, 'POST /rcbilling/v1/subscribe': { json: subscribedJson } });
    const pack = (await billing.offerings()).current?.packages[1];
    const option = pack?.product.options[optionId];
    if (!pack || !option) throw new Error('no such plan');
    expect(await billing.subscribe({ pack, option, email: 'ana@example.org' })).toEqual({
      session: 'session-1',
      card: { clientSecret: 'secret-1', publishableKey: 'key-1', accountId: 'account-1' },
    });
    expect(heard.at(-1)?.body).toEqual({
      app_user_id: 'reader 1',
      product_id: 'half',
      email: 'ana@example.org',
      presented_offering_identifier: 'default',
      ...named,
    });
  });

  it('a test card is confirmed at the sandbox', async () => {
    const { billing, heard } = open({ 'POST /sandbox/confirm': { json: {} } });
    await billing.confirmTestCard('secret-1', 'failed');
    expect(heard[0]?.body).toEqual({ client_secret: 'secret-1', outcome: 'failed' });
  });

  it.each([
    ['started', null],
    ['in_progress', undefined],
    ['succeeded', null],
    ['failed', { code: 3, message: 'Declined' }],
  ])('checkout: %s', async (status, error) => {
    const { billing } = open({
      'GET /rcbilling/v1/checkout/s%2F1': { json: { operation: { status, is_expired: false, error } } },
    });
    expect(await billing.operation('s/1')).toEqual({ status, errorCode: error?.code ?? null });
  });
});

describe('[SUB-06] what goes wrong', () => {
  const branding = 'GET /rcbilling/v1/branding';

  it.each([
    ['no network', 'no network', 'NetworkError'],
    [
      'a key that is not known',
      { status: 401, json: { code: 7225, message: 'Invalid API Key.' } },
      'InvalidCredentialsError',
    ],
    ['a server in trouble', { status: 500, json: { code: 7110 } }, 'UnknownBackendError'],
    ['a refusal that is no JSON', { status: 404, text: '<html>' }, 'UnknownBackendError'],
    ['a success that is no JSON', { text: '<html>' }, 'UnexpectedBackendResponseError'],
    ['a success of another shape', { json: { app_icon: 7 } }, 'UnexpectedBackendResponseError'],
  ] as const)('%s is a billing error', async (_, reply, code) => {
    const { billing } = open({ [branding]: reply });
    const error = await billing.branding().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PurchasesError);
    expect(error).toMatchObject({ code });
  });

  it('a provider that never answers is a network error after half a minute', async () => {
    const wait = vi.fn(async (milliseconds: number) => expect(milliseconds).toBe(30_000));
    const { billing } = open({ [branding]: 'silence' }, { clock: { now: () => 0, wait } });
    await expect(billing.branding()).rejects.toMatchObject({ code: 'NetworkError' });
  });

  it('an aborted call rejects with the reason, not with a network error', async () => {
    const { billing } = open({ [branding]: 'silence' });
    const given = new AbortController();
    const asked = billing.branding(given.signal);
    given.abort(new Error('closed'));
    await expect(asked).rejects.toThrow('closed');
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
  ])('a purchase begun with %s fails instead of waiting for ever', async (_, json) => {
    const { billing } = open({ ...offers, 'POST /rcbilling/v1/subscribe': { json } });
    const pack = (await billing.offerings()).current?.packages[0];
    if (!pack) throw new Error('no plan');
    const order = { pack, option: pack.product.defaultOption, email: 'ana@example.org' };
    await expect(billing.subscribe(order)).rejects.toMatchObject({ code: 'UnexpectedBackendResponseError' });
  });

  it('a purchase with an unknown status is an error', async () => {
    const { billing } = open({
      'GET /rcbilling/v1/checkout/s': { json: { operation: { status: 'paused' } } },
    });
    await expect(billing.operation('s')).rejects.toMatchObject({ code: 'UnexpectedBackendResponseError' });
  });
});

it.each([
  ['entitlements are a list', { entitlements: [] }],
  ['entitlements are missing', { entitlements: undefined }],
  ['a subscription is broken', { subscriptions: { yearly: { store: 7 } } }],
])('a subscriber whose %s is not read', async (_, parts) => {
  const subscriber = {
    first_seen: 'a',
    original_app_user_id: 'b',
    entitlements: {},
    subscriptions: {},
    non_subscriptions: {},
    ...parts,
  };
  const { billing } = open({ 'GET /v1/subscribers/reader%201': { json: { request_date: 'c', subscriber } } });
  await expect(billing.customerInfo()).rejects.toMatchObject({ code: 'UnexpectedBackendResponseError' });
});

describe('[SUB-03] trying again', () => {
  it.each([
    ['offerings', offeringsRetry, [3000, 6000, 9000]],
    ['customer info', customerInfoRetry, [5000, 10_000, 15_000]],
  ] as const)('%s: three more times, each after a longer wait', (_, rule, waits) => {
    const down = new PurchasesError('NetworkError');
    expect([1, 2, 3].map(rule.delay)).toEqual(waits);
    expect([1, 2, 3, 4].map((failures) => isWorthRetry(rule, failures, down))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['NetworkError', true],
    ['UnknownBackendError', true],
    ['InvalidCredentialsError', false],
    ['CustomerInfoError', false],
  ] as const)('after %s: %s', (code, worth) => {
    expect(isWorthRetry(offeringsRetry, 1, new PurchasesError(code))).toBe(worth);
  });
});
