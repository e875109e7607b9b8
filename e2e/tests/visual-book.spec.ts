import { signedIn } from '../support/readers.ts';
import { expectSounding, soundOf } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';
import { fingerOn, middleOf } from '../support/touch.ts';

test.use({ storageState: signedIn.demo });

test('[CAT-06] [PLAY-08] a visual book turns its pages by hand and with its audio', async ({ page }) => {
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /The Bus That Stayed/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The Bus That Stayed' })).toBeVisible();
  await page.goto(`${new URL(page.url()).pathname}?page=1`);
  const opened = (number: number) => page.getByRole('region', { name: new RegExp(`^Page ${number} of`) });
  await expect(opened(1).getByRole('img')).toBeVisible();

  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(opened(2)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(opened(1)).toBeVisible();

  // Heard from the last sentence of the page, it turns by itself.
  await opened(1).locator('p').getByRole('button').last().click();
  await expectSounding(page);
  await expect(opened(2)).toBeVisible({ timeout: 30_000 });
  await expect(opened(2).locator('[aria-current=true]')).toHaveCount(1);

  // Turned while it plays, it goes on from there.
  const before = await soundOf(page);
  await page.keyboard.press('PageDown');
  await expect(opened(3)).toBeVisible();
  await expectSounding(page);
  expect((await soundOf(page)).position).toBeGreaterThan(before.position);
});

test('[CAT-06] a swipe turns the pages', async ({ otherDevice }) => {
  const page = await otherDevice({
    storageState: signedIn.demo,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /La luna en el balde/ }).tap();
  const picture = page.getByRole('region', { name: /^Page \d+ of/ }).getByRole('img');
  await expect(picture).toBeVisible();
  const shown = async () => new URL(page.url()).searchParams.get('page');
  await expect.poll(shown).not.toBeNull();
  const first = Number(await shown());
  const { x, y } = await middleOf(picture);
  const finger = await fingerOn(page);
  await finger.down({ x: x + 80, y });
  await finger.move({ x, y });
  await finger.move({ x: x - 80, y });
  await finger.up();
  await expect.poll(shown).toBe(String(first + 1));
});
