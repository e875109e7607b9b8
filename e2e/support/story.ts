import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { createNoise, type Noise } from './noise.ts';
import { keepPlaces } from './readers.ts';
import { listenIn } from './sound.ts';

interface Fixtures {
  noise: Noise;
  /** Another device: a browser of its own with the project's screen, that knows nobody. */
  otherDevice: (options?: BrowserContextOptions) => Promise<Page>;
}

async function prepared(context: BrowserContext, noise: Noise): Promise<void> {
  noise.hear(context);
  await listenIn(context);
}

/** A story: a test whose browsers may not complain (console errors, uncaught errors, broken security policy). */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  noise: async ({}, use) => {
    const noise = createNoise();
    await use(noise);
    expect(noise.heard(), 'the browser complains of nothing').toEqual([]);
  },
  context: async ({ context, noise, storageState }, use) => {
    await prepared(context, noise);
    if (typeof storageState === 'string') await keepPlaces(context);
    await use(context);
  },
  otherDevice: async ({ browser, noise }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      // The project's screen comes by itself; who is signed in must not.
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, ...options });
      opened.push(context);
      await prepared(context, noise);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
});

export { expect };
