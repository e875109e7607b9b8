import type { Locator } from '@playwright/test';
import { storageStates } from '../../support/app/users.ts';
import { expectPlaying, getAudioState } from '../../support/audio/audio.ts';
import { createTouch, getCenter } from '../../support/input/touch.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.demo });

test('[CAT-06] [PLAY-08] a visual book turns its pages by hand and with its audio', async ({ page }) => {
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /The Bus That Stayed/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The Bus That Stayed' })).toBeVisible();
  await page.goto(`${new URL(page.url()).pathname}?page=1`);
  const getPage = (number: number) => page.getByRole('region', { name: new RegExp(`^Page ${number} of`) });
  await expect(getPage(1).getByRole('img')).toBeVisible();

  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(getPage(2)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(getPage(1)).toBeVisible();

  // The page turns after its last sentence.
  await getPage(1).locator('p').getByRole('button').last().click();
  await expectPlaying(page);
  await expect(getPage(2)).toBeVisible();
  await expect(getPage(2).locator('[aria-current=true]')).toHaveCount(1);

  // Playback continues on the page that was turned to.
  const before = await getAudioState(page);
  await page.keyboard.press('PageDown');
  await expect(getPage(3)).toBeVisible();
  await expectPlaying(page);
  expect((await getAudioState(page)).position).toBeGreaterThan(before.position);
});

test('[CAT-06] a swipe turns the pages', async ({ openOtherDevice }) => {
  const page = await openOtherDevice({
    storageState: storageStates.demo,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /La luna en el balde/ }).tap();
  const image = page.getByRole('region', { name: /^Page \d+ of/ }).getByRole('img');
  await expect(image).toBeVisible();
  const getPageParameter = async () => new URL(page.url()).searchParams.get('page');
  await expect.poll(getPageParameter).not.toBeNull();
  const first = Number(await getPageParameter());
  const { x, y } = await getCenter(image);
  const touch = await createTouch(page);
  await touch.down({ x: x + 80, y });
  await touch.move({ x, y });
  await touch.move({ x: x - 80, y });
  await touch.up();
  await expect.poll(getPageParameter).toBe(String(first + 1));
});

test('[CAT-06] in landscape the picture is beside its controls', async ({ page }) => {
  await page.setViewportSize({ width: 780, height: 360 });
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /La luna en el balde/ }).click();
  const image = page.getByRole('region', { name: /^Page \d+ of/ }).getByRole('img');
  await expect(image).toBeInViewport({ ratio: 1 });
  const picture = await image.boundingBox();
  const player = await page.getByRole('region', { name: 'Player' }).boundingBox();
  const listen = await page.getByRole('main').getByRole('button', { name: 'Listen' }).boundingBox();
  if (!picture || !player || !listen) throw new Error('The picture, the player or the button is missing.');
  expect(picture.height).toBeGreaterThan(180);
  expect(picture.y + picture.height).toBeLessThanOrEqual(player.y);
  expect(listen.x).toBeGreaterThan(picture.x + picture.width);
  expect(listen.y + listen.height).toBeLessThanOrEqual(player.y);

  await page.setViewportSize({ width: 568, height: 320 });
  await expect(image).toBeInViewport({ ratio: 1 });
  const getOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(getOverflow).toBeLessThanOrEqual(0);
});

test('[SHELL-07] forced colors show the dots of all pages', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /The Bus That Stayed/ }).click();
  const getColor = (locator: Locator) =>
    locator.evaluate((element) => getComputedStyle(element).backgroundColor);
  const dots = page.getByRole('list').getByRole('button', { name: /^Page \d/ });
  const other = dots.and(page.locator(':not([aria-current])')).first();
  const ground = await getColor(page.locator('body'));
  expect(await getColor(other.locator('span'))).not.toBe(ground);
  expect(await getColor(dots.and(page.locator('[aria-current]')))).not.toBe(await getColor(other));
});
