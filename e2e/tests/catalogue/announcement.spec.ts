import { createUser, signIn } from '../../support/app/users.ts';
import { test } from '../../support/isolated-product.ts';
import { runCommand } from '../../support/product.ts';
import { expect } from '../../support/test.ts';

// On a product of its own, since an announcement reaches the users of all other tests.
test('[CAT-07] a published notification appears without a reload', async ({ product, page }) => {
  const streamOpened = page.waitForResponse((response) =>
    response.url().endsWith('/api/notifications/stream'),
  );
  await signIn(page, await createUser(page.request), '/library');
  await streamOpened;
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const newestItem = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').first();
  await expect(newestItem).toBeVisible();
  await page.keyboard.press('Escape');
  const bell = page.getByRole('button', { name: 'Notifications, there is something new' });
  await expect(bell).toBeHidden();
  const english = ['--title-en', 'The harbour opens', '--body-en', 'A new story'];
  const spanish = ['--title-es', 'El puerto abre', '--body-es', 'Otra historia'];
  await runCommand(product.dataDir, 'content', 'notify', ...english, ...spanish);
  await expect(bell).toBeVisible();
  await expect(page.getByText('New notification: The harbour opens')).toBeAttached();
  await bell.click();
  await expect(newestItem).toContainText('The harbour opens');
});
