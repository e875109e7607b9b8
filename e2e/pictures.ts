import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, devices } from '@playwright/test';
import sharp from 'sharp';
import { findChromium } from '../scripts/chromium.mjs';
import { createTranslate, type Language, languages, type Theme, themes } from './support/app/messages.ts';
import { demoUser, freeUser, signIn, type TestUser } from './support/app/users.ts';
import { trackMediaElement } from './support/audio/audio.ts';
import { browserArgs } from './support/browser.ts';
import { readArguments, resolvePath } from './support/command-line.ts';
import { type RunningProcess, root, startProduct } from './support/product.ts';
import type { Screen } from './support/screens/screen.ts';
import { openScreen, screens, setPreferences } from './support/screens/screens.ts';

const viewports = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;

interface Variant {
  viewport: { width: number; height: number };
  theme: Theme;
  language: Language;
}

const isPhone = ({ viewport }: Variant) => viewport.width < 768;

const variants: Variant[] = viewports.flatMap((viewport) =>
  themes.flatMap((theme) => languages.map((language) => ({ viewport, theme, language }))),
);

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signInUsers(
  browser: Browser,
  baseURL: string,
): Promise<Record<Screen['user'], StorageState | undefined>> {
  const getStorageState = async (user: TestUser) => {
    const context = await browser.newContext({ baseURL, locale: 'en-GB' });
    await signIn(await context.newPage(), user);
    const state = await context.storageState();
    await context.close();
    return state;
  };
  return { none: undefined, demo: await getStorageState(demoUser), free: await getStorageState(freeUser) };
}

async function takePicture(
  browser: Browser,
  origin: string,
  storageState: StorageState | undefined,
  screen: Screen,
  variant: Variant,
  path: string,
) {
  const { viewport, theme, language } = variant;
  const context = await browser.newContext({
    baseURL: origin,
    viewport,
    hasTouch: isPhone(variant),
    isMobile: isPhone(variant),
    // Wins over a header of setPreferences in a request for a document.
    locale: language,
    reducedMotion: 'reduce',
    ...(storageState && { storageState }),
    ...(screen.android && { userAgent: devices['Pixel 7'].userAgent }),
  });
  try {
    await trackMediaElement(context);
    // tsx wraps functions in a helper that does not exist in the page.
    await context.addInitScript('globalThis.__name = (fn) => fn');
    const page = await context.newPage();
    await setPreferences(page, theme, language);
    await openScreen(page, screen, createTranslate(language));
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path });
  } finally {
    await context.close();
  }
}

/** Takes every screen in every variant, two at a time. Returns the errors. */
async function takeAll(browser: Browser, origin: string, folder: string, only: string): Promise<string[]> {
  const storageStates = await signInUsers(browser, origin);
  const queue = variants.flatMap((variant) =>
    screens
      .filter((screen) => screen.name.includes(only))
      .filter((screen) => screen.only === undefined || (screen.only === 'phone') === isPhone(variant))
      .map((screen) => ({ variant, screen })),
  );
  const errors: string[] = [];
  const processQueue = async () => {
    for (let next = queue.shift(); next && browser.isConnected(); next = queue.shift()) {
      const { variant, screen } = next;
      const { viewport, theme, language } = variant;
      const path = join(folder, `${viewport.width}-${theme}-${language}`, `${screen.name}.png`);
      await takePicture(browser, origin, storageStates[screen.user], screen, variant, path).catch(
        (error: unknown) => errors.push(`${path}: ${String(error).split('\n', 1)}`),
      );
    }
  };
  await Promise.all([processQueue(), processQueue()]);
  return errors;
}

const MAX_README_KB = 300;

/** Takes Discover in the dark theme while a track plays, with a color palette to reduce the file size. */
async function takeForReadme(browser: Browser, origin: string): Promise<string[]> {
  const playing = screens.find(({ name }) => name === 'playing');
  if (!playing) return ['There is no screen named playing.'];
  const screen: Screen = {
    ...playing,
    open: async (page, t) => {
      await playing.open?.(page, t);
      for (let clicks = 0; clicks < 3; clicks += 1)
        await page.getByRole('button', { name: t('player.forward', { n: 15 }) }).click();
      await page.mouse.move(0, 0);
    },
  };
  const screenshot = join(root, '.cache/picture.png');
  const path = join(root, 'docs/picture.png');
  const { demo } = await signInUsers(browser, origin);
  await takePicture(
    browser,
    origin,
    demo,
    screen,
    { viewport: viewports[2], theme: 'dark', language: 'en' },
    screenshot,
  );
  await sharp(screenshot).png({ palette: true, quality: 90, effort: 10, compressionLevel: 9 }).toFile(path);
  rmSync(screenshot);
  const kilobytes = Math.round(statSync(path).size / 1000);
  console.log(`${path}: ${kilobytes} kB`);
  return kilobytes < MAX_README_KB
    ? []
    : [`The picture has ${kilobytes} kB; the maximum is ${MAX_README_KB} kB.`];
}

const usage = `npm run pictures -- FOLDER [OPTIONS]
npm run pictures -- --readme

Takes screenshots of every screen, in three widths, two themes and two languages, or with --readme the picture of the
README.

  --url ORIGIN     of a running product; otherwise one is started with the demo data
  --only TEXT      only the screens whose names contain the text`;

const { values, positionals } = readArguments(usage, {
  url: { type: 'string' },
  only: { type: 'string' },
  readme: { type: 'boolean' },
});
const [folder] = positionals;
if (!values.readme && folder === undefined) {
  console.error(usage);
  process.exit(2);
}

const dataDir = join(root, '.cache/pictures');
let product: RunningProcess | undefined;
if (values.url === undefined) {
  rmSync(dataDir, { recursive: true, force: true });
  product = await startProduct(4186, dataDir);
}
const origin = values.url ?? product?.origin ?? '';
const browser = await chromium.launch({ executablePath: String(await findChromium()), args: browserArgs });
try {
  const errors = values.readme
    ? await takeForReadme(browser, origin)
    : await takeAll(browser, origin, resolvePath(folder ?? ''), values.only ?? '');
  for (const error of errors) console.error(error);
  process.exitCode = errors.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await product?.stop();
  if (product) rmSync(dataDir, { recursive: true, force: true });
}
