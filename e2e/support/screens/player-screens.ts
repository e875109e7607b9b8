import { expect, type Page } from '@playwright/test';
import { soundOf } from '../sound.ts';
import type { Say } from '../words.ts';
import { beginOf, isPhone, press, type Screen } from './screen.ts';

/** Plays the newest article, which stands first; then whatever is asked for. */
const playing = (then?: (page: Page, say: Say) => Promise<void>) => async (page: Page, say: Say) => {
  const latest = page.getByRole('region', { name: /^(Latest articles|Últimos artículos)$/ });
  const begin = beginOf(say('discover.play', { title: '{title}' }));
  await latest.getByRole('button', { name: begin }).first().click();
  await expect.poll(async () => (await soundOf(page)).paused).toBe(false);
  await then?.(page, say);
};

const openPlayer = async (page: Page, say: Say) => {
  await press(page, beginOf(say('player.open')));
  await expect(page.getByRole('dialog', { name: say('player.region') })).toBeVisible();
};

const openText = async (page: Page, say: Say) => {
  await openPlayer(page, say);
  await press(page, beginOf(say('player.text', { title: '{title}' })));
};

/** The text stands beside the cover where there is room, and otherwise in its place when asked for. */
const isUpright = (page: Page) => {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  return width < height;
};

/** The player as it is before the reader: the footer, or on a phone the whole screen. */
const playerOf = (page: Page, say: Say) =>
  page.getByRole(isPhone(page) ? 'dialog' : 'region', { name: say('player.region'), exact: true });

const openQueue = async (page: Page, say: Say) => {
  if (isPhone(page)) await openPlayer(page, say);
  await playerOf(page, say)
    .getByRole('button', { name: say('player.queue'), exact: true })
    .click();
  await expect(page.getByRole('dialog', { name: say('player.queue') })).toBeVisible();
};

/** The player, in all that can stand open of it. */
export const playerScreens: readonly Screen[] = [
  { name: 'playing', path: '/discover', reader: 'demo', open: playing() },
  { name: 'player-open', path: '/discover', reader: 'demo', open: playing(openPlayer) },
  { name: 'player-text', path: '/discover', reader: 'demo', only: 'phone', open: playing(openText) },
  {
    name: 'queue',
    path: '/discover',
    reader: 'demo',
    open: playing(openQueue),
  },
  {
    name: 'sleep',
    path: '/discover',
    reader: 'demo',
    open: playing(async (page, say) => {
      if (isPhone(page)) await openPlayer(page, say);
      await press(playerOf(page, say), say('tools.sleep'));
      await expect(page.getByRole('radio').first()).toBeVisible();
    }),
  },
  {
    name: 'parts',
    path: '/discover',
    reader: 'demo',
    open: playing(async (page, say) => {
      await openPlayer(page, say);
      await press(page, say('tools.parts'));
      const drawer = page.getByRole('dialog', { name: say('tools.parts') });
      await press(drawer, beginOf(say('tools.bookmarkAdd', { time: '{time}' })));
      await expect(drawer.getByRole('textbox')).toBeVisible();
    }),
  },
  {
    name: 'player-translated',
    path: '/discover',
    reader: 'demo',
    open: playing(async (page, say) => {
      await (isUpright(page) ? openText : openPlayer)(page, say);
      await press(page, say('reading.translation'));
    }),
  },
  {
    name: 'reading-settings',
    path: '/discover',
    reader: 'demo',
    open: playing(async (page, say) => {
      await (isUpright(page) ? openText : openPlayer)(page, say);
      await press(page, say('reading.settings'));
      await page.getByRole('radio', { name: say('reading.faceClear') }).click();
    }),
  },
  {
    name: 'volume',
    path: '/discover',
    reader: 'demo',
    only: 'desktop',
    open: playing((page, say) => press(page, say('player.volume'))),
  },
  {
    name: 'shortcuts',
    path: '/library',
    reader: 'demo',
    only: 'desktop',
    open: async (page, say) => {
      // Keys are heard once the player's code is there.
      await expect(page.getByRole('region', { name: say('player.region') })).toBeVisible();
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: say('tools.shortcuts') })).toBeVisible();
    },
  },
];
