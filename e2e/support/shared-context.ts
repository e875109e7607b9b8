import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { discardProgress } from './app/users.ts';
import { trackMediaElement } from './audio/audio.ts';
import { test as base } from './test.ts';

interface StorageState {
  cookies: Parameters<BrowserContext['addCookies']>[0];
  origins: { localStorage: { name: string; value: string }[] }[];
}

const readStorageState = async (path: unknown): Promise<StorageState> =>
  typeof path === 'string' ? JSON.parse(await readFile(path, 'utf8')) : { cookies: [], origins: [] };

/** A static file of the origin: no script of the app runs there. */
const staticPath = '/favicon.svg';

interface SharedPage {
  context: BrowserContext;
  page: Page;
}

/**
 * The fixtures of `test.ts` with one page per worker, storage state and `contextOptions`: a new page starts a new renderer process, which
 * compiles the app again and takes twice the processor time of a test. Before each test, cookies, storage, viewport and network are reset;
 * after it, its routes are removed. A test must dispose of init scripts that it adds. A failed test ends the worker and its pages.
 */
export const test = base.extend<object, { sharedPages: Map<string, SharedPage> }>({
  sharedPages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const pages = new Map<string, SharedPage>();
      await use(pages);
      for (const { context } of pages.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ browser, consoleErrors, contextOptions, sharedPages, storageState }, use) => {
    const key = JSON.stringify([storageState, contextOptions]);
    let shared = sharedPages.get(key);
    if (!shared) {
      const context = await browser.newContext();
      await trackMediaElement(context);
      if (typeof storageState === 'string') await discardProgress(context);
      shared = { context, page: await context.newPage() };
      await shared.page.goto(staticPath);
      sharedPages.set(key, shared);
    }
    const stopWatching = consoleErrors.watch(shared.context);
    await use(shared.context);
    stopWatching();
  },
  page: async ({ context, storageState, viewport }, use) => {
    const [page] = context.pages();
    if (!page) throw new Error('A test closed the shared page.');
    const { cookies, origins } = await readStorageState(storageState);
    await context.clearCookies();
    await context.addCookies(cookies);
    if (viewport) await page.setViewportSize(viewport);
    await page.evaluate(
      (items) => {
        sessionStorage.clear();
        localStorage.clear();
        for (const { name, value } of items) localStorage.setItem(name, value);
      },
      origins.flatMap(({ localStorage }) => localStorage),
    );
    await use(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    // Ends the app, so that the next test gets none of its requests, errors and writes.
    await page.goto(staticPath);
  },
});
