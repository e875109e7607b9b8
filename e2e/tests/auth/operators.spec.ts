import type { Page } from '@playwright/test';
import { continueInBrowser, getSubscriberLink, signInByOperator } from '../../support/app/operators.ts';
import { storageStates } from '../../support/app/users.ts';
import { statusError } from '../../support/console-errors.ts';
import { expect, test } from '../../support/test.ts';

const serverError =
  'We apologize, but there was an issue processing your authentication request. Please try again later.';

const getStored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test('[EXT-05] [SUB-02] Entel: signs in; settings name the operator and how to cancel', async ({ page }) => {
  await signInByOperator(page, 'entel');
  await page.goto('/settings/subscription');
  const plan = page.getByRole('main');
  await expect(plan).toContainText('Served by Entel');
  await expect(plan).toContainText('Entel renews it automatically until you cancel.');
  await expect(plan).toContainText('Send the word SALIR by SMS to 22122.');
});

test.describe('in Spanish', () => {
  test.use({ locale: 'es-EC' });

  test('[EXT-05] [EXT-07] CNT: signs in and reads the terms', async ({ page }) => {
    await signInByOperator(page, 'cnt');
    await page.goto('/tyc');
    await expect(page.getByRole('heading', { level: 1, name: 'Términos y condiciones' })).toBeVisible();
    for (const text of ['USD 0.30 más impuestos', 'por SMS al 5502', 'solo en Ecuador'])
      await expect(page.getByRole('article')).toContainText(text);
  });

  test('[EXT-02] a link of no known operator is explained', async ({ page }) => {
    await page.goto('/auth-external');
    await expect(page.getByRole('alert')).toContainText(
      'No se pudo identificar la plataforma de inicio de sesión.',
    );
  });
});

test('[EXT-05] [EXT-07] Antel: signs in; its terms name no price', async ({ page }) => {
  await signInByOperator(page, 'antel');
  await page.goto('/tyc');
  await expect(page.getByRole('article')).toContainText('Antel tells you the price of each plan');
});

test('[EXT-06] a phone number typed into the URL opens no session', async ({ page, consoleErrors }) => {
  consoleErrors.allow(statusError(403));
  for (const query of ['msisdn=51930000001', 'source=antel&msisdn=59899000001']) {
    await page.goto(`/auth-external?${query}`);
    await continueInBrowser(page);
    await expect(page.getByRole('alert')).toContainText('This link does not come from');
    expect(await getStored(page, 'jwtAccessToken')).toBeNull();
  }
  await page.goto('/discover');
  await expect(page).toHaveURL(/\/auth\/sign-in/);
});

test('[EXT-06] a used link is refused on every device', { tag: '@desktop-only' }, async ({
  page,
  openOtherDevice,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(403));
  for (const operator of ['bitel', 'entel'] as const) {
    const link = await getSubscriberLink(page, operator);
    await page.goto(link);
    await continueInBrowser(page);
    await expect(page).toHaveURL('/discover');
    const otherDevice = await openOtherDevice({});
    await otherDevice.goto(link);
    await continueInBrowser(otherDevice);
    await expect(otherDevice.getByRole('alert')).toContainText('This link has been used, or is too old');
    // On a page without the app, which could write to the storage again.
    await page.goto(`/operators/${operator}`);
    await page.evaluate(() => localStorage.clear());
    await page.goto(link);
    await continueInBrowser(page);
    await expect(page.getByRole('alert')).toContainText('This link has been used, or is too old');
  }
});

for (const [subscriber, status, text] of [
  ['expired', 403, 'CNT says that there is no active subscription for this number.'],
  ['unknown', 403, 'CNT says that there is no active subscription for this number.'],
  ['slow', 503, serverError],
  ['failing', 503, serverError],
] as const) {
  test(`[EXT-02] [EXT-06] a subscriber who is ${subscriber} is refused with a reason`, async ({
    page,
    consoleErrors,
  }) => {
    consoleErrors.allow(statusError(status));
    // The status is shown before the page has loaded completely.
    await page.goto(await getSubscriberLink(page, 'cnt', subscriber), { waitUntil: 'commit' });
    await continueInBrowser(page);
    if (subscriber === 'slow') await expect(page.getByText('Signing you in with CNT…')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(text);
  });
}

test.describe('an Android browser', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/131 Mobile Safari/537.36',
  });

  test('[EXT-03] is asked first; nothing is sent before the user continues', async ({ page }) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('third-parties')) requests.push(request.url());
    });
    await page.goto(await getSubscriberLink(page, 'bitel'));
    const modal = page.getByRole('dialog', { name: 'Open in app' });
    await expect(modal).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(modal).toBeHidden();
    expect(requests).toEqual([]);
    await page.getByRole('button', { name: 'Continue in browser' }).click();
    await expect(page).toHaveURL('/discover');
    expect(requests).toHaveLength(1);
  });
});

test.describe('a user with an account', () => {
  test.use({ storageState: storageStates.demo });

  test('[EXT-03] goes to Discover, and the link stays valid', async ({ page, openOtherDevice }) => {
    const link = await getSubscriberLink(page, 'antel');
    await page.goto(link);
    await expect(page).toHaveURL('/discover');
    const other = await openOtherDevice({});
    await other.goto(link);
    await continueInBrowser(other);
    await expect(other).toHaveURL('/discover');
  });

  test('[EXT-07] finds no terms', async ({ page }) => {
    await page.goto('/tyc');
    await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();
  });
});

/** What a script in the frame of the tag manager finds when it reads what belongs to the app. */
const tagManagerScript = `
  const attempt = (read) => {
    try { return String(read()); } catch (error) { return error.name; }
  };
  window.findings = {
    event: attempt(() => window.dataLayer[0].event),
    cookie: attempt(() => document.cookie),
    storage: attempt(() => localStorage.length),
    page: attempt(() => parent.document.title),
    pageStorage: attempt(() => parent.localStorage.length),
    pageAddress: attempt(() => parent.location.href),
  };`;

test('[EXT-04] the tag manager gets its event, and reads no cookie, storage or page', {
  tag: '@desktop-only',
}, async ({ page }) => {
  const link = await getSubscriberLink(page, 'entel');
  await page.route('https://www.googletagmanager.com/gtm.js?id=GTM-TEST123', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: tagManagerScript }),
  );
  await page.goto(link);
  await expect(page).toHaveURL('/discover');
  expect(await getStored(page, 'jwtAccessToken')).not.toBeNull();
  await expect.poll(() => page.frame({ url: /\/tag-manager$/ }) !== null).toBe(true);
  const frame = page.frame({ url: /\/tag-manager$/ });
  const findings = await frame?.waitForFunction(() => Reflect.get(window, 'findings'));
  expect(await findings?.jsonValue()).toEqual({
    event: 'gtm.js',
    cookie: 'SecurityError',
    storage: 'SecurityError',
    page: 'SecurityError',
    pageStorage: 'SecurityError',
    pageAddress: 'SecurityError',
  });
});
