import type { Page } from '@playwright/test';
import { type TestProxy, withProxy } from '../proxy.ts';
import { test as base, expect } from '../test.ts';
import { getDiscoverSection } from './player.ts';
import { createUser, submitSignIn } from './users.ts';

/** A proxy whose origin can be taken offline and updated, with a service worker of its own. */
export const test = base.extend<{ testProxy: TestProxy }>({
  testProxy: ({ baseURL, page }, use) => withProxy(page, baseURL ?? '', use),
});

/** Waits until the service worker is active, which the page registers after ten idle seconds. */
export async function waitUntilCached(page: Page): Promise<void> {
  const getWorkerState = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);
  await expect.poll(getWorkerState, { timeout: 90_000 }).toBe('activated');
}

/** Signs in and waits until the app is cached. */
export async function signInAndCache(page: Page, { origin }: TestProxy): Promise<void> {
  await page.goto(`${origin}/auth/sign-in`);
  await submitSignIn(page, await createUser(page.request));
  await expect(getDiscoverSection(page, 'Latest articles')).toBeVisible();
  await waitUntilCached(page);
}
