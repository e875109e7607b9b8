// Pictures of every screen, for people to look at: `tsx e2e/pictures.ts FOLDER [--url ORIGIN] [--only TEXT]`,
// or the README's own: `tsx e2e/pictures.ts --readme`.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import sharp from 'sharp';
import { findChromium } from '../scripts/chromium.mjs';
import { browserArgs } from './support/browser.ts';
import { type Running, root, startProduct } from './support/product.ts';
import { demo, free, signIn } from './support/readers.ts';
import type { Screen } from './support/screens/screen.ts';
import { choose, screens, show } from './support/screens/screens.ts';
import { listenIn } from './support/sound.ts';
import { type Language, languages, type Theme, themes, wordsOf } from './support/words.ts';

/** The windows looked at, in pixels. */
const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;

interface Look {
  size: { width: number; height: number };
  theme: Theme;
  language: Language;
}

type Readers = Record<Screen['reader'], Awaited<ReturnType<BrowserContext['storageState']>> | undefined>;

/** Signs both readers in once. Out: what their browsers keep, by reader. */
async function signInBoth(browser: Browser, baseURL: string): Promise<Readers> {
  const stateOf = async (reader: typeof demo) => {
    const context = await browser.newContext({ baseURL, locale: 'en-GB' });
    const page = await context.newPage();
    await signIn(page, reader);
    const state = await context.storageState();
    await context.close();
    return state;
  };
  return { nobody: undefined, demo: await stateOf(demo), free: await stateOf(free) };
}

/** Takes one screen in one look. In: where to write the PNG. */
async function take(
  browser: Browser,
  origin: string,
  readers: Readers,
  screen: Screen,
  look: Look,
  path: string,
) {
  const { size, theme, language } = look;
  const isPhone = size.width < 768;
  const storageState = readers[screen.reader];
  const context = await browser.newContext({
    baseURL: origin,
    viewport: size,
    hasTouch: isPhone,
    isMobile: isPhone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...(storageState && { storageState }),
  });
  try {
    await listenIn(context);
    // tsx gives functions their names by a helper that a page does not have.
    await context.addInitScript('globalThis.__name = (named) => named');
    const page = await context.newPage();
    await choose(page, theme, language);
    await show(page, screen, wordsOf(language));
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path });
  } finally {
    await context.close();
  }
}

const fits = ({ only }: Screen, { size }: Look) =>
  only === undefined || (only === 'phone') === size.width < 768;

const looks: Look[] = sizes.flatMap((size) =>
  themes.flatMap((theme) => languages.map((language) => ({ size, theme, language }))),
);

/** Every screen in every look, two at a time. Out: the screens that could not be taken. */
async function takeAll(browser: Browser, origin: string, folder: string, only: string): Promise<string[]> {
  const readers = await signInBoth(browser, origin);
  const wanted = screens.filter(({ name }) => name.includes(only));
  const waiting = looks.flatMap((look) =>
    wanted.filter((screen) => fits(screen, look)).map((screen) => ({ look, screen })),
  );
  const failed: string[] = [];
  const takeNext = async () => {
    for (let next = waiting.shift(); next && browser.isConnected(); next = waiting.shift()) {
      const { look, screen } = next;
      const { size, theme, language } = look;
      const path = join(folder, `${size.width}-${theme}-${language}`, `${screen.name}.png`);
      await take(browser, origin, readers, screen, look, path).catch((error: unknown) => {
        failed.push(`${path}: ${String(error).split('\n', 1)}`);
      });
    }
  };
  await Promise.all([takeNext(), takeNext()]);
  return failed;
}

/** The README's picture: Discover, dark, while a track plays; in a palette, since it is text on flat ground for the most part. */
async function takeForReadme(browser: Browser, origin: string): Promise<string[]> {
  const playing = screens.find(({ name }) => name === 'playing');
  if (!playing) return ['There is no screen named playing.'];
  const screen: Screen = {
    ...playing,
    open: async (page, say) => {
      await playing.open?.(page, say);
      for (let times = 0; times < 3; times += 1)
        await page.getByRole('button', { name: say('player.forward', { n: 15 }) }).click();
      await page.mouse.move(0, 0);
    },
  };
  const raw = join(root, '.cache/picture.png');
  const path = join(root, 'docs/picture.png');
  const look: Look = { size: sizes[2], theme: 'dark', language: 'en' };
  await take(browser, origin, await signInBoth(browser, origin), screen, look, raw);
  await sharp(raw).png({ palette: true, quality: 90, effort: 10, compressionLevel: 9 }).toFile(path);
  rmSync(raw);
  const kilobytes = Math.round(statSync(path).size / 1000);
  console.log(`${path}: ${kilobytes} kB`);
  return kilobytes < 300 ? [] : [`The picture has ${kilobytes} kB; a README wants less than 300.`];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, only: { type: 'string' }, readme: { type: 'boolean' } },
});
const [folder] = positionals;
if (!values.readme && folder === undefined) {
  console.error('\n  Which folder shall the pictures go to? tsx e2e/pictures.ts FOLDER\n');
  process.exit(1);
}

const dataDir = join(root, '.cache/pictures');
let product: Running | undefined;
if (values.url === undefined) {
  rmSync(dataDir, { recursive: true, force: true });
  product = await startProduct(4186, dataDir);
}
const origin = values.url ?? product?.origin ?? '';
const browser = await chromium.launch({ executablePath: String(await findChromium()), args: browserArgs });
try {
  const failed = values.readme
    ? await takeForReadme(browser, origin)
    : await takeAll(browser, origin, resolve(folder ?? ''), values.only ?? '');
  for (const failure of failed) console.error(failure);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await product?.stop();
  if (product) rmSync(dataDir, { recursive: true, force: true });
}
