import type { Page } from '@playwright/test';
import {
  createEmail,
  createUser,
  getVerificationCode,
  signIn,
  submitSignIn,
} from '../../support/app/users.ts';
import { statusError } from '../../support/console-errors.ts';
import { expect, test } from '../../support/test.ts';

/** Returns the mails to an address, newest first. */
async function findMails(page: Page, to: string): Promise<{ subject: string }[]> {
  return (await page.request.get('/outbox/messages', { params: { to } })).json();
}

test('[AUTH-09] a changed password signs other devices out and is required from then on', {
  tag: '@desktop-only',
}, async ({ page, openOtherDevice, consoleErrors }) => {
  consoleErrors.allow(statusError(400, 401));
  const user = await createUser(page.request);
  const other = await openOtherDevice();
  await signIn(other, user, '/settings/profile');
  await signIn(page, user, '/settings/profile');
  await expect(page.getByRole('button', { name: /^Sign out .+, last used/ })).toHaveCount(1);

  await page.getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Current password').fill('Wrong2026');
  await form.getByLabel('New password', { exact: true }).fill('Another2026');
  await form.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('The current password is not right.')).toBeVisible();
  await form.getByLabel('Current password').fill(user.password);
  await form.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Your new password is saved. Every other device is signed out.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out .+, last used/ })).toHaveCount(0);

  // The other device keeps its access token until a request to the identity provider is refused.
  await other.goto('/settings/profile');
  await expect(other).toHaveURL(/\/auth\/sign-in/);
  await submitSignIn(other, { ...user, password: 'Another2026' });
  await expect(other).toHaveURL('/discover');
});

test('[IDP-01] a new e-mail address is verified by code, and the old one is notified', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(400));
  const user = await createUser(page.request);
  const email = createEmail();
  await signIn(page, user, '/settings/profile');
  await page.getByRole('button', { name: 'Change email' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('New email').fill(email);
  await form.getByRole('button', { name: 'Send code' }).click();
  await form.getByLabel('Confirmation code').fill(await getVerificationCode(page.request, email));
  await form.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Your email has changed. Sign in with ${email} from now on.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(email).first()).toBeVisible();
  const getNewestSubject = async () => (await findMails(page, user.email))[0]?.subject;
  await expect.poll(getNewestSubject).toBe('Your Escucho account has a new email address');
});

test('[SHELL-03] [SHELL-09] an account is exported as a file, then deleted', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(400, 401));
  const user = await createUser(page.request);
  await signIn(page, user, '/settings/profile');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^escucho-\d{4}-\d\d-\d\d\.json$/);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('textbox').fill(user.email);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  await page.getByRole('button', { name: 'Goodbye' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await submitSignIn(page, user);
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
  await expect.poll(() => findMails(page, user.email)).toEqual([]);
});
