import { lendProduct, ownPort, runCommand, startPatience } from '../support/product.ts';
import { newReader, signIn } from '../support/readers.ts';
import { expect, test as story } from '../support/story.ts';

/** The data of a product of its own: what is announced rings every reader's bell, those of other stories too. */
const test = story.extend<{ data: string }>({
  data: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    ({}, use) => lendProduct(({ data }) => use(data)),
    { timeout: startPatience },
  ],
});
test.use({ baseURL: `http://localhost:${ownPort}` });

test('[CAT-07] a published notification appears without a reload', async ({ data, page }) => {
  await signIn(page, await newReader(page.request));
  const listening = page.waitForResponse((answer) => answer.url().endsWith('/api/notifications/stream'));
  await page.goto('/library');
  await listening;
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const listed = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').first();
  await expect(listed).toBeVisible();
  await page.keyboard.press('Escape');
  const bell = page.getByRole('button', { name: 'Notifications, there is something new' });
  await expect(bell).toBeHidden();
  const words = ['--title-en', 'The harbour opens', '--body-en', 'A new story', '--title-es'];
  await runCommand(data, 'content', 'notify', ...words, 'El puerto abre', '--body-es', 'Otra historia');
  await expect(bell).toBeVisible();
  await expect(page.getByText('New notification: The harbour opens')).toBeAttached();
  await bell.click();
  await expect(listed).toContainText('The harbour opens');
});
