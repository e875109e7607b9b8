import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../support/product.ts';
import { newReader, signIn } from '../support/readers.ts';
import { expect, test } from '../support/story.ts';

test('[SUB-07] a reader names themselves by keyboard alone, takes it back, and finds their look on another device', async ({
  page,
  otherDevice,
}) => {
  const reader = await newReader(page.request);
  await signIn(page, reader);
  await page.goto('/settings/profile');
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
  const told = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
  await page.getByRole('radio', { name: 'English' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { name: 'Ajustes' })).toBeVisible();
  await told;
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Tu nivel' })).toHaveValue('B1');

  const phone = await otherDevice();
  // Signing in looks for an English word at the end; by then the page may speak Spanish.
  await signIn(phone, reader).catch(() => undefined);
  await expect(phone.getByRole('button', { name: 'Tu cuenta' })).toBeVisible();
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('[CAT-07] what is announced rings the bell of who is there, without a reload', async ({ page }) => {
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
  const words = [
    '--title-en',
    'The harbour opens',
    '--body-en',
    'A new story',
    '--title-es',
    'El puerto abre',
  ];
  await promisify(execFile)(
    'npm',
    ['run', '-s', 'content', '--', 'notify', ...words, '--body-es', 'Otra historia'],
    {
      cwd: root,
      env: { ...process.env, DATA_DIR: `${root}.cache/e2e` },
    },
  );
  await expect(bell).toBeVisible();
  await expect(page.getByText('New notification: The harbour opens')).toBeAttached();
  await bell.click();
  await expect(listed).toContainText('The harbour opens');
});

test('[CAT-05] something heard is taken out of the history and comes back', async ({ page }) => {
  await signIn(page, await newReader(page.request));
  const latest = page.getByRole('region', { name: 'Latest articles', exact: true });
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/listening/progress') && answer.ok());
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
  const restored = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
  await page.keyboard.press('Enter');
  await restored;
  await page.reload();
  await expect(history.getByRole('button', { name: /^Remove .* from your history$/ })).toBeVisible();
});
