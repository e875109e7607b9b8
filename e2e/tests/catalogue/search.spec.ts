import type { Page } from '@playwright/test';
import { storageStates } from '../../support/app/users.ts';
import { expectPlaying, getPlaybackStart } from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test.use({ storageState: storageStates.demo });

test('[CAT-03] searches as one types, with filters, at a URL that can be shared', async ({ page }) => {
  await page.goto('/discover');
  const box = page.getByRole('searchbox', { name: 'Search' });
  await box.pressSequentially('girafe');
  await expect(page).toHaveURL('/articles/search/girafe');
  const results = page.getByRole('group', { name: 'Results' });
  await expect(results.getByRole('link').first()).toHaveText('The Giraffe Who Walked to Paris');

  await box.fill('');
  await expect(page).toHaveURL('/articles/search');
  await page.getByRole('link', { name: /^Spanish \d/ }).click();
  await expect(page).toHaveURL('/articles/search?language=es');
  await page.getByRole('combobox', { name: 'Level' }).selectOption('A2');
  await expect(page).toHaveURL('/articles/search?language=es&level=A2');
  const rows = results.getByRole('article');
  const levels = async () =>
    new Set((await rows.allTextContents()).map((row) => (row.includes('A2') ? 'A2' : row)));
  await expect.poll(levels).toEqual(new Set(['A2']));
  const titles = await results.getByRole('link').allTextContents();
  expect(titles.length).toBeGreaterThan(0);

  // The URL can be shared.
  await page.goto('/articles/search?language=es&level=A2');
  await expect(results.getByRole('link')).toHaveText(titles);
});

test('[CAT-03] a phrase is found with its sentence and plays from there', async ({ page }) => {
  await page.goto(`/articles/search/${encodeURIComponent('abuela estaba enferma')}`);
  const playButton = page.getByRole('button', { name: /^Hear La luna en el balde from/ });
  await expect(playButton).toBeVisible();
  await playButton.click();
  const from = /from (\d+):(\d\d)/.exec((await playButton.getAttribute('aria-label')) ?? '');
  await expectPlaying(page);
  expect(Math.floor((await getPlaybackStart(page)) + 0.05)).toBe(60 * Number(from?.[1]) + Number(from?.[2]));
});

test('[CAT-04] an article’s page links to its text and narrator, and back restores the spot', async ({
  page,
}) => {
  await page.goto('/articles/latest');
  const rows = page.getByRole('region', { name: 'Latest articles' }).getByRole('heading', { level: 2 });
  const link = rows.nth(20).getByRole('link');
  const title = (await link.textContent()) ?? '';
  await link.scrollIntoViewIfNeeded();
  // The click scrolls again where something covers the link, such as a toast.
  const clickedAt = page.evaluate(
    () => new Promise<number>((resolve) => addEventListener('click', () => resolve(scrollY), true)),
  );
  await link.click();
  const scrolledTo = await clickedAt;
  expect(scrolledTo).toBeGreaterThan(0);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const text = page.getByRole('region', { name: `Text of ${title}` });
  await text.getByRole('button').nth(1).click();
  await expectPlaying(page);
  await expect(text.locator('[aria-current=true]')).toHaveCount(1);
  await page.goBack();
  await expect(link).toBeVisible();
  await expect
    .poll(async () => Math.abs((await page.evaluate(() => scrollY)) - scrolledTo))
    .toBeLessThan(120);
});

const getScroll = (page: Page) => page.evaluate(() => scrollY);

/** Scrolls, and waits for the event by which the page learns of it. */
const scrollPage = (page: Page, top: number) =>
  page.evaluate(
    (y) =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        scrollTo(0, y);
      }),
    top,
  );

/** Scrolls the article that is shown, and returns how far. */
async function scrollArticle(page: Page, title: string): Promise<number> {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole('region', { name: `Text of ${title}` })).toBeVisible();
  await scrollPage(page, 300);
  expect(await getScroll(page)).toBe(300);
  return 300;
}

test('[CAT-04] back shows a list that was not scrolled at its top', async ({ page }) => {
  await page.goto('/articles/latest');
  const list = page.getByRole('region', { name: 'Latest articles' });
  const link = list.getByRole('heading', { level: 2 }).first().getByRole('link');
  const title = (await link.textContent()) ?? '';
  await link.press('Enter');
  await scrollArticle(page, title);
  await page.goBack();
  await expect(link).toBeVisible();
  await expect.poll(() => getScroll(page)).toBe(0);
});

/** Opens the latest articles and scrolls to the twenty-first. */
async function openScrolledList(page: Page) {
  await page.goto('/articles/latest');
  const list = page.getByRole('region', { name: 'Latest articles' });
  const link = list.getByRole('heading', { level: 2 }).nth(20).getByRole('link');
  const title = (await link.textContent()) ?? '';
  await scrollPage(page, await link.evaluate((row) => row.getBoundingClientRect().top - innerHeight / 2));
  const listScroll = await getScroll(page);
  return { link, title, listScroll };
}

test('[CAT-04] back restores the spots of an article and a list after “Skip to content”', async ({
  page,
}) => {
  const { link, title, listScroll } = await openScrolledList(page);
  expect(listScroll).toBeGreaterThan(400);
  await link.press('Enter');
  const articleScroll = await scrollArticle(page, title);
  const skip = async () => {
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await expect(page).toHaveURL(/#main$/);
    await expect.poll(() => getScroll(page)).toBeLessThan(articleScroll);
  };
  const goBackToArticle = async () => {
    await page.goBack();
    await expect(page).toHaveURL(/\/[^#]*$/);
    await expect.poll(() => getScroll(page)).toBe(articleScroll);
  };
  await skip();
  await scrollPage(page, 400);
  await goBackToArticle();
  await skip();
  await goBackToArticle();
  await page.goBack();
  await expect(link).toBeVisible();
  await expect.poll(() => getScroll(page)).toBe(listScroll);
});

test('[CAT-04] back restores the spot of a list after its article was reloaded', async ({ page }) => {
  const { link, title, listScroll } = await openScrolledList(page);
  await link.press('Enter');
  const articleScroll = await scrollArticle(page, title);
  await page.reload();
  await expect.poll(() => getScroll(page)).toBe(articleScroll);
  await page.goBack();
  await expect.poll(() => getScroll(page)).toBe(listScroll);
  await expect(link).toBeInViewport();
});
