import { signedIn } from '../support/readers.ts';
import { begunAt, expectSounding } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test.use({ storageState: signedIn.demo });

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

  // Somebody else opens the address and sees the same.
  await page.goto('/articles/search?language=es&level=A2');
  await expect(results.getByRole('link')).toHaveText(titles);
});

test('[CAT-03] a phrase is found with its sentence and plays from there', async ({ page }) => {
  await page.goto(`/articles/search/${encodeURIComponent('abuela estaba enferma')}`);
  const hear = page.getByRole('button', { name: /^Hear La luna en el balde from/ });
  await expect(hear).toBeVisible();
  await hear.click();
  const from = /from (\d+):(\d\d)/.exec((await hear.getAttribute('aria-label')) ?? '');
  await expectSounding(page);
  expect(Math.floor((await begunAt(page)) + 0.05)).toBe(60 * Number(from?.[1]) + Number(from?.[2]));
});

test('[CAT-04] an article’s page links to its text and narrator, and back restores the spot', async ({
  page,
}) => {
  await page.goto('/articles/latest');
  const rows = page.getByRole('region', { name: 'Latest articles' }).getByRole('heading', { level: 2 });
  const low = rows.nth(20).getByRole('link');
  const title = (await low.textContent()) ?? '';
  await low.scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(0);
  await low.click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const text = page.getByRole('region', { name: `Text of ${title}` });
  await text.getByRole('button').nth(1).click();
  await expectSounding(page);
  await expect(text.locator('[aria-current=true]')).toHaveCount(1);
  await page.goBack();
  await expect(low).toBeVisible();
  await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - left)).toBeLessThan(120);
});
