import { type BrowserContext, type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { discardProgress } from './app/users.ts';
import { trackMediaElement } from './audio/audio.ts';
import { expect } from './browser.ts';
import { type ConsoleErrors, createConsoleErrors } from './console-errors.ts';

interface Fixtures {
  consoleErrors: ConsoleErrors;
  /** Opens a page on another device: a new, signed-out browser context with the project's screen. */
  openOtherDevice: (options?: BrowserContextOptions) => Promise<Page>;
}

async function prepareContext(context: BrowserContext, consoleErrors: ConsoleErrors): Promise<void> {
  consoleErrors.watch(context);
  await trackMediaElement(context);
}

/** Playwright's `test` with the fixtures of all e2e tests. A test fails on console errors that it does not allow. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
  consoleErrors: async ({}, use) => {
    const consoleErrors = createConsoleErrors();
    await use(consoleErrors);
    expect(consoleErrors.getUnexpected(), 'there are no console errors').toEqual([]);
  },
  context: async ({ context, consoleErrors, storageState }, use) => {
    await prepareContext(context, consoleErrors);
    if (typeof storageState === 'string') await discardProgress(context);
    await use(context);
  },
  openOtherDevice: async ({ browser, consoleErrors }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      // Playwright applies the project's options to every context; the session must not carry over.
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, ...options });
      contexts.push(context);
      await prepareContext(context, consoleErrors);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

export { expect };
