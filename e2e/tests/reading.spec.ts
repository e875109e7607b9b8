import type { Locator, Page } from '@playwright/test';
import {
  footer,
  fullPlayer,
  leavePaused,
  newest,
  pauseSaved,
  playButtons,
  shelf,
  titleOf,
} from '../support/player.ts';
import { newReader, signedIn, signIn } from '../support/readers.ts';
import {
  expectPast,
  expectSilence,
  expectSounding,
  jumpsOf,
  seekTo,
  soundOf,
  speedsOf,
} from '../support/sound.ts';
import { expect, test } from '../support/story.ts';
import { dragBefore } from '../support/touch.ts';

interface Sentence {
  text: string;
  translation: string | null;
  start: number;
  end: number;
}

/** The player as it is before the reader: the footer, or on a phone the whole screen, which is opened. */
async function controlsOf(page: Page, isMobile: boolean) {
  if (!isMobile) return footer(page);
  await footer(page)
    .getByRole('button', { name: /^Open the player/ })
    .click();
  return fullPlayer(page);
}

const positionOf = (controls: Locator) => controls.getByRole('slider', { name: 'Position' });

/** Plays the newest article and opens the player with its text. Out: the text's sentences. */
async function reading(page: Page, isMobile: boolean): Promise<Sentence[]> {
  const answered = page.waitForResponse(/\/api\/catalogue\/articles\//);
  await newest(page).click();
  await expectSounding(page);
  await footer(page)
    .getByRole('button', { name: /^Open the player/ })
    .click();
  if (isMobile)
    await fullPlayer(page)
      .getByRole('button', { name: /^Text of/ })
      .click();
  await seekTo(page, positionOf(fullPlayer(page)), 0);
  const { sentences }: { sentences: Sentence[] } = await (await answered).json();
  await expect(page.getByRole('toolbar', { name: 'Reading along' })).toBeVisible();
  return sentences;
}

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Reading along' }).getByRole('button', { name, exact: true });

/** So many sentences are seen lighting up while frames come in time, where the machine is free enough … */
const enoughTimely = 12;
/** … and so many at most. */
const most = 40;

const lit = (page: Page) => page.locator('[data-sentence][aria-current=true]');

test.describe('with a subscription', () => {
  test.use({ storageState: signedIn.demo });
  test.beforeEach(({ page }) => page.goto('/discover'));

  test('[PLAY-08] a sentence is highlighted within 50 ms of its sound', async ({ page, isMobile }) => {
    test.setTimeout(180_000);
    const sentences = await reading(page, isMobile);
    const starts = sentences.map(({ start }) => start);
    // From a sentence on, that is lit.
    await page.getByRole('button', { name: sentences[0]?.text ?? '', exact: true }).click();
    await expect(lit(page)).toHaveText(sentences[0]?.text ?? '');
    const seen = await page.evaluate(
      async ({ starts, enough, most }) => {
        const element = [...(window.heardElements ?? [])].at(-1);
        if (!element) return [];
        element.playbackRate = 2;
        const text = document.querySelector('[data-sentence]')?.closest('section') ?? document.body;
        const litNow = () =>
          Number(text.querySelector('[aria-current=true]')?.getAttribute('data-sentence') ?? -1);
        const seen: { seconds: number; frames: number; isTimely: boolean }[] = [];
        const frames: { at: number; place: number }[] = [];
        let number = litNow();
        while (seen.length < most && seen.filter(({ isTimely }) => isTimely).length < enough) {
          await new Promise(requestAnimationFrame);
          frames.push({ at: performance.now(), place: element.currentTime });
          const now = litNow();
          if (now > number) {
            const start = starts[now] ?? 0;
            const since = frames.findLastIndex(({ place }) => place < start) + 1;
            const gaps = frames
              .slice(since)
              .map(({ at }, index) => at - (frames[since + index - 1]?.at ?? 0));
            seen.push({
              seconds: (element.currentTime - start) / element.playbackRate,
              frames: frames.length - since,
              isTimely: gaps.every((gap) => gap < 25),
            });
            // Near the end of the text from its beginning again: there are never too few.
            if (now > starts.length - 3) element.currentTime = starts[0] ?? 0;
          }
          if (now !== number) frames.splice(0, frames.length - 1);
          number = now;
        }
        return seen;
      },
      { starts, enough: enoughTimely, most },
    );
    // By frames, for how many a busy machine draws in a second is not the page's doing …
    expect(seen.length).toBeGreaterThanOrEqual(enoughTimely);
    for (const { seconds, frames } of seen) {
      expect(seconds).toBeGreaterThan(-0.01);
      expect(frames).toBeLessThanOrEqual(3);
    }
    // … and by the clock where each took less than 25 ms: the sentence lights up with the second one at the latest.
    const timely = seen.filter(({ isTimely }) => isTimely).map(({ seconds }) => seconds);
    const sorted = timely.toSorted((one, other) => one - other);
    const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
    const found = `${Math.round(p95 * 1000)} ms, 95 of 100, of ${timely.length} among ${seen.length}`;
    test.info().annotations.push({ type: 'lights up after', description: found });
    expect(p95, found).toBeLessThanOrEqual(0.05);
  });

  test('[PLAY-08] a press on a sentence seeks to it, as do previous and next sentence', async ({
    page,
    isMobile,
  }) => {
    const sentences = await reading(page, isMobile);
    await fullPlayer(page).getByRole('button', { name: 'Pause' }).click();
    await expectSilence(page);
    const third = sentences[2];
    await page.getByRole('button', { name: third?.text ?? '', exact: true }).click();
    await expect.poll(async () => (await soundOf(page)).position).toBeCloseTo(third?.start ?? 0, 1);
    await tool(page, 'Next sentence').click();
    await expect(lit(page)).toHaveText(sentences[3]?.text ?? '');
    await tool(page, 'Previous sentence').click();
    await tool(page, 'Previous sentence').click();
    await expect(lit(page)).toHaveText(sentences[1]?.text ?? '');
    await expect.poll(async () => (await soundOf(page)).position).toBeCloseTo(sentences[1]?.start ?? 0, 1);
  });

  test('[PLAY-08] a sentence loops until the loop is turned off', async ({ page, isMobile }) => {
    const sentences = await reading(page, isMobile);
    const { text, start, end } = sentences.reduce((short, one) =>
      one.end - one.start < short.end - short.start ? one : short,
    );
    // In silence: a busy machine might say the sentence to its end before it is told to repeat it.
    await fullPlayer(page).getByRole('button', { name: 'Pause' }).click();
    await expectSilence(page);
    await page.getByRole('button', { name: text, exact: true }).first().click();
    await expect(lit(page)).toHaveText(text);
    await tool(page, 'Repeat the sentence').click();
    await expect(tool(page, 'Repeat the sentence')).toHaveAttribute('aria-pressed', 'true');
    const jumps = await jumpsOf(page);
    await fullPlayer(page).getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(async () => (await jumps()).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    for (const to of await jumps()) expect(to).toBeCloseTo(start, 1);
    await tool(page, 'Repeat the sentence').click();
    await expectPast(page, end + 0.3);
  });

  test('[PLAY-08] practice mode speeds a sentence up and pauses after each on request', async ({
    page,
    isMobile,
  }) => {
    const sentences = await reading(page, isMobile);
    const speeds = await speedsOf(page);
    await tool(page, 'Say it slowly, then faster').click();
    await expect.poll(async () => (await speeds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
    expect((await speeds()).slice(0, 4)).toEqual([0.7, 0.85, 1, 0.7]);
    await tool(page, 'Stop after each sentence').click();
    await expect.poll(async () => (await soundOf(page)).speed).toBe(1);
    await expect.poll(async () => (await soundOf(page)).paused, { timeout: 30_000 }).toBe(true);
    const beginning = async () => {
      const { position } = await soundOf(page);
      return sentences.some(({ start }) => Math.abs(start - position) < 0.1);
    };
    await expect.poll(beginning, 'at the beginning of a sentence').toBe(true);
  });

  test('[PLAY-08] translation, text size, typeface and speed are stored', async ({ page, isMobile }) => {
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (/atkinson.*woff2/.test(request.url())) fonts.push(request.url());
    });
    const sentences = await reading(page, isMobile);
    const text = page.getByRole('region', { name: /^Text of/ });
    const translation = text.getByText(sentences[1]?.translation ?? '', { exact: true });
    await expect(translation).toBeHidden();
    await tool(page, 'Translation').click();
    await expect(translation).toBeVisible();
    await tool(page, 'Text and speed').click();
    const before = await text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    await page.getByRole('slider', { name: 'Text size' }).fill('150');
    await expect
      .poll(() => text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)))
      .toBeCloseTo(before * 1.5, 0);
    await page.getByRole('slider', { name: 'Speed', exact: true }).fill('0.85');
    await expect.poll(async () => (await soundOf(page)).speed).toBe(0.85);
    expect(fonts).toEqual([]);
    await page.getByRole('radio', { name: 'Clear' }).click();
    await expect
      .poll(() => page.evaluate(() => document.fonts.check('16px "Atkinson Hyperlegible Next"')))
      .toBe(true);
    expect(fonts).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect(fullPlayer(page)).toBeVisible();

    await page.reload();
    await footer(page)
      .getByRole('button', { name: /^Open the player/ })
      .click();
    if (isMobile)
      await fullPlayer(page)
        .getByRole('button', { name: /^Text of/ })
        .click();
    await expect(translation).toBeVisible();
    await expect(fullPlayer(page).getByRole('button', { name: /^Speed 0.85×/ })).toBeVisible();
  });

  test('[PLAY-08] scrolling away stops following the text until it is requested', async ({
    page,
    isMobile,
  }) => {
    await reading(page, isMobile);
    await expect(lit(page)).toBeInViewport();
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.mouse.move(isMobile ? width / 2 : (width * 3) / 4, height / 3);
    // Turn by turn, as a hand does: the page may still be on its way to the voice.
    for (let turns = 0; turns < 8; turns += 1) await page.mouse.wheel(0, 500);
    const back = page.getByRole('button', { name: 'Back to the voice' });
    await expect(back).toBeVisible();
    await expect(lit(page)).not.toBeInViewport();
    await back.click();
    await expect(lit(page)).toBeInViewport();
    await expect(back).toBeHidden();
  });

  test('[PLAY-07] the queue is reordered by dragging, and undone', async ({ page, isMobile }) => {
    await newest(page).click();
    await expectSounding(page);
    const controls = await controlsOf(page, isMobile);
    await seekTo(page, positionOf(controls), 0);
    await controls.getByRole('button', { name: 'Queue' }).click();
    const queue = page.getByRole('dialog', { name: 'Queue' });
    const rows = queue.getByRole('listitem');
    const titles = () =>
      rows.evaluateAll((all) => all.map((row) => row.querySelector('[lang]')?.textContent));
    await expect(rows.nth(3)).toBeVisible();
    const [first, second, third, ...rest] = await titles();
    await dragBefore(page, rows.nth(2).getByRole('button', { name: /^Move/ }), rows.nth(1), isMobile);
    await expect.poll(titles).toEqual([first, third, second, ...rest]);
    await expect(queue.getByRole('status').filter({ hasText: 'Undo' })).toContainText(`${third} is now 2 of`);
    await queue.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(titles).toEqual([first, second, third, ...rest]);

    await rows.nth(3).getByRole('button', { name: /next$/ }).click();
    await expect.poll(async () => (await titles())[1]).toBe(rest[0]);
    await queue.getByRole('button', { name: 'Clear the queue' }).click();
    await expectSilence(page);
    await queue.getByRole('button', { name: 'Undo' }).click();
    await expect(rows.first()).toContainText(first ?? '');
    await page.keyboard.press('Escape');
    await expect(queue).toBeHidden();
    await expect(footer(page)).toContainText(first ?? '');
  });

  test('[PLAY-07] the sleep timer stops at the end of the track', async ({ page, isMobile }) => {
    const tracks = playButtons(shelf(page, 'Latest articles'));
    const following = await titleOf(tracks.nth(1));
    await tracks.first().click();
    await expectSounding(page);
    const controls = await controlsOf(page, isMobile);
    await seekTo(page, positionOf(controls), 0);
    await controls.getByRole('button', { name: 'Sleep timer' }).click();
    await page.getByRole('radio', { name: 'End of the track' }).click();
    await expect(controls.getByRole('button', { name: /until the end of the track/ })).toBeVisible();
    const slider = controls.getByRole('slider', { name: 'Position' });
    await slider.fill(String(Math.floor(Number(await slider.getAttribute('max'))) - 1));
    await expect(controls).toContainText(following, { timeout: 15_000 });
    await expectSilence(page);
    await expect(controls.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  });

  test('[PLAY-05] a jump to the start can be undone', async ({ page, isMobile }) => {
    await newest(page).click();
    await expectSounding(page);
    const controls = await controlsOf(page, isMobile);
    await seekTo(page, positionOf(controls), 50);
    await seekTo(page, positionOf(controls), 0);
    await page.getByRole('button', { name: /^Back to (0:5|[1-9]:)/ }).click();
    await expectPast(page, 49);
  });
});

test('[PLAY-05] bookmarks work offline, sync to every device, and deletion can be undone', async ({
  page,
  otherDevice,
  noise,
}) => {
  noise.allow(/net::ERR_INTERNET_DISCONNECTED/);
  const reader = await newReader(page.request);
  const openParts = async (device: Page) => {
    await footer(device)
      .getByRole('button', { name: /^Open the player/ })
      .click();
    await fullPlayer(device).getByRole('button', { name: 'Chapters and bookmarks' }).click();
    return device.getByRole('dialog', { name: 'Chapters and bookmarks' });
  };
  await signIn(page, reader);
  await newest(page).click();
  await expectPast(page, 3);
  const drawer = await openParts(page);
  await expect(drawer.getByText(/^Mark a place/)).toBeVisible();
  await page.context().setOffline(true);
  await drawer.getByRole('button', { name: /^Bookmark 0:/ }).click();
  await drawer.getByRole('textbox', { name: 'Note' }).fill('look this up');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('look this up')).toBeVisible();
  const told = page.waitForResponse(
    (answer) => answer.url().includes('/api/bookmarks') && answer.request().method() === 'PUT' && answer.ok(),
  );
  await page.context().setOffline(false);
  await told;

  const other = await otherDevice();
  await signIn(other, reader);
  await newest(other).click();
  await expectSounding(other);
  const list = await openParts(other);
  const mark = list.getByRole('button', { name: /^Go to 0:/ });
  await expect(mark).toContainText('look this up');
  const marked = Number(/Go to 0:(\d\d)/.exec((await mark.textContent()) ?? '')?.[1]);
  const jumps = await jumpsOf(other);
  await mark.click();
  await expect.poll(async () => (await jumps()).map(Math.floor)).toContain(marked);
  await list.getByRole('button', { name: /^Delete the bookmark/ }).click();
  await expect(mark).toBeHidden();
  await other.getByRole('button', { name: 'Undo' }).click();
  await expect(mark).toBeVisible();
});

test('[PLAY-05] a paused track follows another device, with undo', async ({ page, otherDevice }) => {
  const { reader, left } = await leavePaused(page);
  const other = await otherDevice();
  await signIn(other, reader);
  await newest(other).click();
  await expectSounding(other);
  await other.getByRole('main').focus();
  for (let presses = 0; presses < 2; presses += 1) await other.keyboard.press('l');
  await expectPast(other, left + 25);
  const saved = pauseSaved(other);
  await other.keyboard.press('k');
  await saved;

  await page.reload();
  await page.getByRole('button', { name: /^Back to 0:/ }).click();
  const slider = page.getByRole('slider', { name: 'Position', includeHidden: true }).first();
  await expect.poll(async () => Math.abs(Number(await slider.inputValue()) - left)).toBeLessThan(2);
});
