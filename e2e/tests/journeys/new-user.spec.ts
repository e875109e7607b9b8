import type { Page } from '@playwright/test';
import {
  getDiscoverSection,
  getFooter,
  getFullPlayer,
  getNewest,
  getTitle,
  openFullPlayer,
  waitForSavedPause,
} from '../../support/app/player.ts';
import { createEmail, getOnboarding, getVerificationCode, password } from '../../support/app/users.ts';
import {
  expectAudible,
  expectPaused,
  expectPlaying,
  expectPositionPast,
  getPlaybackStart,
} from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const rules = {
  length: 'Minimum number of characters is 8.',
  uppercase: 'Should contain uppercase.',
  lowercase: 'Should contain lowercase.',
  numbers: 'Should contain numbers.',
} as const;

/** Expects which rules of the checklist are met. */
async function expectRulesMet(page: Page, expected: readonly (keyof typeof rules)[]): Promise<void> {
  for (const name of ['length', 'uppercase', 'lowercase', 'numbers'] as const) {
    const rule = page.getByRole('listitem').filter({ hasText: rules[name] });
    await expect(rule).toContainText(expected.includes(name) ? 'Met:' : 'Still needed:');
  }
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await expect(page).toHaveURL(/\/auth\/sign-in/);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('First name').fill('Nora');
  await page.getByLabel('Last name').fill('Quispe');
  await page.getByLabel('Email', { exact: true }).fill(email);
  const passwordField = page.getByLabel('Password', { exact: true });
  await passwordField.fill('e');
  await expectRulesMet(page, ['lowercase']);
  await passwordField.fill('Es');
  await expectRulesMet(page, ['uppercase', 'lowercase']);
  await passwordField.fill('Es1');
  await expectRulesMet(page, ['uppercase', 'lowercase', 'numbers']);
  await passwordField.fill(password);
  await expectRulesMet(page, ['length', 'uppercase', 'lowercase', 'numbers']);
  await page.getByRole('button', { name: 'Create account' }).click();
}

test('[AUTH-03] [AUTH-04] [AUTH-05] [PLAY-05] signs up, plays, and resumes after a reload', async ({
  page,
  isMobile,
}) => {
  const email = createEmail();
  const controls = isMobile ? getFullPlayer(page) : getFooter(page);

  await test.step('signs up with a checklist that follows the typing', () => signUp(page, email));

  await test.step('confirms by the code from the outbox and lands in Discover', async () => {
    await expect(page).toHaveURL(new RegExp(`/auth/confirm-account\\?email=${encodeURIComponent(email)}`));
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
    await page.getByLabel('Confirmation code').fill(await getVerificationCode(page.request, email));
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page).toHaveURL(/\/discover$/i);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Nora');
  });

  await test.step('says what to learn, which Discover obeys', async () => {
    const dialog = getOnboarding(page);
    await dialog.getByRole('group', { name: 'I am learning' }).getByText('English').click();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('I follow everyday topics').click();
    await dialog.getByRole('button', { name: 'Start listening' }).click();
    await expect(dialog).toBeHidden();
    await expect(getDiscoverSection(page, 'Next at your level, B1')).toBeVisible();
  });

  const title = await getTitle(getNewest(page));
  const pausedAt = await test.step('presses play and hears it', async () => {
    await getNewest(page).click();
    await expectPlaying(page);
    await expectAudible(page, 0.01);
    if (isMobile) {
      await openFullPlayer(page);
      await expect(getFullPlayer(page)).toContainText(title);
    }
    await expectPositionPast(page, 4);
    const saved = waitForSavedPause(page);
    await controls.getByRole('button', { name: 'Pause' }).click();
    const position = await expectPaused(page);
    await saved;
    return position;
  });

  await test.step('reloads: it is paused, its place is shown, continue listening has it', async () => {
    await page.reload();
    await expect(getFooter(page)).toContainText(title);
    await expect(
      getDiscoverSection(page, 'Continue listening').getByRole('button', { name: `Resume ${title}` }),
    ).toBeVisible();
    if (isMobile) await openFullPlayer(page);
    const slider = controls.getByRole('slider', { name: 'Position' });
    await expect.poll(async () => Math.abs(Number(await slider.inputValue()) - pausedAt)).toBeLessThan(2);
  });

  await test.step('presses play and goes on from there', async () => {
    await controls.getByRole('button', { name: 'Play', exact: true }).click();
    await expectPlaying(page);
    expect(Math.abs((await getPlaybackStart(page)) - pausedAt)).toBeLessThan(2);
  });

  await test.step('an article beyond the free ones shows the plans, and plays nothing', async () => {
    if (isMobile) await page.keyboard.press('Escape');
    const locked = getDiscoverSection(page, 'Latest articles').getByRole('button', {
      name: /^Play .*, needs a subscription$/,
    });
    await locked.first().click();
    const plans = page.getByRole('dialog');
    await expect(plans.getByRole('radio').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(plans).toBeHidden();
    await expect(getFooter(page)).toContainText(title);
  });
});
