import type { Page } from '@playwright/test';
import { continueInBrowser } from '../../support/app/operators.ts';
import { getDiscoverSection, getNewest, getPlayButtons } from '../../support/app/player.ts';
import { expectPlaying } from '../../support/audio/audio.ts';
import { expect, test } from '../../support/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const getStored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

/** Opens the navigation drawer on a phone. */
async function openNavigation(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('button', { name: 'Open navigation' }).click();
}

test('[AUTH-01] [EXT-05] [EXT-07] [SHELL-06] Bitel: signs in at the operator and plays', async ({
  page,
  isMobile,
}) => {
  await page.goto('/auth/sign-in');
  await page.getByRole('button', { name: 'Sign in with Bitel' }).click();
  await expect(page).toHaveURL('/operators/bitel');
  await page.getByRole('link', { name: 'Open Escucho for Rosa Huamán' }).click();
  await continueInBrowser(page);
  await expect(page).toHaveURL('/discover');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rosa');
  expect(await getStored(page, 'jwtAccessToken')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.parse((await getStored(page, 'user-storage')) ?? '{}').state.user).toMatchObject({
    platform: 'bitel',
    isExternal: true,
  });

  await test.step('the second of Latest articles plays, which needs a subscription', async () => {
    await expect(getNewest(page)).toBeVisible();
    await getPlayButtons(getDiscoverSection(page, 'Latest articles')).nth(1).click();
    await expectPlaying(page);
  });

  await test.step('the sidebar leads to the terms and to no community', async () => {
    await openNavigation(page, isMobile);
    const links = page.getByRole('navigation', { name: 'Navigation' }).last();
    await expect(links.getByRole('link', { name: /^About us/ })).toHaveCount(0);
    await links.getByRole('link', { name: 'Terms and conditions' }).click();
    await expect(page).toHaveURL('/tyc');
    const terms = page.getByRole('article');
    for (const text of ['S/ 1.80', 'S/ 3.99', 'S/ 5.99', 'SALIR by SMS to 1447'])
      await expect(terms).toContainText(text);
  });

  await test.step('a reload changes nothing; signing out forgets the token', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms and conditions' })).toBeVisible();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('button', { name: 'Sign in with Bitel' })).toBeVisible();
    await expect(page).toHaveURL(/\/auth\/sign-in/);
    await expect.poll(() => getStored(page, 'jwtAccessToken')).toBeNull();
    await expect.poll(() => getStored(page, 'user-storage')).not.toContain('bitel');
  });
});
