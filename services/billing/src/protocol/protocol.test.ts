import { describe, expect, it } from 'vitest';
import { DAY, startProvider } from '../testing/provider.ts';

const {
  get,
  post,
  newUser,
  requestPurchase,
  subscribe,
  confirmCard,
  getStatus,
  buy,
  getInfo,
  advanceClock,
  keys,
  app,
  time,
} = await startProvider();

describe('the catalogue', () => {
  it('[RCB-01] has three packages in one current offering', async () => {
    const { status, body } = await get(`/v1/subscribers/${newUser()}/offerings`);
    expect(status).toBe(200);
    expect(body.current_offering_id).toBe('default');
    expect(body.offerings[0].packages).toEqual([
      { identifier: '$rc_annual', platform_product_identifier: 'escucho_yearly' },
      { identifier: '$rc_six_month', platform_product_identifier: 'escucho_six_month' },
      { identifier: '$rc_monthly', platform_product_identifier: 'escucho_monthly' },
    ]);
  });

  it('[RCB-01] has prices in minor units and omits unknown products', async () => {
    const ids = 'id=escucho_yearly&id=escucho_six_month&id=escucho_monthly&id=nothing';
    const { body } = await get(`/rcbilling/v1/subscribers/${newUser()}/products?${ids}`);
    const prices = body.product_details.map((product: { subscription_options: Record<string, object> }) => [
      product.subscription_options.base_option,
    ]);
    expect(prices).toMatchObject([
      [{ base: { period_duration: 'P1Y', price: { amount: 2700, currency: 'USD' } }, trial: null }],
      [{ base: { period_duration: 'P6M', price: { amount: 1500, currency: 'USD' } }, trial: null }],
      [{ base: { period_duration: 'P1M', price: { amount: 300, currency: 'USD' } }, trial: null }],
    ]);
  });

  it('[RCB-01] offers a trial of three days to a user without purchases', async () => {
    const user = newUser();
    const product = async () =>
      (await get(`/rcbilling/v1/subscribers/${user}/products?id=escucho_monthly`)).body.product_details[0];
    expect(await product()).toMatchObject({
      default_subscription_option_id: 'trial',
      subscription_options: { trial: { id: 'trial', trial: { period_duration: 'P3D', price: null } } },
    });
    await buy(user);
    expect(await product()).toMatchObject({ default_subscription_option_id: 'base_option' });
    expect((await product()).subscription_options.trial).toBeUndefined();
  });

  it('[RCB-01] has a seller, with icon keys even without an icon', async () => {
    expect((await get('/rcbilling/v1/branding')).body).toEqual({
      id: 'escucho',
      app_icon: null,
      app_icon_webp: null,
      seller_company_name: 'Escucho',
      seller_company_support_email: 'support@escucho.example',
    });
  });
});

describe('a subscriber', () => {
  it('[RCB-01] is created by the first request, without entitlements', async () => {
    const user = newUser();
    const first = await get(`/v1/subscribers/${user}`);
    expect([first.status, (await get(`/v1/subscribers/${user}`)).status]).toEqual([201, 200]);
    expect(first.body.subscriber).toMatchObject({
      original_app_user_id: user,
      entitlements: {},
      subscriptions: {},
      non_subscriptions: {},
      management_url: 'https://escucho.test/settings/subscription',
    });
  });

  it.each([
    'no_user',
    'null',
    'none',
    'nil',
    '(null)',
    'NaN',
    'unidentified',
    'undefined',
    'unknown',
    'a/b',
    'a\0',
  ])('[SUB-05] cannot have the id %j', async (name) => {
    const path = encodeURIComponent(name);
    for (const answer of [
      await get(`/v1/subscribers/${path}`),
      await get(`/v1/subscribers/${path}/offerings`),
      await get(`/rcbilling/v1/subscribers/${path}/products?id=escucho_monthly`),
      await requestPurchase(name, {}, undefined, 'any'),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 7220 } });
    }
  });
});

describe('a purchase', () => {
  it('[RCB-01] requires a card, is paid with it and gives access', async () => {
    const user = newUser();
    const { operation_session_id: session, next_action: next, data } = await subscribe(user);
    expect(next).toBe('collect_payment_info');
    expect(session).toMatch(/^[\w-]+$/);
    expect(Object.values(data).every((value) => value.length > 0)).toBe(true);
    expect(await getStatus(session)).toEqual({ status: 'started', is_expired: false, error: null });
    await confirmCard(data.client_secret);
    expect(await getStatus(session)).toEqual({ status: 'succeeded', is_expired: false, error: null });
    expect(await getInfo(user)).toMatchObject({
      entitlements: {
        premium: { product_identifier: 'escucho_monthly', expires_date: '2026-12-20T10:00:00Z' },
      },
      subscriptions: {
        escucho_monthly: {
          purchase_date: '2026-11-20T10:00:00Z',
          expires_date: '2026-12-20T10:00:00Z',
          is_sandbox: true,
          period_type: 'normal',
          store: 'rc_billing',
          unsubscribe_detected_at: null,
          billing_issues_detected_at: null,
        },
      },
    });
  });

  it('[RCB-01] with a trial charges nothing at first', async () => {
    const user = newUser();
    await buy(user, { offer_id: 'trial' });
    expect((await getInfo(user)).subscriptions.escucho_monthly).toMatchObject({
      period_type: 'trial',
      expires_date: '2026-11-23T10:00:00Z',
    });
  });

  it('[RCB-02] with a refused card form fails without access', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    await confirmCard(data.client_secret, 'failed');
    expect(await getStatus(session)).toMatchObject({ status: 'failed', error: { code: 3 } });
    expect((await getInfo(user)).entitlements).toEqual({});
  });

  it('[RCB-02] with a refused charge fails without access', async () => {
    const user = newUser();
    const session = await buy(user, {}, { charges: 'failed' });
    expect(await getStatus(session)).toMatchObject({ status: 'failed', error: { code: 3 } });
    expect((await getInfo(user)).entitlements).toEqual({});
  });

  it('[BUY-07] is refused to a subscriber', async () => {
    const user = newUser();
    await buy(user);
    const again = await requestPurchase(user);
    expect(again).toMatchObject({ status: 409, body: { code: 7772 } });
  });

  it('[BUY-07] in two windows at once is paid in one', async () => {
    const user = newUser();
    const windows = await Promise.all([subscribe(user), subscribe(user, { product_id: 'escucho_yearly' })]);
    await Promise.all(windows.map(({ data }) => confirmCard(data.client_secret)));
    const poll = ({ operation_session_id: id }: { operation_session_id: string }) =>
      get(`/rcbilling/v1/checkout/${id}`);
    await Promise.all(windows.map(poll));
    const ends = (await Promise.all(windows.map(poll))).toSorted((a, b) => a.status - b.status);
    expect(ends).toMatchObject([
      { status: 200, body: { operation: { status: 'succeeded' } } },
      { status: 409, body: { code: 7772 } },
    ]);
    expect(Object.keys((await getInfo(user)).subscriptions)).toHaveLength(1);
  });

  it('[RCB-02] is paid once when the card form is sent several times', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    await Promise.all(
      ['succeeded', 'succeeded', 'failed'].map((each) => confirmCard(data.client_secret, each)),
    );
    expect((await getStatus(session)).status).toMatch(/succeeded|failed/);
    const { body } = await post('/sandbox/confirm', { client_secret: data.client_secret, outcome: 'failed' });
    expect(body.outcome).toMatch(/succeeded|failed/);
  });

  it.each([
    ['an invalid e-mail', { email: 'nobody' }, 400, 7012],
    ['no e-mail', { email: undefined }, 400, 7226],
    ['an unknown product', { product_id: 'nothing' }, 404, 7226],
    ['an unknown offering', { presented_offering_identifier: 'nothing' }, 400, 7226],
    ['an unknown offer', { offer_id: 'nothing' }, 404, 7814],
    ['an empty user id', { app_user_id: '' }, 400, 7220],
    ['a product that is not a string', { product_id: { $gt: '' } }, 400, 7226],
  ])('[RCB-01] of %s is refused', async (_name, fields, status, code) => {
    const answer = await requestPurchase(newUser(), fields);
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  it('[RCB-01] with a trial is refused after a trial', async () => {
    const user = newUser();
    await buy(user, { offer_id: 'trial' });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await post('/sandbox/advance', { app_user_id: user, seconds: 4 * 86_400 });
    expect(await requestPurchase(user, { offer_id: 'trial' })).toMatchObject({
      status: 403,
      body: { code: 7232 },
    });
  });

  it('[RCB-01] with a trial, started beside another, gives no second trial after it', async () => {
    const user = newUser();
    const pending = await subscribe(user, { offer_id: 'trial' });
    await buy(user, { offer_id: 'trial' });
    await post('/sandbox/card', { app_user_id: user, charges: 'failed' });
    await advanceClock(user, 4 * DAY);
    await confirmCard(pending.data.client_secret);
    expect(await getStatus(pending.operation_session_id)).toMatchObject({
      status: 'failed',
      error: { code: 1 },
    });
    expect(Object.keys((await getInfo(user)).subscriptions)).toEqual(['escucho_monthly']);
  });

  it('[RCB-01] whose card form is completed after an hour is not charged', async () => {
    const user = newUser();
    const { data, operation_session_id: session } = await subscribe(user);
    time.now += 3_600_000;
    expect(await getStatus(session)).toEqual({ status: 'started', is_expired: true, error: null });
    await confirmCard(data.client_secret);
    expect(await getStatus(session)).toMatchObject({ status: 'failed', error: { code: 1 } });
    time.now -= 3_600_000;
  });

  it('[RCB-01] with an unknown session is not found', async () => {
    expect(await get('/rcbilling/v1/checkout/nothing')).toMatchObject({ status: 404, body: { code: 7226 } });
  });
});

describe('keys', () => {
  it.each(['', 'rcb_wrong', 'rcb_sb_', `${keys.sandbox}x`])('[RCB-01] refuses %j', async (key) => {
    const answer = await get(`/v1/subscribers/${newUser()}`, key);
    expect(answer).toMatchObject({ status: 401, body: { code: 7225, message: 'Invalid API Key.' } });
  });

  it('[RCB-01] of servers cannot buy', async () => {
    const answer = await requestPurchase(newUser(), {}, keys.secret);
    expect(answer).toMatchObject({ status: 403, body: { code: 7243 } });
  });

  it('[RCB-02] for production cannot buy without a gateway', async () => {
    const answer = await requestPurchase(newUser(), {}, keys.production);
    expect(answer).toMatchObject({ status: 422, body: { code: 7101 } });
  });
});

describe('the envelope', () => {
  it('[RCB-01] answers unknown paths and malformed bodies with a code', async () => {
    expect(await get('/nothing/here')).toMatchObject({ status: 404, body: { code: 7226 } });
    expect(await post('/rcbilling/v1/subscribe', '{')).toMatchObject({ status: 400, body: { code: 7226 } });
  });

  it.each([
    ['an incomplete escape', '/v1/subscribers/100%/offerings', 400],
    ['a very long id', `/v1/subscribers/${'a'.repeat(600)}`, 404],
    ['an id that is too long', `/v1/subscribers/${'a'.repeat(101)}`, 400],
    ['no id', '/v1/subscribers/', 400],
    ['an unknown path', '/v1/subscribers/ana/', 404],
  ])('[RCB-01] answers an address with %s as well', async (_name, path, status) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status, body: { code: expect.any(Number), message: expect.any(String) } });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('[RCB-01] allows the protocol’s headers from any origin', async () => {
    const answer = await app.inject({ method: 'OPTIONS', url: '/billing/rcbilling/v1/subscribe' });
    const allowed = String(answer.headers['access-control-allow-headers']);
    for (const name of [
      'authorization',
      'x-purchase-token',
      'content-type',
      'accept',
      'x-platform',
      'x-version',
      'x-is-sandbox',
    ]) {
      expect(allowed).toContain(name);
    }
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});
