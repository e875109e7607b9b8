import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { DISCOVER_CACHE_KEY } from '../../../apps/web/src/features/catalogue/discover-cache.ts';
import { browserArgs } from '../../../e2e/support/browser.ts';
import { findChromium } from '../../../scripts/chromium.mjs';

/** Slow 4G of Chromium's developer tools: round-trip time in milliseconds, throughput in bytes per second. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1.47e6 / 8,
  uploadThroughput: 675e3 / 8,
};
const CPU_SLOWDOWN = 4;
export const slowDevice = `a processor ${CPU_SLOWDOWN} times slower, slow 4G (562.5 ms, 1.47 Mbit/s)`;

/** Opens a session of a page without its event stream, which stays open: the network would never be idle. */
export async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/api/notifications/stream'] });
  return session;
}

/** Slows a page's network and processor down to those of a cheap phone. */
export async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: String(await findChromium()), args: browserArgs });

/** Signs the subscriber in. Returns the storage state as JSON, once Discover is stored, and the `Authorization` header. */
export async function signInDemo(
  browser: Browser,
  origin: string,
): Promise<{ state: string; bearer: string }> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${origin}/auth/sign-in`);
  await page.getByLabel('Email', { exact: true }).fill('demo@escucho.test');
  await page.getByLabel('Password', { exact: true }).fill('Escucho2026');
  const apiRequest = page.waitForRequest(
    (request) => request.url().includes('/api/') && 'authorization' in request.headers(),
  );
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const bearer = (await apiRequest).headers().authorization ?? '';
  await page.waitForURL('**/discover');
  await page.waitForFunction((key) => key in localStorage, DISCOVER_CACHE_KEY);
  const state = JSON.stringify(await context.storageState());
  await context.close();
  return { state, bearer };
}

/** Opens a context with a phone viewport, signed in if there is a storage state. */
export async function openContext(
  browser: Browser,
  state?: string,
  options?: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    ...options,
    ...(state && { storageState: JSON.parse(state) }),
  });
  // tsx wraps functions in a helper that does not exist in the page.
  await context.addInitScript('globalThis.__name = (fn) => fn');
  return context;
}

/** Opens a context as `openContext`, of a phone with a touch screen: nothing is animated because a pointer rests on it. */
export const openTouchContext = (browser: Browser, state?: string): Promise<BrowserContext> =>
  openContext(browser, state, { hasTouch: true, isMobile: true });
