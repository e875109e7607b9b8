import { getFooter, getNewest } from '../../support/app/player.ts';
import { createUser } from '../../support/app/users.ts';
import { expectPaused, expectPlaying, expectPositionPast, getAudioState } from '../../support/audio/audio.ts';
import { findFocusError, tabTo } from '../../support/input/keyboard.ts';
import { expect, test } from '../../support/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('[PLAY-06] [SHELL-03] [AUTH-01] sign-in to sign-out by keyboard with visible focus', async ({
  page,
}) => {
  const { keyboard } = page;
  // A new user, since signing out ends all sessions of a user.
  const user = await createUser(page.request);
  const getButton = (name: string | RegExp) => getFooter(page).getByRole('button', { name });

  await test.step('signs in', async () => {
    await page.goto('/auth/sign-in');
    await tabTo(page, page.getByLabel('Email', { exact: true }));
    await keyboard.type(user.email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await keyboard.type(user.password);
    await keyboard.press('Enter');
    await expect(page).toHaveURL('/discover');
    await expect(getNewest(page)).toBeVisible();
  });

  await test.step('skips to the content and plays the newest article', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await tabTo(page, getNewest(page));
    await keyboard.press('Enter');
    await expectPlaying(page);
  });

  await test.step('seeks', async () => {
    // More than 200 stops are between the first card and the player.
    await tabTo(page, page.getByRole('link', { name: 'Skip to player' }), { key: 'Shift+Tab' });
    await keyboard.press('Enter');
    await expect(getFooter(page)).toBeFocused();
    const slider = getFooter(page).getByRole('slider', { name: 'Position' });
    await tabTo(page, slider);
    const { position } = await getAudioState(page);
    for (let presses = 0; presses < 10; presses += 1) await keyboard.press('ArrowRight');
    await expectPositionPast(page, position + 8);
    await expect(slider).toHaveAttribute('aria-valuetext', /\d/);
  });

  await test.step('changes the speed: 1, 1.5, 2, 1', async () => {
    await tabTo(page, getButton(/^Speed 1×/));
    for (const speed of [1.5, 2, 1]) {
      await keyboard.press('Enter');
      await expect(getButton(new RegExp(`^Speed ${speed}×`))).toBeFocused();
      await expect.poll(async () => (await getAudioState(page)).speed).toBe(speed);
    }
  });

  await test.step('opens the volume, turns it down, closes it by Escape', async () => {
    const volume = getFooter(page).getByRole('slider', { name: 'Volume' });
    await expect(volume).toBeHidden();
    await tabTo(page, getButton('Volume'));
    await keyboard.press('Enter');
    await tabTo(page, volume);
    await keyboard.press('Home');
    await expect.poll(async () => (await getAudioState(page)).volume).toBeLessThan(0.02);
    await keyboard.press('End');
    await expect.poll(async () => (await getAudioState(page)).volume).toBe(1);
    await keyboard.press('Escape');
    await expect(volume).toBeHidden();
    await expect(getButton('Volume')).toBeFocused();
  });

  await test.step('pauses by the space bar', async () => {
    await page.getByRole('main').focus();
    await keyboard.press('Space');
    await expectPaused(page);
  });

  await test.step('searches, and reads the article that is found', async () => {
    const results = page.getByRole('group', { name: 'Results' });
    await page.reload();
    await tabTo(page, page.getByRole('searchbox', { name: 'Search' }));
    await keyboard.type('girafe');
    await expect(results.getByRole('link').first()).toHaveText('The Giraffe Who Walked to Paris');
    await tabTo(page, results.getByRole('link').first());
    await keyboard.press('Enter');
    await expect(
      page.getByRole('heading', { level: 1, name: 'The Giraffe Who Walked to Paris' }),
    ).toBeFocused();
    await page.goto('/discover');
  });

  await test.step('opens menus, closes them by Escape, and signs out', async () => {
    await expect(getNewest(page)).toBeVisible();
    for (const [name, menu] of [
      ['Language', page.getByRole('menu')],
      ['Your account', page.getByRole('menu')],
    ] as const) {
      const opener = page.getByRole('button', { name });
      await tabTo(page, opener);
      await keyboard.press('Enter');
      await expect(menu).toBeVisible();
      await keyboard.press('ArrowDown');
      await expect.poll(() => findFocusError(page)).toBe('');
      await keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await expect(opener).toBeFocused();
    }
    await keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused();
    await keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/\/auth\/sign-in$/);
  });
});
