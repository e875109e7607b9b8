import type { Locator, Page } from '@playwright/test';
import type { MessageKey, Translate } from '../app/messages.ts';
import { choosePlan, openPlans, payWithTestCard } from '../app/purchase.ts';
import { expect } from '../browser.ts';
import { statusError } from '../console-errors.ts';
import { listPath, type Screen } from './screen.ts';

type Open = NonNullable<Screen['open']>;

/** Opens the last step of the purchase widget, after a mocked response of the billing provider. */
const openResult =
  (status: number, json: object): Open =>
  async (page, t) => {
    await page.route('**/billing/rcbilling/v1/subscribe', (route) => route.fulfill({ status, json }));
    const widget = await choosePlan(page, t, 'yearly');
    await expect(widget.getByRole('button', { name: t('checkout.back') })).toBeVisible();
  };

/** Opens the card step of the purchase widget, then runs a callback. */
const openCardStep =
  (callback?: (widget: Locator, t: Translate, page: Page) => Promise<void>): Open =>
  async (page, t) => {
    const widget = await choosePlan(page, t, 'sixMonth');
    await expect(widget.getByLabel(t('checkout.cardNumber'))).toBeVisible();
    await callback?.(widget, t, page);
  };

const money = { amount: 2700, currency: 'USD' };
const plan = { product: 'escucho_yearly', title: 'Escucho, yearly', price: money, period: 'P1Y' };
const addDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const activeSubscription = {
  plan,
  nextPlan: null,
  isTrial: false,
  willRenew: true,
  needsConfirmation: false,
  startedAt: addDays(-700),
  periodStartedAt: addDays(-335),
  endsAt: addDays(30),
  unsubscribedAt: null,
  billingIssueAt: null,
  graceEndsAt: null,
  canCancel: true,
  canResume: false,
  canChangePlan: true,
};
const unpaid = { willRenew: false, billingIssueAt: addDays(-1), graceEndsAt: addDays(6) };
const unconfirmed = { ...unpaid, needsConfirmation: true };
const paymentKeys = { clientSecret: 'secret', publishableKey: 'sandbox_publishable', accountId: 'sandbox' };

/** Mocks the subscription settings of a user with a plan, and clicks a button. */
const openPlanSettings =
  (changes: object, button?: MessageKey): Open =>
  async (page, t) => {
    const subscription = { isActive: true, store: 'rc_billing', willRenew: true, expiresAt: addDays(30) };
    const halfYearly = { ...plan, product: 'half', period: 'P6M', price: { ...money, amount: 1500 } };
    const current = { ...activeSubscription, ...changes };
    const managementUrl = '/billing/manage?token=token';
    const json = { current, plans: [plan, halfYearly], managementUrl, subscription };
    const docs = [335, 700].map((daysAgo) => ({
      _id: `paid-${daysAgo}`,
      paidAt: addDays(-daysAgo),
      plan,
      paid: money,
      refunded: daysAgo > 600 ? 500 : 0,
    }));
    await page.route('**/api/subscription', (route) => route.fulfill({ json }));
    await page.route('**/api/subscription/receipts', (route) => route.fulfill({ json: { docs } }));
    await page.route('**/api/subscription/payment', (route) =>
      route.fulfill({ json: { ...json, confirmation: { ...paymentKeys, card: 'card' } } }),
    );
    await page.route('**/api/subscription/card', (route) =>
      route.fulfill({ json: { ...paymentKeys, setup: 'setup' } }),
    );
    await page.reload();
    await expect(page.getByRole('button', { name: t('manage.cancel') })).toBeVisible();
    if (!button) return;
    await page.getByRole('button', { name: t(button) }).click();
    await expect(page.getByRole('dialog', { name: t(button) })).toBeVisible();
  };

const createSettingsScreen = (name: string, open: Open): Screen => ({
  name,
  path: '/settings/subscription',
  user: 'demo',
  open,
});

const completed = { operation_session_id: 'session', next_action: 'completed', data: {} };
const createScreen = (name: string, open: Open, rest: Partial<Screen> = {}): Screen => ({
  name,
  path: listPath,
  user: 'free',
  open,
  ...rest,
});

/** The screens of a purchase and of the subscription settings. They buy nothing. */
export const purchaseScreens: readonly Screen[] = [
  createScreen('subscribe', async (page, t) => {
    const modal = await openPlans(page, t);
    await expect(modal.getByRole('radio').first()).toBeVisible();
  }),
  createScreen(
    'subscribe-failed',
    async (page, t) => {
      await page.route('**/offerings', (route) =>
        route.fulfill({ status: 401, json: { code: 7225, message: 'No.' } }),
      );
      // The plans are requested again after 3, 6 and 9 seconds (SUB-03).
      await page.evaluate(() => {
        const { setTimeout } = window;
        const shortened = (callback: () => void, delay = 0) => setTimeout(callback, Math.min(delay, 500));
        Object.assign(window, { setTimeout: shortened });
      });
      const modal = await openPlans(page, t);
      await expect(modal.getByRole('alert')).toBeVisible();
    },
    { allowedErrors: [statusError(401)] },
  ),
  createScreen('purchase-email', async (page, t) => {
    const widget = await choosePlan(page, t, 'yearly');
    await widget.getByRole('button', { name: t('checkout.changeEmail') }).click();
  }),
  createScreen('purchase-email-errors', async (page, t) => {
    const widget = await choosePlan(page, t, 'monthly');
    await widget.getByRole('button', { name: t('checkout.changeEmail') }).click();
    await widget.getByLabel(t('checkout.email'), { exact: true }).fill('ana');
    await widget.getByRole('button', { name: t('checkout.continue'), exact: true }).click();
    await expect(widget.getByText(t('checkout.emailInvalid'))).toBeVisible();
  }),
  createScreen('purchase-card', openCardStep()),
  createScreen(
    'purchase-card-tests',
    openCardStep((widget, t) => widget.getByText(t('checkout.testCards')).click()),
  ),
  createScreen(
    'purchase-bank',
    openCardStep(async (widget, t) => {
      await payWithTestCard(widget, t, 'checkout.cardRequiresConfirmation');
      await expect(widget.getByRole('button', { name: t('checkout.approve'), exact: true })).toBeVisible();
    }),
  ),
  createScreen(
    'purchase-confirming',
    openCardStep(async (widget, t, page) => {
      await page.route('**/billing/sandbox/confirm', (route) => route.fulfill({ json: {} }));
      await page.route('**/billing/rcbilling/v1/checkout/*', () => undefined);
      await payWithTestCard(widget, t, 'checkout.cardSucceeds');
      await expect(widget.getByText(t('checkout.confirming'))).toBeVisible();
    }),
  ),
  createScreen(
    'purchase-declined',
    openCardStep(async (widget, t) => {
      await payWithTestCard(widget, t, 'checkout.cardDeclined');
      await expect(widget.getByRole('alert')).toBeVisible();
    }),
  ),
  {
    name: 'settings-purchase',
    path: '/settings/subscription',
    user: 'free',
    open: async (page, t) => {
      await page.getByRole('button', { name: t('subscription.subscribe'), exact: true }).click();
      await expect(page.getByLabel(t('checkout.cardNumber'))).toBeVisible();
    },
  },
  createSettingsScreen('settings-plan', openPlanSettings({})),
  {
    ...createSettingsScreen('settings-plan-closed', openPlanSettings({})),
    path: '/settings/subscription?portal=closed',
  },
  createSettingsScreen('settings-plan-unpaid', openPlanSettings(unpaid)),
  createSettingsScreen('settings-plan-unconfirmed', openPlanSettings(unconfirmed)),
  createSettingsScreen('settings-plan-bank', openPlanSettings(unconfirmed, 'manage.confirmPayment')),
  createSettingsScreen('settings-plan-card', openPlanSettings(unpaid, 'manage.card')),
  createSettingsScreen('settings-plan-change', async (page, t) => {
    await openPlanSettings({})(page, t);
    await page.getByRole('button', { name: t('manage.change') }).click();
    await expect(page.getByRole('dialog', { name: t('manage.changeTitle') })).toBeVisible();
  }),
  createScreen('purchase-success', openResult(200, completed)),
  createScreen('purchase-already', openResult(409, { code: 7772, message: 'Subscribed.' }), {
    allowedErrors: [statusError(409)],
  }),
];
