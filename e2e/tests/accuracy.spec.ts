import type { Page } from '@playwright/test';
import { api } from '../../packages/contracts/src/index.ts';
import {
  canEncode,
  clicks,
  clicksAsWav,
  lead,
  type Recording,
  recordClicks,
  wordsOf,
} from '../support/clicks.ts';
import { nextClick, putEar } from '../support/ear.ts';
import { footer, newest } from '../support/player.ts';
import { lendProduct, ownPort, runCommand, startPatience } from '../support/product.ts';
import { demo, signedIn, signIn } from '../support/readers.ts';
import { expectSilence, expectSounding } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';

/** How far the sound may be from where it is said to be; seconds. */
const tolerance = 0.03;

/** A product of its own that took in recordings of clicks. */
const test = story.extend<{ recordings: Recording[] }>({
  recordings: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use, info) => {
      info.skip(!(await canEncode()), 'there is no ffmpeg to make recordings with');
      const folder = info.outputPath('recordings');
      const recordings = await recordClicks(folder);
      await lendProduct(async ({ data }) => {
        const said = ['--language', 'en', '--level', 'B1', '--topic', 'science', '--narrator', 'Metronome'];
        await runCommand(data, 'content', 'import', folder, ...said, '--quiet');
        await use(recordings);
      });
    },
    { timeout: startPatience },
  ],
});
// The ear is code of the story's own in the page.
test.use({ bypassCSP: true });

const sentence = (page: Page, index: number) =>
  page.getByRole('region', { name: /^Text of/ }).getByRole('button', { name: wordsOf(index), exact: true });

/** Opens the page of an article and plays it. Out: when the click of each sentence is to be heard, by the times of its text; seconds. */
async function playOnItsPage(page: Page, title: string): Promise<number[]> {
  await page.goto(`/articles/search/${encodeURIComponent(title)}`);
  const answered = page.waitForResponse(/\/api\/catalogue\/read\//);
  await page.getByRole('group', { name: 'Results' }).getByRole('link', { name: title }).first().click();
  const { article } = api.articles.readArticle.response.parse(await (await answered).json());
  await sentence(page, 0).click();
  await expectSounding(page);
  return article.sentences.map(({ start }) => start + lead);
}

/** The player's sound is another: every file is this one. */
const playInstead = (page: Page, sound: Buffer) =>
  page.route(/\/media\/[^?]+\.mp3/, (route, request) => {
    const from = Number(/^bytes=(\d+)-/.exec(request.headers().range ?? '')?.[1] ?? 0);
    const range = `bytes ${from}-${sound.length - 1}/${sound.length}`;
    return route.fulfill({
      ...{ status: 206, contentType: 'audio/wav', body: sound.subarray(from) },
      headers: { 'accept-ranges': 'bytes', 'content-range': range },
    });
  });

/** Hears a click by its sentence, in silence or while something else sounds. In: when it is to be heard. Out: how late it is, two ways, in seconds. */
async function hear(page: Page, index: number, expected: number, isPaused: boolean) {
  if (isPaused) {
    await footer(page).getByRole('button', { name: 'Pause' }).click();
    await expectSilence(page);
  }
  const heard = await nextClick(page, expected);
  await sentence(page, index).click();
  if (isPaused) await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
  const { after, place, isDisturbed } = await heard();
  return { afterSeek: after - lead, byClock: place - expected, isDisturbed };
}

/** So often a busy machine may break the sound off before that is a fault. */
const patience = 20;

/** Hears something again while the machine was too busy to play it. Throws where it always is: sound that never comes whole is a fault, too. */
async function undisturbed<Heard extends { isDisturbed: boolean }>(listen: () => Promise<Heard>) {
  for (let times = 0; times < patience; times += 1) {
    const heard = await listen();
    if (!heard.isDisturbed) return heard;
  }
  throw new Error(`Sound had gaps ${patience} times in a row.`);
}

const inMs = (all: readonly number[]) => all.map((seconds) => Math.round(seconds * 1000)).join(', ');
const worst = (all: readonly number[]) => Math.max(...all.map(Math.abs));

test.describe('by the slider', () => {
  test.use({ storageState: signedIn.demo });

  test('[PLAY-06] sound matches the seek position within 30 ms', async ({ page }) => {
    test.setTimeout(300_000);
    await playInstead(page, clicksAsWav(90));
    await page.goto('/discover');
    await newest(page).click();
    await expectSounding(page);
    await putEar(page);
    const player = footer(page);
    const slider = player.getByRole('slider', { name: 'Position' });
    const [afterSeek, byClock]: [number[], number[]] = [[], []];
    for (const second of [50, 3, 31, 66, 12, 41]) {
      const click = clicks.find((one) => one > second + lead) ?? Number.NaN;
      const { after, place } = await undisturbed(async () => {
        await player.getByRole('button', { name: 'Pause' }).click();
        await expectSilence(page);
        const heard = await nextClick(page, click);
        await slider.fill(String(second));
        await slider.dispatchEvent('pointerup');
        await player.getByRole('button', { name: 'Play', exact: true }).click();
        return heard();
      });
      afterSeek.push(after - (click - second));
      byClock.push(place - click);
    }
    const found = `late by the place shown ${inMs(byClock)} ms, from the first sound on ${inMs(afterSeek)} ms`;
    test.info().annotations.push({ type: 'accuracy', description: found });
    for (const late of [afterSeek, byClock]) expect(worst(late), found).toBeLessThanOrEqual(tolerance);
    await page.close();
  });
});

test.describe('by the text', () => {
  test.use({ baseURL: `http://localhost:${ownPort}` });

  test('[PLAY-06] [PLAY-08] sound matches its text within 30 ms, re-encoded and as original MP3', async ({
    page,
    recordings,
  }) => {
    test.setTimeout(300_000);
    await signIn(page, demo);
    for (const { title, isEncodedAnew } of recordings) {
      const expected = await playOnItsPage(page, title);
      await putEar(page);
      const [afterSeek, byClock]: [number[], number[]] = [[], []];
      const at = (index: number) => expected[index] ?? Number.NaN;
      for (const index of [70, 3, 41, 87, 12, 55]) {
        const heard = await undisturbed(() => hear(page, index, at(index), true));
        afterSeek.push(heard.afterSeek);
        byClock.push(heard.byClock);
      }
      for (const index of [20, 80])
        byClock.push((await undisturbed(() => hear(page, index, at(index), false))).byClock);
      const found = `${title}: late by the times of the text ${inMs(byClock)} ms, from the first sound on ${inMs(afterSeek)} ms`;
      test.info().annotations.push({ type: 'accuracy', description: found });
      expect(byClock.length, found).toBe(8);
      expect(worst(byClock), found).toBeLessThanOrEqual(tolerance);
      // Frames that came lean on those before them: after a seek the first are silent, and count for nothing here.
      if (isEncodedAnew) expect(worst(afterSeek), found).toBeLessThanOrEqual(tolerance);
    }
    await page.close();
  });
});
