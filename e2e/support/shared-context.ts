import { readFile } from 'node:fs/promises';
import type { BrowserContext } from '@playwright/test';
import { discardProgress } from './app/users.ts';
import { trackMediaElement } from './audio/audio.ts';
import { test as base } from './test.ts';

interface StorageState {
  cookies: Parameters<BrowserContext['addCookies']>[0];
  origins: { localStorage: { name: string; value: string }[] }[];
}

const readStorageState = async (path: unknown): Promise<StorageState> =>
  typeof path === 'string' ? JSON.parse(await readFile(path, 'utf8')) : { cookies: [], origins: [] };

/**
 * The fixtures of `test.ts` with one browser context per worker, storage state and `contextOptions`. A new context would fetch and compile the
 * app again for every test. Each test gets a new page, and cookies and local storage are reset before its first navigation.
 */
export const test = base.extend<object, { contexts: Map<string, BrowserContext> }>({
  contexts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const contexts = new Map<string, BrowserContext>();
      await use(contexts);
      for (const context of contexts.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ browser, consoleErrors, contextOptions, contexts, storageState }, use) => {
    const key = JSON.stringify([storageState, contextOptions]);
    let context = contexts.get(key);
    if (!context) {
      context = await browser.newContext();
      await trackMediaElement(context);
      if (typeof storageState === 'string') await discardProgress(context);
      contexts.set(key, context);
    }
    const stopWatching = consoleErrors.watch(context);
    await use(context);
    stopWatching();
  },
  page: async ({ context, storageState }, use) => {
    const { cookies, origins } = await readStorageState(storageState);
    await context.clearCookies();
    await context.addCookies(cookies);
    await context.setOffline(false);
    const page = await context.newPage();
    await page.addInitScript(
      (items) => {
        // Session storage belongs to the page, so it tells the first navigation from later ones.
        if (sessionStorage.getItem('e2e-storage-reset')) return;
        sessionStorage.setItem('e2e-storage-reset', 'true');
        localStorage.clear();
        for (const { name, value } of items) localStorage.setItem(name, value);
      },
      origins.flatMap(({ localStorage }) => localStorage),
    );
    await use(page);
    await page.close();
  },
});
