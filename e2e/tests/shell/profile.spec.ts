import { createUser, signIn, submitSignIn } from '../../support/app/users.ts';
import { expect, test } from '../../support/test.ts';

test('[SUB-07] names are changed and undone by keyboard; settings follow to another device', async ({
  page,
  openOtherDevice,
}) => {
  const user = await createUser(page.request);
  await signIn(page, user, '/settings/profile');
  await page.getByRole('textbox', { name: 'First name' }).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Inés');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Inés Quispe' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IQ');
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nora Quispe' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Nora');

  await page.getByRole('combobox', { name: 'Your level' }).selectOption('B1');
  await page.getByRole('radio', { name: 'Dark' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  const settingsSaved = page.waitForResponse(
    (response) => response.ok() && (response.request().postData() ?? '').includes('language'),
  );
  await page.getByRole('radio', { name: 'English' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { name: 'Ajustes' })).toBeVisible();
  await settingsSaved;
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Tu nivel' })).toHaveValue('B1');

  const phone = await openOtherDevice();
  await phone.goto('/auth/sign-in');
  await submitSignIn(phone, user);
  await expect(phone.getByRole('button', { name: 'Tu cuenta' })).toBeVisible();
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('[CAT-05] a history entry is removed and restored', async ({ page }) => {
  await signIn(page, await createUser(page.request));
  const latest = page.getByRole('region', { name: 'Latest articles', exact: true });
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/listening/progress') && response.ok(),
  );
  await latest
    .getByRole('button', { name: /^Play / })
    .first()
    .click();
  await saved;
  await page.goto('/library');
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('button', { name: /^Remove .* from your history$/ }).focus();
  await page.keyboard.press('Enter');
  await expect(history.getByRole('button', { name: 'Undo' })).toBeFocused();
  const restored = page.waitForResponse(
    (response) =>
      response.url().includes('/listening/history/') &&
      response.request().method() === 'PUT' &&
      response.ok(),
  );
  await page.keyboard.press('Enter');
  await restored;
  await page.reload();
  await expect(history.getByRole('button', { name: /^Remove .* from your history$/ })).toBeVisible();
});
