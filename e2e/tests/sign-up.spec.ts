import type { Page } from '@playwright/test';
import { footer, fullPlayer, newest, pauseSaved, shelf, titleOf } from '../support/player.ts';
import { codeFor, newEmail, password } from '../support/readers.ts';
import { begunAt, expectLoud, expectPast, expectSilence, expectSounding } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

const rules = {
  length: 'Minimum number of characters is 8.',
  uppercase: 'Should contain uppercase.',
  lowercase: 'Should contain lowercase.',
  numbers: 'Should contain numbers.',
} as const;

/** Which rules of the checklist say that they are met. */
async function expectMet(page: Page, met: readonly (keyof typeof rules)[]): Promise<void> {
  for (const name of ['length', 'uppercase', 'lowercase', 'numbers'] as const) {
    const rule = page.getByRole('listitem').filter({ hasText: rules[name] });
    await expect(rule).toContainText(met.includes(name) ? 'Met:' : 'Still needed:');
  }
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Quispe');
  await page.getByLabel('Email', { exact: true }).fill(email);
  const secret = page.getByLabel('Password', { exact: true });
  await secret.fill('e');
  await expectMet(page, ['lowercase']);
  await secret.fill('Es');
  await expectMet(page, ['uppercase', 'lowercase']);
  await secret.fill('Es1');
  await expectMet(page, ['uppercase', 'lowercase', 'numbers']);
  await secret.fill(password);
  await expectMet(page, ['length', 'uppercase', 'lowercase', 'numbers']);
  await page.getByRole('button', { name: 'Create account' }).click();
}

test('[AUTH-03] [AUTH-04] [AUTH-05] [PLAY-05] signs up, plays, and resumes after a reload', async ({
  page,
  isMobile,
}) => {
  const email = newEmail();
  const controls = isMobile ? fullPlayer(page) : footer(page);

  await test.step('signs up with a checklist that follows the typing', () => signUp(page, email));

  await test.step('confirms by the code from the outbox and lands in Discover', async () => {
    await expect(page).toHaveURL(new RegExp(`/auth/confirm-account\\?email=${encodeURIComponent(email)}`));
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
    await page.getByLabel('Confirmation code').fill(await codeFor(page.request, email));
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page).toHaveURL(/\/discover$/i);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Nora');
  });

  const title = await titleOf(newest(page));
  const heard = await test.step('presses play and hears it', async () => {
    await newest(page).click();
    await expectSounding(page);
    await expectLoud(page, 0.01);
    if (isMobile) {
      await footer(page)
        .getByRole('button', { name: /^Open the player/ })
        .click();
      await expect(fullPlayer(page)).toContainText(title);
    }
    await expectPast(page, 4);
    const saved = pauseSaved(page);
    await controls.getByRole('button', { name: 'Pause' }).click();
    const place = await expectSilence(page);
    await saved;
    return place;
  });

  await test.step('reloads: it is paused, its place is shown, continue listening has it', async () => {
    await page.reload();
    await expect(footer(page)).toContainText(title);
    await expect(
      shelf(page, 'Continue listening').getByRole('button', { name: `Resume ${title}` }),
    ).toBeVisible();
    if (isMobile)
      await footer(page)
        .getByRole('button', { name: /^Open the player/ })
        .click();
    const position = controls.getByRole('slider', { name: 'Position' });
    await expect.poll(async () => Math.abs(Number(await position.inputValue()) - heard)).toBeLessThan(2);
  });

  await test.step('presses play and goes on from there', async () => {
    await controls.getByRole('button', { name: 'Play', exact: true }).click();
    await expectSounding(page);
    expect(Math.abs((await begunAt(page)) - heard)).toBeLessThan(2);
  });
});
