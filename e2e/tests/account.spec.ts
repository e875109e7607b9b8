import type { Page } from '@playwright/test';
import { answered } from '../support/noise.ts';
import { codeFor, fillSignIn, newEmail, newReader, signIn } from '../support/readers.ts';
import { expect, test } from '../support/story.ts';

/** Letters that were sent to an address, newest first. */
async function lettersTo(page: Page, to: string): Promise<{ subject: string }[]> {
  return (await page.request.get('/outbox/messages', { params: { to } })).json();
}

test('[AUTH-09] a changed password signs other devices out and is required from then on', async ({
  page,
  otherDevice,
  noise,
}) => {
  noise.allow(answered(400, 401));
  const reader = await newReader(page.request);
  const other = await otherDevice();
  await signIn(other, reader);
  await signIn(page, reader);
  await page.goto('/settings/profile');
  await expect(page.getByRole('button', { name: /^Sign out .+, last used/ })).toHaveCount(1);

  await page.getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Current password').fill('Wrong2026');
  await form.getByLabel('New password', { exact: true }).fill('Another2026');
  await form.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('The current password is not right.')).toBeVisible();
  await form.getByLabel('Current password').fill(reader.password);
  await form.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Your new password is saved. Every other device is signed out.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out .+, last used/ })).toHaveCount(0);

  // The other device goes on until its token ends; what asks the provider ends it at once.
  await other.goto('/settings/profile');
  await expect(other).toHaveURL(/\/auth\/sign-in/);
  await fillSignIn(other, { ...reader, password: 'Another2026' });
  await expect(other).toHaveURL('/discover');
});

test('[IDP-01] a new e-mail address is verified by code, and the old one is notified', async ({
  page,
  noise,
}) => {
  noise.allow(answered(400));
  const reader = await newReader(page.request);
  const email = newEmail();
  await signIn(page, reader);
  await page.goto('/settings/profile');
  await page.getByRole('button', { name: 'Change email' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('New email').fill(email);
  await form.getByRole('button', { name: 'Send code' }).click();
  await form.getByLabel('Confirmation code').fill(await codeFor(page.request, email));
  await form.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Your email has changed. Sign in with ${email} from now on.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(email).first()).toBeVisible();
  const newest = async () => (await lettersTo(page, reader.email))[0]?.subject;
  await expect.poll(newest).toBe('Your Escucho account has a new email address');
});

test('[SHELL-03] [SHELL-09] an account is exported as a file, then deleted', async ({ page, noise }) => {
  noise.allow(answered(400, 401));
  const reader = await newReader(page.request);
  await signIn(page, reader);
  await page.goto('/settings/profile');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^escucho-\d{4}-\d\d-\d\d\.json$/);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const asking = page.getByRole('dialog');
  await expect(asking.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(asking).toBeHidden();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await asking.getByRole('textbox').fill(reader.email);
  await asking.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  await page.getByRole('button', { name: 'Goodbye' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await fillSignIn(page, reader);
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
  await expect.poll(() => lettersTo(page, reader.email)).toEqual([]);
});
