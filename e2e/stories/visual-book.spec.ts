import { signedIn } from '../support/readers.ts';
import { expectSounding, soundOf } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test.use({ storageState: signedIn.demo });

test('[CAT-06] [PLAY-08] a visual book is opened, read by turning its pages, and turns them itself as it is heard', async ({
  page,
}) => {
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

test('[CAT-06] a finger turns the pages', async ({ browser }) => {
  const context = await browser.newContext({
    storageState: signedIn.demo,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto('/visual-book');
  await page.getByRole('link', { name: /La luna en el balde/ }).tap();
  const picture = page.getByRole('region', { name: /^Page \d+ of/ }).getByRole('img');
  await expect(picture).toBeVisible();
  const shown = async () => new URL(page.url()).searchParams.get('page');
  await expect.poll(shown).not.toBeNull();
  const first = Number(await shown());
  const box = await picture.boundingBox();
  if (!box) throw new Error('The picture has no place.');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y: middle.y }],
    });
  await touch('touchStart', middle.x + 80);
  await touch('touchMove', middle.x);
  await touch('touchMove', middle.x - 80);
  await touch('touchEnd', middle.x - 80);
  await expect.poll(shown).toBe(String(first + 1));
  await context.close();
});
