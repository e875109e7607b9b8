import { createUser, signIn } from '../../support/app/users.ts';
import { isolatedPort, PRODUCT_FIXTURE_TIMEOUT_MS, runCommand, withProduct } from '../../support/product.ts';
import { test as base, expect } from '../../support/test.ts';

/** An isolated product, since an announcement reaches the users of all other tests. */
const test = base.extend<{ dataDir: string }>({
  dataDir: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    ({}, use) => withProduct(({ dataDir }) => use(dataDir)),
    { timeout: PRODUCT_FIXTURE_TIMEOUT_MS },
  ],
});
test.use({ baseURL: `http://localhost:${isolatedPort}` });

test('[CAT-07] a published notification appears without a reload', async ({ dataDir, page }) => {
  await signIn(page, await createUser(page.request));
  const streamOpened = page.waitForResponse((response) =>
    response.url().endsWith('/api/notifications/stream'),
  );
  await page.goto('/library');
  await streamOpened;
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const newestItem = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').first();
  await expect(newestItem).toBeVisible();
  await page.keyboard.press('Escape');
  const bell = page.getByRole('button', { name: 'Notifications, there is something new' });
  await expect(bell).toBeHidden();
  const texts = ['--title-en', 'The harbour opens', '--body-en', 'A new story', '--title-es'];
  await runCommand(dataDir, 'content', 'notify', ...texts, 'El puerto abre', '--body-es', 'Otra historia');
  await expect(bell).toBeVisible();
  await expect(page.getByText('New notification: The harbour opens')).toBeAttached();
  await bell.click();
  await expect(newestItem).toContainText('The harbour opens');
});
