import { expect, type Locator, type Page } from '@playwright/test';
import { answered } from './noise.ts';
import type { Screen } from './screens.ts';
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
      await payWith(widget, say, 'checkout.cardAsks');
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
  screen('purchase-success', ended(200, completed)),
  screen('purchase-already', ended(409, { code: 7772, message: 'Subscribed.' }), {
    complaints: [answered(409)],
  }),
];
