import { billingApi } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { startProvider } from '../testing/provider.ts';
import { startStripeProvider } from '../testing/stripe-provider.ts';

const stripe = await startStripeProvider();
const { provider, behavior, buy, getInfo, callApi, requests } = stripe;
const { app, get, keys, newUser, time } = provider;
const { findManagement, deleteSubscriber: remove } = billingApi;
const settings = 'https://escucho.test/settings/subscription';
const closed = `${settings}?portal=closed`;

const getPortalUrl = async (user: string): Promise<string> =>
  (await get(`/v1/subscribers/${user}`, keys.secret)).body.subscriber.management_url;

/** Changes the claims in the token of a link, and not its signature. */
function changeClaims(address: string, changes: object): string {
  const [header, payload = '', signature] = (address.split('=')[1] ?? '').split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...changes };
  const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return address.replace(/=.*/, `=${header}.${changed}.${signature}`);
}

/** Follows the link as a browser does. */
async function follow(address: string) {
  const { statusCode, headers } = await app.inject(address.replace('https://escucho.test', ''));
  return { status: statusCode, to: String(headers.location), headers };
}

describe('a subscriber’s management_url, where Stripe takes the cards', () => {
  it('[RCB-02] leads to Stripe’s customer portal and back to the settings', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const { status, to, headers } = await follow(await getPortalUrl(user));
    expect([status, to]).toEqual([303, expect.stringMatching(/^https:\/\/billing\.stripe\.com\//)]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const session = stripe.list('billing_portal.session').find(({ url }) => url === to);
    expect(session).toMatchObject({ customer, return_url: settings });
    const configuration = stripe.find(String(session?.configuration));
    expect(configuration?.features).toMatchObject({
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      payment_method_update: { enabled: true },
      invoice_history: { enabled: true },
      subscription_update: { enabled: false },
    });
  });

  it('[RCB-02] calls Stripe only when followed, and creates one configuration', async () => {
    const user = newUser();
    await buy(user);
    const before = requests.length;
    const addresses = [await getPortalUrl(user), (await callApi(findManagement, user)).body.managementUrl];
    expect(requests).toHaveLength(before);
    for (const address of addresses) expect((await follow(address)).to).toMatch(/^https:\/\/billing\.stripe/);
    expect(stripe.list('billing_portal.configuration')).toHaveLength(1);
  });

  it('[RCB-02] leads to a new configuration where that of before was switched off at Stripe', async () => {
    const user = newUser();
    await buy(user);
    await follow(await getPortalUrl(user));
    const used = String(stripe.list('billing_portal.session').at(-1)?.configuration);
    await stripe.client.billingPortal.configurations.update(used, { active: false });
    expect((await follow(await getPortalUrl(user))).to).toMatch(/^https:\/\/billing\.stripe/);
    expect(stripe.list('billing_portal.session').at(-1)?.configuration).not.toBe(used);
  });

  it('[RCB-02] is the settings page for callers with a public key', async () => {
    const user = newUser();
    await buy(user);
    expect((await getInfo(user)).management_url).toBe(settings);
    expect((await get(`/v1/subscribers/${user}`, keys.sandbox)).body.subscriber.management_url).toBe(
      settings,
    );
  });

  it('[RCB-02] is the settings page for a user without purchases', async () => {
    const user = newUser();
    expect(await getPortalUrl(user)).toBe(settings);
    expect((await callApi(findManagement, user)).body.managementUrl).toBeNull();
  });

  it.each<[string, (address: string, other: string) => string]>([
    ['truncated', (address) => address.slice(0, -1)],
    [
      'with the id of another subscriber',
      (address, other) =>
        `${other.slice(0, other.lastIndexOf('.'))}${address.slice(address.lastIndexOf('.'))}`,
    ],
    ['with a changed expiry', (address) => changeClaims(address, { exp: 9_999_999_999 })],
    ['with another signature', (address) => `${address.slice(0, -43)}${'A'.repeat(43)}`],
    ['without a token', (address) => address.replace(/\?.*/, '')],
    ['with two tokens', (address) => `${address}&token=x`],
    ['with a malformed token', (address) => address.replace(/=.*/, '=%00%27--')],
  ])('[RCB-02] %s opens nothing, and leads back to the settings', async (_name, change) => {
    const [user, other] = [newUser(), newUser()];
    await buy(user);
    await buy(other);
    const [mine, theirs] = [await getPortalUrl(user), await getPortalUrl(other)];
    const sessions = stripe.list('billing_portal.session').length;
    expect(await follow(change(mine, theirs))).toMatchObject({ status: 303, to: closed });
    expect(stripe.list('billing_portal.session')).toHaveLength(sessions);
  });

  it('[RCB-02] is valid for an hour', async () => {
    const user = newUser();
    await buy(user);
    const address = await getPortalUrl(user);
    time.now += 3599 * 1000;
    expect((await follow(address)).to).toMatch(/^https:\/\/billing\.stripe/);
    time.now += 1000;
    expect((await follow(address)).to).toBe(closed);
    expect((await follow(await getPortalUrl(user))).to).toMatch(/^https:\/\/billing\.stripe/);
  });

  it('[RCB-02] leads back to the settings when Stripe fails or has no such customer', async () => {
    const user = newUser();
    const { customer } = await buy(user);
    const address = await getPortalUrl(user);
    behavior.serverErrors = 2;
    expect(await follow(address)).toMatchObject({ status: 303, to: closed });
    behavior.serverErrors = 0;
    expect((await follow(address)).to).toMatch(/^https:\/\/billing\.stripe/);
    await stripe.client.customers.del(customer);
    expect((await follow(address)).to).toBe(closed);
  });

  it('[SHELL-03] opens nothing for a deleted subscriber', async () => {
    const user = newUser();
    await buy(user);
    const address = await getPortalUrl(user);
    await callApi(remove, user);
    expect((await follow(address)).to).toBe(closed);
  });
});

it('[RCB-02] in the sandbox the settings are where a subscription is managed', async () => {
  const { app, newUser, buy, getInfo } = await startProvider();
  const user = newUser();
  await buy(user);
  expect((await getInfo(user)).management_url).toBe(settings);
  expect((await app.inject('/billing/manage?token=x')).headers.location).toBe(closed);
});
