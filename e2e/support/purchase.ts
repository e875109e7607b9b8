import { expect, type Locator, type Page } from '@playwright/test';
import { answered } from './noise.ts';
import type { Screen } from './screens/screen.ts';
import type { Say } from './words.ts';

/** The purchase widget over the page. */
export const widgetOf = (page: Page, say: Say): Locator =>
  page.getByRole('dialog', { name: new RegExp(`^${say('checkout.title', { plan: '' }).trim()}`) });

/** Asks for what only subscribers may play. Out: the subscribe modal, its plans there. */
export async function askForPlans(page: Page, say: Say): Promise<Locator> {
  const locked = say('discover.playLocked', { title: '' }).split(',').at(-1) ?? '';
  await page
    .getByRole('button', { name: new RegExp(`,${locked}$`) })
    .first()
    .click();
  const modal = page.getByRole('dialog', { name: say('subscription.headline') });
  await expect(modal).toBeVisible();
  return modal;
}

/** From there to the billing e-mail of a plan. Out: the widget. */
export async function choosePlan(
  page: Page,
  say: Say,
  plan: 'yearly' | 'sixMonth' | 'monthly',
): Promise<Locator> {
  const modal = await askForPlans(page, say);
  await modal.getByRole('radio', { name: new RegExp(`^${say(`subscription.${plan}`)}`) }).check();
  await modal.getByRole('button', { name: say('subscription.subscribe'), exact: true }).click();
  const widget = widgetOf(page, say);
  await expect(widget.getByLabel(say('checkout.email'), { exact: true })).toBeVisible();
  return widget;
}

/** Gives the e-mail that stands there. */
export const giveEmail = (widget: Locator, say: Say): Promise<void> =>
  widget.getByRole('button', { name: say('checkout.continue'), exact: true }).click();

/** Fills the test card of that behaviour in, and pays. */
export async function payWith(widget: Locator, say: Say, card: string): Promise<void> {
  await widget.getByText(say('checkout.testCards')).click();
  await widget
    .getByRole('button', { name: say('checkout.useCard', { what: say(card) }), exact: true })
    .click();
  await widget.getByRole('button', { name: say('checkout.pay'), exact: true }).click();
}

type Open = NonNullable<Screen['open']>;

/** The widget's end, whatever the provider is made to answer to the purchase's beginning. */
const ended =
  (status: number, json: object): Open =>
  async (page, say) => {
    await page.route('**/billing/rcbilling/v1/subscribe', (route) => route.fulfill({ status, json }));
    const widget = await choosePlan(page, say, 'yearly');
    await giveEmail(widget, say);
    await expect(widget.getByRole('button', { name: say('checkout.back') })).toBeVisible();
  };

const atCard =
  (then?: (widget: Locator, say: Say, page: Page) => Promise<void>): Open =>
  async (page, say) => {
    const widget = await choosePlan(page, say, 'sixMonth');
    await giveEmail(widget, say);
    await expect(widget.getByLabel(say('checkout.cardNumber'))).toBeVisible();
    await then?.(widget, say, page);
  };

const money = { amount: 2700, currency: 'USD' };
const plan = { product: 'escucho_yearly', title: 'Escucho, yearly', price: money, period: 'P1Y' };
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString();
const bought = {
  ...{ plan, nextPlan: null, isTrial: false, willRenew: true, needsConfirmation: false },
  ...{ startedAt: day(-700), periodStartedAt: day(-335), endsAt: day(30) },
  ...{ unsubscribedAt: null, billingIssueAt: null, graceEndsAt: null },
  ...{ canCancel: true, canResume: false, canChangePlan: true },
};
const unpaid = { willRenew: false, billingIssueAt: day(-1), graceEndsAt: day(6) };
const unconfirmed = { ...unpaid, needsConfirmation: true };
const keys = { clientSecret: 'secret', publishableKey: 'sandbox_publishable', accountId: 'sandbox' };

/** The settings of somebody with a plan, whoever is signed in. */
const withPlan =
  (differs: object, button?: string): Open =>
  async (page, say) => {
    const subscription = { isActive: true, store: 'rc_billing', willRenew: true, expiresAt: day(30) };
    const half = { ...plan, product: 'half', period: 'P6M', price: { ...money, amount: 1500 } };
    const current = { ...bought, ...differs };
    const managementUrl = '/billing/manage?token=token';
    const json = { current, plans: [plan, half], managementUrl, subscription };
    const docs = [335, 700].map((ago) => ({
      ...{ _id: `paid-${ago}`, paidAt: day(-ago), plan, paid: money, refunded: ago > 600 ? 500 : 0 },
    }));
    await page.route('**/api/subscription', (route) => route.fulfill({ json }));
    await page.route('**/api/subscription/receipts', (route) => route.fulfill({ json: { docs } }));
    await page.route('**/api/subscription/payment', (route) =>
      route.fulfill({ json: { ...json, confirmation: { ...keys, card: 'card' } } }),
    );
    await page.route('**/api/subscription/card', (route) =>
      route.fulfill({ json: { ...keys, setup: 'setup' } }),
    );
    await page.reload();
    await expect(page.getByRole('button', { name: say('manage.cancel') })).toBeVisible();
    if (!button) return;
    await page.getByRole('button', { name: say(button) }).click();
    await expect(page.getByRole('dialog', { name: say(button) })).toBeVisible();
  };

const settings = (name: string, open: Open): Screen => ({
  ...{ name, path: '/settings/subscription', reader: 'demo', open },
});

const completed = { operation_session_id: 'session', next_action: 'completed', data: {} };
const screen = (name: string, open: Open, rest: Partial<Screen> = {}): Screen => ({
  name,
  path: '/discover',
  reader: 'free',
  open,
  ...rest,
});

/** Subscribing and buying, in every state there is. Nothing is bought here. */
export const purchaseScreens: readonly Screen[] = [
  screen('subscribe', async (page, say) => {
    const modal = await askForPlans(page, say);
    await expect(modal.getByRole('radio').first()).toBeVisible();
  }),
  screen(
    'subscribe-failed',
    async (page, say) => {
      await page.route('**/offerings', (route) =>
        route.fulfill({ status: 401, json: { code: 7225, message: 'No.' } }),
      );
      const modal = await askForPlans(page, say);
      await expect(modal.getByRole('alert')).toBeVisible();
    },
    { complaints: [answered(401)] },
  ),
  screen('purchase-email', async (page, say) => {
    await choosePlan(page, say, 'yearly');
  }),
  screen('purchase-email-errors', async (page, say) => {
    const widget = await choosePlan(page, say, 'monthly');
    await widget.getByLabel(say('checkout.email'), { exact: true }).fill('ana');
    await giveEmail(widget, say);
    await expect(widget.getByText(say('checkout.emailInvalid'))).toBeVisible();
  }),
  screen('purchase-card', atCard()),
  screen(
    'purchase-card-tests',
    atCard((widget, say) => widget.getByText(say('checkout.testCards')).click()),
  ),
  screen(
    'purchase-bank',
    atCard(async (widget, say) => {
      await payWith(widget, say, 'checkout.cardRequiresConfirmation');
      await expect(widget.getByRole('button', { name: say('checkout.approve'), exact: true })).toBeVisible();
    }),
  ),
  screen(
    'purchase-confirming',
    atCard(async (widget, say, page) => {
      await page.route('**/billing/sandbox/confirm', (route) => route.fulfill({ json: {} }));
      await page.route('**/billing/rcbilling/v1/checkout/*', () => undefined);
      await payWith(widget, say, 'checkout.cardSucceeds');
      await expect(widget.getByText(say('checkout.confirming'))).toBeVisible();
    }),
  ),
  screen(
    'purchase-declined',
    atCard(async (widget, say) => {
      await payWith(widget, say, 'checkout.cardDeclined');
      await expect(widget.getByRole('alert')).toBeVisible();
    }),
  ),
  {
    ...{ name: 'settings-purchase', path: '/settings/subscription', reader: 'free' },
    open: async (page, say) => {
      await page.getByRole('button', { name: say('subscription.subscribe'), exact: true }).click();
      await expect(page.getByLabel(say('checkout.email'), { exact: true })).toBeVisible();
    },
  },
  settings('settings-plan', withPlan({})),
  { ...settings('settings-plan-closed', withPlan({})), path: '/settings/subscription?portal=closed' },
  settings('settings-plan-unpaid', withPlan(unpaid)),
  settings('settings-plan-unconfirmed', withPlan(unconfirmed)),
  settings('settings-plan-bank', withPlan(unconfirmed, 'manage.confirmPayment')),
  settings('settings-plan-card', withPlan(unpaid, 'manage.card')),
  settings('settings-plan-change', async (page, say) => {
    await withPlan({})(page, say);
    await page.getByRole('button', { name: say('manage.change') }).click();
    await expect(page.getByRole('dialog', { name: say('manage.changeTitle') })).toBeVisible();
  }),
  screen('purchase-success', ended(200, completed)),
  screen('purchase-already', ended(409, { code: 7772, message: 'Subscribed.' }), {
    complaints: [answered(409)],
  }),
];
