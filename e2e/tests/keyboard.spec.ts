import { focusFault, tabTo } from '../support/keys.ts';
import { footer, newest } from '../support/player.ts';
import { newReader } from '../support/readers.ts';
import { expectPast, expectSilence, expectSounding, soundOf } from '../support/sound.ts';
import { expect, test } from '../support/story.ts';

test('[PLAY-06] [SHELL-03] [AUTH-01] sign-in to sign-out by keyboard with visible focus', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const { keyboard } = page;
  // One of their own: signing out ends the reader's other visits too.
  const reader = await newReader(page.request);
  const button = (name: string | RegExp) => footer(page).getByRole('button', { name });

  await test.step('signs in', async () => {
    await page.goto('/auth/sign-in');
    await tabTo(page, page.getByLabel('Email', { exact: true }));
    await keyboard.type(reader.email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await keyboard.type(reader.password);
    await keyboard.press('Enter');
    await expect(page).toHaveURL('/discover');
    await expect(newest(page)).toBeVisible();
  });

  await test.step('skips to the content and plays the newest article', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await tabTo(page, newest(page));
    await keyboard.press('Enter');
    await expectSounding(page);
  });

  await test.step('seeks', async () => {
    const slider = footer(page).getByRole('slider', { name: 'Position' });
    await tabTo(page, slider, 200);
    const { position } = await soundOf(page);
    for (let presses = 0; presses < 10; presses += 1) await keyboard.press('ArrowRight');
    await expectPast(page, position + 8);
    await expect(slider).toHaveAttribute('aria-valuetext', /\d/);
  });

  await test.step('changes the speed: 1, 1.5, 2, 1', async () => {
    await tabTo(page, button(/^Speed 1×/));
    for (const speed of [1.5, 2, 1]) {
      await keyboard.press('Enter');
      await expect(button(new RegExp(`^Speed ${speed}×`))).toBeFocused();
      await expect.poll(async () => (await soundOf(page)).speed).toBe(speed);
    }
  });

  await test.step('opens the volume, turns it down, closes it by Escape', async () => {
    const volume = footer(page).getByRole('slider', { name: 'Volume' });
    await expect(volume).toBeHidden();
    await tabTo(page, button('Volume'));
    await keyboard.press('Enter');
    await tabTo(page, volume);
    await keyboard.press('Home');
    await expect.poll(async () => (await soundOf(page)).volume).toBeLessThan(0.02);
    await keyboard.press('End');
    await expect.poll(async () => (await soundOf(page)).volume).toBe(1);
    await keyboard.press('Escape');
    await expect(volume).toBeHidden();
    await expect(button('Volume')).toBeFocused();
  });

  await test.step('pauses by the space bar', async () => {
    await page.getByRole('main').focus();
    await keyboard.press('Space');
    await expectSilence(page);
  });

  await test.step('opens menus, closes them by Escape, and signs out', async () => {
    await page.reload();
    await expect(newest(page)).toBeVisible();
    for (const [name, menu] of [
      ['Language', page.getByRole('menu')],
      ['Your account', page.getByRole('menu')],
    ] as const) {
      const opener = page.getByRole('button', { name });
      await tabTo(page, opener);
      await keyboard.press('Enter');
      await expect(menu).toBeVisible();
      await keyboard.press('ArrowDown');
      await expect.poll(() => focusFault(page)).toBe('');
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
