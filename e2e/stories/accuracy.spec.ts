import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { canEncode, clicks, lead, type Recording, recordClicks, wordsOf } from '../support/clicks.ts';
import { nextClick, putEar } from '../support/ear.ts';
import { footer } from '../support/player.ts';
import { embedded, root, startProduct } from '../support/product.ts';
import { demo, signIn } from '../support/readers.ts';
import { expectSilence, expectSounding } from '../support/sound.ts';
import { expect, test as story } from '../support/story.ts';

const port = Number(process.env.E2E_PORT ?? 4977) + 3;
/** How far the sound may be from where it is said to be; seconds. */
const tolerance = 0.03;

/** A product of its own that took in recordings of clicks. */
const test = story.extend<{ recordings: Recording[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  recordings: async ({}, use, info) => {
    info.skip(!(await canEncode()), 'there is no ffmpeg to make recordings with');
    const data = await mkdtemp(join(tmpdir(), 'escucho-accuracy-'));
    const recordings = await recordClicks(join(data, 'recordings'));
    const product = await startProduct(port, join(data, 'data'));
    const said = ['--language', 'en', '--level', 'B1', '--topic', 'science', '--narrator', 'Metronome'];
    await promisify(execFile)(
      process.execPath,
      [
        '--import',
        'tsx',
        'apps/server/src/cli/content.ts',
        'import',
        join(data, 'recordings'),
        ...said,
        '--quiet',
      ],
      { cwd: root, env: { ...process.env, ...embedded, DATA_DIR: join(data, 'data') } },
    );
    await use(recordings);
    await product.stop();
    await rm(data, { recursive: true, force: true });
  },
});
// The ear is code of the story's own in the page.
test.use({ baseURL: `http://localhost:${port}`, bypassCSP: true });

const sentence = (page: Page, index: number) =>
  page.getByRole('region', { name: /^Text of/ }).getByRole('button', { name: wordsOf(index), exact: true });

/** Opens the page of an article and plays it. */
async function playOnItsPage(page: Page, title: string): Promise<void> {
  await page.goto(`/articles/search/${encodeURIComponent(title)}`);
  await page.getByRole('group', { name: 'Results' }).getByRole('link', { name: title }).first().click();
  await sentence(page, 0).click();
  await expectSounding(page);
}

/** Hears a click by its sentence, in silence or while something else sounds. Out: how late it is, two ways, in seconds. */
async function hear(page: Page, index: number, isPaused: boolean) {
  if (isPaused) {
    await footer(page).getByRole('button', { name: 'Pause' }).click();
    await expectSilence(page);
  }
  const heard = await nextClick(page, clicks[index] ?? Number.NaN);
  await sentence(page, index).click();
  if (isPaused) await footer(page).getByRole('button', { name: 'Play', exact: true }).click();
  const { after, place } = await heard();
  return { afterSeek: after - lead, byClock: place - (clicks[index] ?? Number.NaN) };
}

const inMs = (all: readonly number[]) => all.map((seconds) => Math.round(seconds * 1000)).join(', ');
const worst = (all: readonly number[]) => Math.max(...all.map(Math.abs));

test('[PLAY-06] [PLAY-08] sound is where a seek went, to 30 ms: of a recording encoded anew, and of MP3 as it came', async ({
  page,
  recordings,
}) => {
  test.setTimeout(300_000);
  await signIn(page, demo);
  for (const { title, isEncodedAnew } of recordings) {
    await playOnItsPage(page, title);
    await putEar(page);
    const [afterSeek, byClock]: [number[], number[]] = [[], []];
    for (const index of [70, 3, 41, 87, 12, 55]) {
      const heard = await hear(page, index, true);
      afterSeek.push(heard.afterSeek);
      byClock.push(heard.byClock);
    }
    for (const index of [20, 80]) byClock.push((await hear(page, index, false)).byClock);
    const found = `${title}: late by the place shown ${inMs(byClock)} ms, from the first sound on ${inMs(afterSeek)} ms`;
    test.info().annotations.push({ type: 'accuracy', description: found });
    expect(byClock.length, found).toBe(8);
    expect(worst(byClock), found).toBeLessThanOrEqual(tolerance);
    // Frames that came lean on those before them: after a seek the first are silent, and count for nothing here.
    if (isEncodedAnew) expect(worst(afterSeek), found).toBeLessThanOrEqual(tolerance);
  }
  await page.close();
});
