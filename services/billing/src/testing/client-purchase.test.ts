// @vitest-environment jsdom
import { afterAll, expect, it, vi } from 'vitest';
import { startProvider } from './provider.ts';

/** The part of jsdom that the test uses; services are compiled without the types of the DOM. */
declare const document: {
  querySelectorAll: (selector: string) => Iterable<{
    textContent: string;
    disabled: boolean;
    click: () => void;
  }>;
};

// The service signs with arrays of Node.js, which are not jsdom's.
vi.stubGlobal('Uint8Array', Object.getPrototypeOf(Buffer));

// A whole purchase with RevenueCat's own widget, unmodified, whose card form is replaced.
const provider = await startProvider({ clock: () => new Date() });
const address = await provider.app.listen({ port: 0, host: '127.0.0.1' });
const { newUser, createPurchaseToken, confirmCard, keys } = provider;

const element = { mount() {}, on() {}, update() {}, destroy() {} };
vi.stubGlobal('Stripe', () => {
  let secret = '';
  return {
    registerAppInfo() {},
    elements(options: { clientSecret: string }) {
      secret = options.clientSecret;
      return { _elements: [element], update() {}, create: () => element };
    },
    confirmSetup: async () => {
      await confirmCard(secret);
      return {};
    },
  };
});
afterAll(() => vi.unstubAllGlobals());
// It looks for Stripe while it is imported.
const { Purchases } = await import('@revenuecat/purchases-js');

const options = { timeout: 20_000 };

/** Clicks a button of the widget as soon as it is there. */
const click = (label: string) =>
  vi.waitFor(() => {
    const buttons = [...document.querySelectorAll('button')];
    const button = buttons.find(({ textContent, disabled }) => textContent.includes(label) && !disabled);
    if (!button) throw new Error(`There is no button ${label}`);
    button.click();
  }, options);

/** Opens the widget for the monthly plan, with headers of the app. */
async function openWidget(user: string, additionalHeaders: Record<string, string>) {
  const client = Purchases.configure(keys.sandbox, user, {
    proxyURL: `${address}/billing`,
    additionalHeaders,
  });
  const rcPackage = (await client.getOfferings()).current?.monthly;
  if (!rcPackage) throw new Error('There is no monthly plan');
  return { client, purchase: client.purchase({ rcPackage, customerEmail: 'ana@user.test' }) };
}

it('[RCB-01] RevenueCat’s widget buys with a purchase token among its additional headers', async () => {
  const user = newUser();
  const token = await createPurchaseToken(user);
  const { client, purchase } = await openWidget(user, { 'X-Purchase-Token': token });
  await click('Pay');
  await click('Go back to app');
  const { customerInfo } = await purchase;
  expect(customerInfo.entitlements.active.premium).toMatchObject({ productIdentifier: 'escucho_monthly' });
  client.close();
});

it('[RCB-01] RevenueCat’s widget shows its error without a purchase token', async () => {
  const { client, purchase } = await openWidget(newUser(), {});
  const refused = purchase.catch((error: { errorCode: number }) => error.errorCode);
  await click('Go back to app');
  expect(await refused).toBe(2);
  client.close();
});
