import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { browserArgs } from '../../e2e/support/browser.ts';
import { findChromium } from '../../scripts/chromium.mjs';

/** A Chromium for one measurement. */
export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: String(await findChromium()), args: browserArgs });

/** Signs the subscriber in. In: a browser, the product. Out: the signed-in storage as Playwright keeps it, and a bearer token. */
export async function signInDemo(
  browser: Browser,
  origin: string,
): Promise<{ state: string; bearer: string }> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${origin}/auth/sign-in`);
  await page.getByLabel('Email', { exact: true }).fill('demo@escucho.test');
  await page.getByLabel('Password', { exact: true }).fill('Escucho2026');
  const asked = page.waitForRequest(
    (request) => request.url().includes('/api/') && 'authorization' in request.headers(),
  );
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const bearer = (await asked).headers().authorization ?? '';
  await page.waitForURL('**/discover');
  const state = JSON.stringify(await context.storageState());
  await context.close();
  return { state, bearer };
}

/** A context in which somebody is signed in, or nobody. */
export async function contextOf(browser: Browser, state?: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    ...(state && { storageState: JSON.parse(state) }),
  });
  // tsx gives functions their names by a helper that a page does not have.
  await context.addInitScript('globalThis.__name = (named) => named');
  return context;
}
