import type { Page } from '@playwright/test';
import { createEmail, skipOnboarding } from '../../support/app/users.ts';
import { networkError } from '../../support/console-errors.ts';
import { expect, test } from '../../support/test.ts';

/** Signs in as a new user on the provider's simulated page. */
async function signInAsNewUser(page: Page, name: string, email: string) {
  await expect(page).toHaveURL(/\/identity\/stand-in/);
  await page.getByRole('radio', { name: /somebody else|someone else|otra persona/i }).check();
  await page.getByLabel(/^(name|nombre)$/i).fill(name);
  await page.getByLabel(/^(email|correo electrónico)$/i).fill(email);
  await page.getByRole('button', { name: /^(sign in|iniciar sesión)$/i }).click();
}

const logout = async (page: Page) => {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
};

for (const provider of ['Google', 'Facebook'] as const) {
  test(`[AUTH-08] [AUTH-09] signs in by ${provider} with name and e-mail, and out again`, async ({
    page,
  }) => {
    const email = createEmail();
    await page.goto('/auth/sign-in?returnTo=%2Fsettings%2Fprofile');
    const authorizeRequest = page.waitForRequest(/\/oauth2\/authorize\?/);
    await page.getByRole('button', { name: `Continue with ${provider}` }).click();
    const query = new URL((await authorizeRequest).url()).searchParams;
    expect(query.get('identity_provider')).toBe(provider);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('state')).toMatch(/^[A-Za-z0-9]{32}$/);
    await expect(page).toHaveURL(/\/identity\/stand-in/);
    const verifier = await page.evaluate(() =>
      localStorage.getItem(Object.keys(localStorage).find((key) => key.endsWith('.oauthPKCE')) ?? ''),
    );
    expect(verifier).toHaveLength(128);

    await signInAsNewUser(page, 'Inés Vega', email);
    await expect(page).toHaveURL('/settings/profile');
    await skipOnboarding(page);
    await expect(page.getByText(email).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IV');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('IV');

    await logout(page);
    await expect(page).toHaveURL(/\/auth\/sign-in$/);
    await page.goto('/discover');
    await expect(page).toHaveURL(/\/auth\/sign-in\?returnTo=/);
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => name.endsWith('escucho-session'))).toEqual([]);
  });
}

test('[AUTH-08] signs in by Google in Spanish without a return URL', async ({ openOtherDevice }) => {
  const page = await openOtherDevice({ locale: 'es-PE' });
  await page.goto('/auth/sign-in');
  await page.getByRole('button', { name: 'Continuar con Google' }).click();
  await signInAsNewUser(page, 'Mar Sol', createEmail());
  await expect(page).toHaveURL('/discover');
  await expect(page.getByRole('button', { name: 'Tu cuenta' })).toHaveText('MS');
});

test('[AUTH-08] [AUTH-11] a sign-in denied at the provider is explained', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/Sign-in by redirect failed/);
  await page.goto('/auth/sign-in');
  await page.getByRole('button', { name: 'Continue with Facebook' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(
    page.getByText('The sign-in was canceled. You can try again, or use your email.'),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/sign-in$/);
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
});

test('[AUTH-08] a code issued to another browser is refused', async ({
  page,
  openOtherDevice,
  consoleErrors,
}) => {
  consoleErrors.allow(/Sign-in by redirect failed/, networkError);
  const otherDevice = await openOtherDevice();
  await otherDevice.route('**/oauth2/token', (route) => route.abort());
  await otherDevice.goto('/auth/sign-in');
  await otherDevice.getByRole('button', { name: 'Continue with Google' }).click();
  // No timeout: the request follows after a form was filled in.
  const callbackRequest = otherDevice.waitForRequest(/\/auth\/sign-in\?code=/, { timeout: 0 });
  await signInAsNewUser(otherDevice, 'Eva Mala', createEmail());
  const address = (await callbackRequest).url();
  await page.goto(address);
  await expect(page.getByText('An error occurred while validating the state.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/sign-in$/);
});

test('[AUTH-09] [AUTH-10] two tabs share sign-in and sign-out', { tag: '@desktop-only' }, async ({
  page,
  context,
}) => {
  await page.goto('/auth/sign-in');
  const second = await context.newPage();
  await second.goto('/auth/sign-in');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await signInAsNewUser(page, 'Ana Luz', createEmail());
  await expect(page).toHaveURL('/discover');
  await expect(second).toHaveURL('/discover');
  await skipOnboarding(second);
  await expect(second.getByRole('button', { name: 'Your account' })).toHaveText('AL');
  await logout(second);
  await expect(second).toHaveURL(/\/auth\/sign-in$/);
  await expect(page).toHaveURL(/\/auth\/sign-in/);
});
