import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { openDatabase } from '@escucho/database';
import { seedAccount } from '@escucho/identity';
import { createJobQueue } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { password, prepareProduct, signInByPassword } from './testing/product.ts';

/** Builds the product on its own database, with additional environment variables. */
async function createProduct(env: NodeJS.ProcessEnv = {}) {
  const { build, ...product } = await prepareProduct();
  const { app } = await build({
    IDENTITY_ALLOW: 'USER_PASSWORD_AUTH',
    // A public URL that does not lead here: the services must not need it to reach each other.
    PUBLIC_URL: 'https://escucho.invalid',
    DEMO: 'true',
    ...env,
  });
  return { ...product, app };
}
const { app, connection, directory, instance } = await createProduct();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'billing test', maxConnections: 1 });
afterAll(() => db.destroy());
const { billing } = (await app.inject('/config.json')).json();

/** Creates a user who is signed in; `call` sends requests to the API as this user. */
async function createUser(name: string) {
  const email = `${name}@escucho.test`;
  const { userPoolId: poolId, identitySecret: secret, clientId } = instance;
  const account = { email, password, firstName: 'Ana', lastName: 'Ruiz' };
  await seedAccount({ connection, poolId, secret }, account);
  const { AccessToken } = await signInByPassword(app, clientId, email);
  const authorization = `Bearer ${AccessToken}`;
  const call = async ({ method, path }: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }) =>
    (await app.inject({ method, url: `/api${path}`, headers: { authorization } })).json();
  return { call, id: String((await call(api.auth.me)).user._id) };
}

type TestUser = Awaited<ReturnType<typeof createUser>>;

const post = async (url: string, payload: object, headers: Record<string, string> = {}) =>
  (
    await app.inject({
      method: 'POST',
      url: `/billing${url}`,
      payload,
      headers: { authorization: `Bearer ${billing.apiKey}`, ...headers },
    })
  ).json();

const subscribe = (id: string, token: string) =>
  post(
    '/rcbilling/v1/subscribe',
    {
      app_user_id: id,
      product_id: 'escucho_monthly',
      email: 'ana@user.test',
      presented_offering_identifier: 'default',
    },
    { 'x-purchase-token': token },
  );

async function buy({ call, id }: TestUser) {
  const { data } = await subscribe(id, (await call(api.subscription.createPurchaseToken)).token);
  await post('/sandbox/confirm', { client_secret: data.client_secret, outcome: 'succeeded' });
}

describe('the product', () => {
  it('[RCB-01] publishes its billing provider and a sandbox key', () => {
    expect(billing.baseUrl).toBe('https://escucho.invalid/billing');
    expect(billing.apiKey).toMatch(/^rcb_sb_\w{28}$/);
  });

  it('[RCB-02] activates the subscription after a payment and ends it at its expiry', async () => {
    const user = await createUser('buyer');
    const { call, id } = user;
    const isActive = async () => (await call(api.auth.me)).subscription.isActive;
    expect(await isActive()).toBe(false);
    await buy(user);
    await expect.poll(isActive).toBe(true);
    await call(api.subscription.cancelSubscription);
    expect(await isActive()).toBe(true);
    await post('/sandbox/advance', { app_user_id: id, seconds: 32 * 86_400 });
    await expect.poll(isActive).toBe(false);
    expect((await call(api.subscription.findReceipts)).docs).toHaveLength(1);
  });

  it('[RCB-01] sells to nobody without a purchase token of the signed-in user', async () => {
    const [owner, other] = [await createUser('first'), await createUser('second')];
    const { token } = await other.call(api.subscription.createPurchaseToken);
    expect(await subscribe(owner.id, '')).toMatchObject({ reason: 'purchase_token_required' });
    expect(await subscribe(owner.id, token)).toMatchObject({ reason: 'purchase_token_foreign' });
    expect(await subscribe(other.id, token)).toMatchObject({ next_action: 'collect_payment_info' });
  });

  it('[SUB-07] returns the user’s own subscription at once after the purchase', async () => {
    const user = await createUser('owner');
    await buy(user);
    const { current, subscription } = await user.call(api.subscription.findSubscription);
    expect(current.plan.product).toBe('escucho_monthly');
    expect(subscription).toMatchObject({ isActive: true, willRenew: true, store: 'rc_billing' });
  });

  it('[SHELL-03] ends the subscription of a deleted account', async () => {
    const user = await createUser('leaver');
    const { call, id } = user;
    await buy(user);
    expect(await call(api.account.deleteAccount)).toEqual({});
    await settleJobs(db, createJobQueue('portal'));
    const response = await app.inject({
      url: `/billing/v1/subscribers/${id}`,
      headers: { authorization: `Bearer ${billing.apiKey}` },
    });
    expect(response.json().subscriber.entitlements).toEqual({});
  });
});

describe('installations without demo mode', () => {
  const production = {
    DEMO: undefined,
    NODE_ENV: 'production',
    TRUST_PROXY: 'loopback',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@escucho.test',
  };

  it('[RCB-02] have no sandbox, and sell nothing without keys', async () => {
    const { app } = await createProduct(production);
    expect((await app.inject('/config.json')).json().billing).toBeNull();
    const confirmation = await app.inject({ method: 'POST', url: '/billing/sandbox/confirm', payload: {} });
    expect(confirmation.statusCode).toBe(404);
    const subscriber = await app.inject({
      url: '/billing/v1/subscribers/somebody',
      headers: { authorization: `Bearer ${billing.apiKey}` },
    });
    expect([subscriber.statusCode, subscriber.json().code]).toEqual([401, 7225]);
  });

  it.each([
    ['does not exist', undefined, /BILLING_OFFERINGS: ENOENT/],
    ['is not JSON', '{', /BILLING_OFFERINGS: .*JSON/],
    ['lacks required fields', '{}', /BILLING_OFFERINGS: .*entitlement/],
    [
      'sells an unknown product',
      JSON.stringify({
        entitlement: 'all',
        seller: { id: 's', name: null, supportEmail: null, icon: null },
        products: [],
        currentOffering: null,
        offerings: [
          {
            identifier: 'o',
            description: '',
            metadata: null,
            packages: [{ identifier: 'p', product: 'none' }],
          },
        ],
      }),
      /a package names none/,
    ],
  ])('[RCB-01] do not start with a file of offerings that %s', async (_name, text, message) => {
    const path = join(directory, 'offerings.json');
    await rm(path, { force: true });
    if (text !== undefined) await writeFile(path, text);
    await expect(createProduct({ BILLING_OFFERINGS: path })).rejects.toThrow(message);
  });

  it('[RCB-01] with an external billing provider sell nothing themselves', async () => {
    const keys = { BILLING_PUBLIC_KEY: 'rcb_abc', BILLING_SECRET_KEY: 'sk_abc' };
    const { app } = await createProduct(keys);
    expect((await app.inject('/config.json')).json().billing).toEqual({
      baseUrl: 'https://api.revenuecat.com',
      apiKey: 'rcb_abc',
    });
    expect((await app.inject('/billing/rcbilling/v1/branding')).statusCode).toBe(404);
  });
});
