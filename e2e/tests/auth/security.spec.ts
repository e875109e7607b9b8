import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { createTranslate, type Translate } from '../../support/app/messages.ts';
import { createUser, signIn, type TestUser } from '../../support/app/users.ts';
import { statusError } from '../../support/console-errors.ts';
import { addVirtualAuthenticator } from '../../support/input/authenticator.ts';
import { isPhone } from '../../support/screens/screen.ts';
import { setPreferences } from '../../support/screens/screens.ts';
import { expect, test } from '../../support/test.ts';

const STEP_MS = 30_000;

/**
 * Returns the code that an authenticator app shows now, or after some steps of 30 seconds: each can be used once, and
 * those of one step before and after are accepted.
 */
const generateCode = (secret: string, stepsAhead = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + stepsAhead * STEP_MS });

/** Shows the app in Spanish on phones and in English elsewhere. */
async function chooseLanguage(page: Page): Promise<Translate> {
  const language = isPhone(page) ? 'es' : 'en';
  await setPreferences(page, 'dark', language);
  return createTranslate(language);
}

async function openSecurity(page: Page, t: Translate, user: TestUser) {
  await signIn(page, user, '/settings/security');
  await expect(page.getByRole('heading', { name: t('security.appTitle') })).toBeVisible();
}

async function submitPassword(page: Page, t: Translate, user: TestUser) {
  await page.getByLabel(t('session.email'), { exact: true }).fill(user.email);
  await page.getByLabel(t('session.password'), { exact: true }).fill(user.password);
  await page.getByRole('button', { name: t('session.signIn'), exact: true }).click();
}

/** Turns two-step verification on; returns the key and the recovery codes. */
async function turnOnAuthenticator(page: Page, t: Translate) {
  await page.getByRole('button', { name: t('security.setUpApp'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: t('security.qrCode') })).toBeVisible();
  const secret = (await dialog.getByLabel(t('security.keyText')).inputValue()).replaceAll(' ', '');
  const code = dialog.getByLabel(t('challenge.appCode'));
  await code.fill('000000');
  await dialog.getByRole('button', { name: t('security.turnOn') }).click();
  await expect(code).toHaveAccessibleDescription(new RegExp(t('challenge.checkAppCode').slice(0, 30)));
  await code.fill(generateCode(secret));
  await dialog.getByRole('button', { name: t('security.turnOn') }).click();
  const codes = page.getByRole('list', { name: t('security.recoveryTitle') }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCodes = await codes.allInnerTexts();
  await page.getByRole('button', { name: t('security.codesSaved') }).click();
  await expect(page.getByText(t('security.appOn'))).toBeVisible();
  return { secret, recoveryCodes };
}

test('[AUTH-13] sign-in asks for the code of an authenticator app, or a recovery code', async ({
  page,
  openOtherDevice,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(400));
  const t = await chooseLanguage(page);
  const user = await createUser(page.request);
  await openSecurity(page, t, user);
  const { secret, recoveryCodes } = await turnOnAuthenticator(page, t);

  const other = await openOtherDevice();
  await chooseLanguage(other);
  await other.goto('/auth/sign-in?returnTo=/settings/security');
  await submitPassword(other, t, user);
  const code = other.getByLabel(t('challenge.appCode'));
  await expect(code).toBeFocused();
  await code.fill(generateCode(secret, 1));
  await other.getByRole('button', { name: t('session.confirm'), exact: true }).click();
  await expect(other).toHaveURL('/settings/security');
  await expect(other.getByText(t('security.appOn'))).toBeVisible();

  const third = await openOtherDevice();
  await chooseLanguage(third);
  await third.goto('/auth/sign-in?returnTo=/settings/security');
  await submitPassword(third, t, user);
  await third.getByRole('button', { name: t('challenge.useRecoveryCode') }).click();
  await third.getByLabel(t('challenge.recoveryCode')).fill(recoveryCodes[0]?.toLowerCase() ?? '');
  await third.getByRole('button', { name: t('session.confirm'), exact: true }).click();
  await expect(third).toHaveURL('/settings/security');
  await expect(third.getByText(/^(9 codes|Quedan 9)/)).toBeVisible();

  await third.getByRole('button', { name: t('security.removeAppNamed') }).click();
  await third.getByRole('button', { name: t('security.removeAppOk') }).click();
  await expect(third.getByText(t('security.appOffText'))).toBeVisible();
});

/** Creates a passkey, by default without a name, on the security page, signs out on this device and opens the sign-in page. */
async function createPasskey(page: Page, t: Translate, name = '') {
  await openSecurity(page, t, await createUser(page.request));
  await addVirtualAuthenticator(page);
  await page.getByRole('button', { name: t('security.addPasskey') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('security.passkeyName')).fill(name);
  await dialog.getByRole('button', { name: t('security.addPasskeyOk') }).click();
  const passkeys = page.getByRole('region', { name: t('security.passkeysTitle') });
  await expect(passkeys.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/auth/sign-in?returnTo=/settings/security');
}

test('[AUTH-13] a passkey signs in without an e-mail address, until it is removed', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(statusError(400));
  const t = await chooseLanguage(page);
  // The virtual authenticator would answer the autofill's request before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await createPasskey(page, t, 'Test key');
  await page.getByRole('button', { name: t('session.withPasskey') }).click();
  await expect(page).toHaveURL('/settings/security');

  await page.getByRole('button', { name: t('security.removePasskeyNamed', { name: 'Test key' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('security.remove'), exact: true })
    .click();
  await expect(page.getByText(t('security.noPasskeys'))).toBeVisible();
});

test('[AUTH-13] the autofill of the sign-in page offers passkeys', async ({ page, consoleErrors }) => {
  consoleErrors.allow(statusError(400));
  const t = await chooseLanguage(page);
  // The virtual authenticator answers by itself, as a user who selects the passkey in the autofill.
  await createPasskey(page, t);
  await expect(page).toHaveURL('/settings/security');
});
