import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '@escucho/contracts';
import { openDatabase } from '@escucho/database';
import { createTestDatabase } from '@escucho/database/testing';
import { seedAccount } from '@escucho/identity';
import { createJobQueue } from '@escucho/jobs';
import { settleJobs } from '@escucho/jobs/testing';
import { openMediaStore } from '@escucho/portal';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { loadInstance } from './instance.ts';
import { readSettings } from './settings.ts';

const directory = await mkdtemp(join(tmpdir(), 'escucho-billing-'));
const instance = await loadInstance(join(directory, 'data'));
const password = 'Escucho2026';

/** The product on a database of its own. In: settings that differ. */
async function productWith(env: NodeJS.ProcessEnv = {}) {
  const connection = await createTestDatabase();
  const app = await buildApp({
    settings: readSettings({
      ...{ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', IDENTITY_ALLOW: 'USER_PASSWORD_AUTH' },
      // A public address that does not lead here: the services must not need it to find each other.
      PUBLIC_URL: 'https://escucho.invalid',
      ...env,
    }),
    instance,
    connection,
    mediaStore: await openMediaStore({ directory: join(directory, 'media') }),
    webDirectory: join(directory, 'web'),
    probes: { database: async () => undefined },
  });
  afterAll(() => app.close());
  return { app, connection };
}
afterAll(() => rm(directory, { recursive: true, force: true }));
const { app, connection } = await productWith();
const db = openDatabase<object>({ connection, schema: 'portal', name: 'billing test', maxConnections: 1 });
afterAll(() => db.destroy());
const { billing } = (await app.inject('/config.json')).json();

/** A reader who has signed in: how to ask the own API as them, and their id. */
async function newReader(name: string) {
  const email = `${name}@escucho.test`;
  const { userPoolId: poolId, identitySecret: secret, clientId } = instance;
  const person = { email, password, firstName: 'Ana', lastName: 'Ruiz' };
  await seedAccount({ connection, poolId, secret }, person);
  const answer = await app.inject({
    method: 'POST',
    url: '/identity',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    payload: JSON.stringify({
      ClientId: clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  });
  const authorization = `Bearer ${answer.json().AuthenticationResult.AccessToken}`;
  const call = async ({ method, path }: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string }) =>
    (await app.inject({ method, url: `/api${path}`, headers: { authorization } })).json();
  return { call, id: String((await call(api.auth.me)).user._id) };
}

const post = async (url: string, payload: object) =>
  (
    await app.inject({
      ...{ method: 'POST', url: `/billing${url}`, payload },
      headers: { authorization: `Bearer ${billing.apiKey}` },
    })
  ).json();

async function buy(id: string) {
  const { data } = await post('/rcbilling/v1/subscribe', {
    ...{ app_user_id: id, product_id: 'escucho_monthly', email: 'ana@reader.test' },
    presented_offering_identifier: 'default',
  });
  await post('/sandbox/confirm', { client_secret: data.client_secret, outcome: 'succeeded' });
}

describe('the product', () => {
  it('[RCB-01] names its billing provider and a key for play money', () => {
    expect(billing.baseUrl).toBe('https://escucho.invalid/billing');
    expect(billing.apiKey).toMatch(/^rcb_sb_\w{28}$/);
  });

  it('[RCB-02] opens the door by itself after a payment, and shuts it when time is over', async () => {
    const { call, id } = await newReader('buyer');
    const isActive = async () => (await call(api.auth.me)).subscription.isActive;
    expect(await isActive()).toBe(false);
    await buy(id);
    await expect.poll(isActive).toBe(true);
    await call(api.subscription.cancelSubscription);
    expect(await isActive()).toBe(true);
    await post('/sandbox/advance', { app_user_id: id, seconds: 32 * 86_400 });
    await expect.poll(isActive).toBe(false);
    expect((await call(api.subscription.findReceipts)).docs).toHaveLength(1);
  });

  it('[SUB-07] shows a reader the own subscription at once', async () => {
    const { call, id } = await newReader('owner');
    await buy(id);
    const { current, subscription } = await call(api.subscription.findSubscription);
    expect(current.plan.product).toBe('escucho_monthly');
    expect(subscription).toMatchObject({ isActive: true, willRenew: true, store: 'rc_billing' });
  });

  it('[SHELL-03] ends what an erased reader paid for', async () => {
    const { call, id } = await newReader('leaver');
    await buy(id);
    expect(await call(api.account.deleteAccount)).toEqual({});
    await settleJobs(db, createJobQueue('portal'));
    const answer = await app.inject({
      url: `/billing/v1/subscribers/${id}`,
      headers: { authorization: `Bearer ${billing.apiKey}` },
    });
    expect(answer.json().subscriber.entitlements).toEqual({});
  });
});

describe('real installations', () => {
  const production = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@escucho.test',
  };

  it('[RCB-02] have no play money, and sell nothing without keys', async () => {
    const { app } = await productWith(production);
    expect((await app.inject('/config.json')).json().billing).toBeNull();
    const answer = await app.inject({ method: 'POST', url: '/billing/sandbox/confirm', payload: {} });
    expect(answer.statusCode).toBe(404);
    const asked = await app.inject({
      url: '/billing/v1/subscribers/somebody',
      headers: { authorization: `Bearer ${billing.apiKey}` },
    });
    expect([asked.statusCode, asked.json().code]).toEqual([401, 7225]);
  });

  it.each([
    ['is not there', undefined, /BILLING_OFFERINGS: ENOENT/],
    ['is no JSON', '{', /BILLING_OFFERINGS: .*JSON/],
    ['lacks what it needs', '{}', /BILLING_OFFERINGS: .*entitlement/],
    [
      'sells what is no product',
      JSON.stringify({
        ...{
          entitlement: 'all',
          seller: { id: 's', name: null, supportEmail: null, icon: null },
          products: [],
        },
        currentOffering: null,
        offerings: [
          {
            ...{ identifier: 'o', description: '', metadata: null },
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
    await expect(productWith({ BILLING_OFFERINGS: path })).rejects.toThrow(message);
  });

  it('[RCB-01] may buy elsewhere: then nothing is sold here', async () => {
    const keys = { BILLING_PUBLIC_KEY: 'rcb_abc', BILLING_SECRET_KEY: 'sk_abc' };
    const { app } = await productWith(keys);
    expect((await app.inject('/config.json')).json().billing).toEqual({
      ...{ baseUrl: 'https://api.revenuecat.com', apiKey: 'rcb_abc' },
    });
    expect((await app.inject('/billing/rcbilling/v1/branding')).statusCode).toBe(404);
  });
});
