import {
  createEmail,
  createUser,
  getVerificationCode,
  password,
  signIn,
  submitSignIn,
} from '../../support/app/users.ts';
import { statusError } from '../../support/console-errors.ts';
import { expect, test } from '../../support/test.ts';

test('[AUTH-11] [SHELL-10] a wrong password shows a toast at bottom center for 5 s', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(400));
  const user = await createUser(page.request);
  // The test controls the clock of the page.
  const { clock } = page;
  await clock.install();
  await page.goto('/auth/sign-in');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  await submitSignIn(page, { email: user.email, password: 'Wrong-2026' });
  const toast = page.getByRole('list', { name: 'Messages' }).getByText('Incorrect username or password.');
  await expect(async () => {
    await clock.runFor(10);
    await expect(toast).toBeVisible({ timeout: 100 });
  }).toPass();
  const getToastPosition = async () => {
    const box = await toast.locator('xpath=ancestor::li').boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: box?.y ?? 0 };
  };
  await expect
    .poll(async () => Math.abs((await getToastPosition()).x - 720), 'in the middle')
    .toBeLessThan(8);
  await expect.poll(async () => (await getToastPosition()).y, 'at the bottom').toBeGreaterThan(750);
  await clock.runFor(4500);
  await expect(toast).toBeVisible();
  await clock.runFor(500);
  await expect(toast).toBeHidden();
  await clock.resume();

  await submitSignIn(page, user);
  await expect(page).toHaveURL('/discover');
});

test('[AUTH-11] [IDP-03] sign-in does not reveal whether an account exists', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(400));
  await page.goto('/auth/sign-in');
  await submitSignIn(page, { email: createEmail(), password });
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
});

test('[AUTH-01] [ROUTE-04] sign-in has its methods, the logo and the language switch', async ({ page }) => {
  await page.goto('/auth/sign-in');
  for (const name of ['Continue with Facebook', 'Continue with Google']) {
    await expect(page.getByRole('button', { name })).toBeVisible();
  }
  for (const operator of ['Bitel', 'Entel', 'CNT', 'Antel']) {
    await expect(page.getByRole('button', { name: `Sign in with ${operator}` })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible();
  await expect(page.getByText('Escucho', { exact: true }).first()).toBeVisible();

  await page.getByLabel('Email', { exact: true }).fill('ana@example.org');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { name: 'Te damos la bienvenida' })).toBeVisible();
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('ana@example.org');
});

test.describe('[AUTH-02] errors are shown under their fields', () => {
  for (const [path, button, errors] of [
    [
      '/auth/sign-in',
      'Sign in',
      { Email: 'Email field is required', Password: 'Password field is required' },
    ],
    [
      '/auth/sign-up',
      'Create account',
      {
        'First name': 'FirstName field is required',
        'Last name': 'Lastname field is required',
        Email: 'Email field is required',
      },
    ],
    [
      '/auth/confirm-account',
      'Confirm',
      { Email: 'Email field is required', 'Confirmation code': 'Confirmation code is required.' },
    ],
    ['/auth/forgot-password', 'Send code', { Email: 'Email field is required' }],
    [
      '/auth/reset-password?email=ana%40example.org',
      'Save password',
      { 'Confirmation code': 'Confirmation code is required', 'New password': 'Password field is required' },
    ],
  ] as const) {
    test(path, async ({ page }) => {
      await page.goto(path);
      await page.getByRole('button', { name: button, exact: true }).click();
      for (const [label, text] of Object.entries(errors)) {
        const field = page.getByLabel(label, { exact: true });
        await expect(field).toHaveAttribute('aria-invalid', 'true');
        await expect(field).toHaveAccessibleDescription(new RegExp(text));
        await expect(page.getByRole('alert').filter({ hasText: new RegExp(`^${text}$`) })).toBeVisible();
      }
      await expect(page.getByLabel(Object.keys(errors)[0] ?? '', { exact: true })).toBeFocused();
    });
  }

  test('a press on the button counts although the field it leaves shows its error', async ({ page }) => {
    await page.goto('/auth/sign-up');
    const send = page.getByRole('button', { name: 'Create account' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Password', { exact: true }).fill('Es1');
    await send.scrollIntoViewIfNeeded();
    await send.hover();
    await page.mouse.down();
    await expect(page.getByLabel('Password', { exact: true })).not.toBeFocused();
    await page.mouse.up();
    await expect(page.getByText('FirstName field is required')).toBeVisible();
  });

  test('an invalid address', async ({ page }) => {
    await page.goto('/auth/sign-in');
    await submitSignIn(page, { email: 'ana@nowhere', password });
    await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
      'Please enter a valid email address.',
    );
  });
});

test('[AUTH-06] an unconfirmed user is redirected to confirm with the address filled in', async ({
  page,
  consoleErrors,
  openOtherDevice,
}) => {
  consoleErrors.allow(statusError(400));
  const email = createEmail();
  await page.goto('/auth/sign-up');
  await page.getByLabel('First name').fill('Iván');
  await page.getByLabel('Last name').fill('Ñahui');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/confirm-account/);

  const other = await openOtherDevice();
  await other.goto('/auth/sign-in');
  await submitSignIn(other, { email, password });
  await expect(other).toHaveURL(/\/auth\/confirm-account/);
  await expect(other.getByLabel('Confirmation code')).toBeVisible();
  await expect(other.getByLabel('Email', { exact: true })).toHaveValue(email);
  await other.getByLabel('Confirmation code').fill('000000');
  await other.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(other.getByText('Invalid verification code provided, please try again.')).toBeVisible();
  await other.getByLabel('Confirmation code').fill(await getVerificationCode(page.request, email));
  await other.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(other).toHaveURL(/\/(auth\/sign-in|discover)/i);
});

test('[AUTH-07] a forgotten password is replaced by a code', async ({ page, consoleErrors }) => {
  consoleErrors.allow(statusError(400));
  const user = await createUser(page.request);
  await page.goto('/auth/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Recover account' })).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(user.email);
  const before = await getVerificationCode(page.request, user.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page).toHaveURL(/\/auth\/reset-password/);
  await expect.poll(() => getVerificationCode(page.request, user.email)).not.toBe(before);
  await page.getByLabel('Confirmation code').fill(await getVerificationCode(page.request, user.email));
  await page.getByLabel('New password', { exact: true }).fill('Another2026');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await submitSignIn(page, user);
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
  await submitSignIn(page, { ...user, password: 'Another2026' });
  await expect(page).toHaveURL('/discover');
});

test('[AUTH-09] [SHELL-03] Logout ends the session and goes to sign-in', async ({ page }) => {
  await signIn(page, await createUser(page.request), '/library');
  await expect(page.getByRole('button', { name: 'Your account' })).toHaveText('NQ');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth\/sign-in$/);
  await page.goto('/discover');
  await expect(page).toHaveURL(/\/auth\/sign-in\?returnTo=/);
});

test('[AUTH-09] a session revoked during use ends at sign-in, once', async ({ page, consoleErrors }) => {
  consoleErrors.allow(statusError(401));
  await signIn(page, await createUser(page.request), '/library');
  // A third party's token takes precedence over the identity provider's (AUTH-14). This one has no valid signature.
  await page.evaluate(() => {
    const encodeSegment = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '');
    const exp = Math.floor(Date.now() / 1000) + 3600;
    localStorage.setItem(
      'jwtAccessToken',
      `${encodeSegment({ alg: 'none' })}.${encodeSegment({ exp, sub: 'x' })}.x`,
    );
  });
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1;
  });
  await page.reload();
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  expect(loads, 'the reload and one way out').toBe(2);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('jwtAccessToken'))).toBeNull();
});

test('[AUTH-10] an expired access token is refreshed silently', async ({ page }) => {
  await signIn(page, await createUser(page.request));
  const refreshRequest = page.waitForRequest((request) => request.url().includes('/identity'));
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('.accessToken')) ?? '';
    const [header, , signature] = (localStorage.getItem(key) ?? '').split('.');
    localStorage.setItem(key, `${header}.${btoa(JSON.stringify({ exp: 1 }))}.${signature}`);
  });
  await page.reload();
  await refreshRequest;
  await expect(page.getByRole('region', { name: 'Latest articles', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/discover');
});
