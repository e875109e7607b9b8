import type { Page } from '@playwright/test';
import type { Translate } from '../app/messages.ts';
import { getAudioState } from '../audio/audio.ts';
import { expect } from '../browser.ts';
import { clickButton, isPhone, listPath, matchPrefix, type Screen } from './screen.ts';

/** Plays the newest article, then runs a callback. */
const playNewest =
  (callback?: (page: Page, t: Translate) => Promise<void>) => async (page: Page, t: Translate) => {
    const label = matchPrefix(t('discover.play', { title: '{title}' }));
    await page.getByRole('main').getByRole('button', { name: label }).first().click();
    await expect.poll(async () => (await getAudioState(page)).paused).toBe(false);
    await callback?.(page, t);
  };

const openPlayer = async (page: Page, t: Translate) => {
  await clickButton(page, matchPrefix(t('player.open')));
  await expect(page.getByRole('dialog', { name: t('player.region') })).toBeVisible();
};

const openText = async (page: Page, t: Translate) => {
  await openPlayer(page, t);
  await clickButton(page, matchPrefix(t('common.textOf', { title: '{title}' })));
};

/** Returns whether the text replaces the cover on request; in landscape both are shown. */
const isPortrait = (page: Page) => {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  return width < height;
};

/** Returns the visible player: the footer, or the full-screen player on a phone. */
const getPlayer = (page: Page, t: Translate) =>
  page.getByRole(isPhone(page) ? 'dialog' : 'region', { name: t('player.region'), exact: true });

const openQueue = async (page: Page, t: Translate) => {
  if (isPhone(page)) await openPlayer(page, t);
  await getPlayer(page, t)
    .getByRole('button', { name: t('player.queue'), exact: true })
    .click();
  await expect(page.getByRole('dialog', { name: t('player.queue') })).toBeVisible();
};

/** The player with its drawers and menus. */
export const playerScreens: readonly Screen[] = [
  { name: 'playing', path: listPath, user: 'demo', open: playNewest() },
  { name: 'player-open', path: listPath, user: 'demo', open: playNewest(openPlayer) },
  { name: 'player-text', path: listPath, user: 'demo', only: 'phone', open: playNewest(openText) },
  {
    name: 'queue',
    path: listPath,
    user: 'demo',
    open: playNewest(openQueue),
  },
  {
    name: 'sleep',
    path: listPath,
    user: 'demo',
    open: playNewest(async (page, t) => {
      if (isPhone(page)) await openPlayer(page, t);
      await clickButton(getPlayer(page, t), t('tools.sleep'));
      await expect(page.getByRole('radio').first()).toBeVisible();
    }),
  },
  {
    name: 'chapters',
    path: listPath,
    user: 'demo',
    open: playNewest(async (page, t) => {
      await openPlayer(page, t);
      await clickButton(page, t('tools.parts'));
      const drawer = page.getByRole('dialog', { name: t('tools.parts') });
      await clickButton(drawer, t('tools.doBookmark'));
      await expect(drawer.getByRole('textbox')).toBeVisible();
    }),
  },
  {
    name: 'player-translated',
    path: listPath,
    user: 'demo',
    open: playNewest(async (page, t) => {
      await (isPortrait(page) ? openText : openPlayer)(page, t);
      await clickButton(page, t('common.translation'));
    }),
  },
  {
    name: 'reading-settings',
    path: listPath,
    user: 'demo',
    open: playNewest(async (page, t) => {
      await (isPortrait(page) ? openText : openPlayer)(page, t);
      await clickButton(page, t('reading.settings'));
      await page.getByRole('radio', { name: t('reading.faceClear') }).click();
    }),
  },
  {
    name: 'volume',
    path: listPath,
    user: 'demo',
    only: 'desktop',
    open: playNewest((page, t) => clickButton(page, t('player.volume'))),
  },
  {
    name: 'shortcuts',
    path: '/library',
    user: 'demo',
    only: 'desktop',
    open: async (page, t) => {
      // Keyboard shortcuts work once the player is loaded.
      await expect(page.getByRole('region', { name: t('player.region') })).toBeVisible();
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: t('tools.shortcuts') })).toBeVisible();
    },
  },
];
