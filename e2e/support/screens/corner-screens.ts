import { expect, type Page } from '@playwright/test';
import { answered } from '../noise.ts';
import { bearerOf } from '../readers.ts';
import type { Say } from '../words.ts';
import { beginOf, openMenu, press, type Screen, send } from './screen.ts';

/** The longest name that a playlist may have, near enough. */
const longName = 'Everything for the long way home through the rain and the old town at night 2026';

/** A playlist of the reader with that name, made where there is none yet, with some tracks or without. Out: its address. */
async function ownPlaylist(page: Page, name: string, howMany: number): Promise<string> {
  const headers = { authorization: await bearerOf(page) };
  const filter = JSON.stringify({ origin: 'user', name: { $regex: name } });
  const found = await page.request.get('/api/playlist/find-paginated', { headers, params: { filter } });
  const { docs }: { docs: { _id: string }[] } = await found.json();
  if (docs[0]) return `/playlist/${docs[0]._id}`;
  const discover = await page.request.get('/api/catalogue/discover', { headers });
  const { rows }: { rows: { tracks: { _id: string }[] }[] } = await discover.json();
  const ids = new Set(rows.flatMap(({ tracks }) => tracks.map(({ _id }) => _id)));
  const form = { name, 'articles.added': [...ids].slice(0, howMany).join(',') };
  const made = await page.request.post('/api/playlist', { headers, form });
  const { _id }: { _id: string } = await made.json();
  return `/playlist/${_id}`;
}

const openPlaylist = (name: string, howMany: number) => async (page: Page) => {
  await page.goto(await ownPlaylist(page, name, howMany));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(
    page
      .getByRole('listitem')
      .or(page.getByRole('heading', { level: 2 }))
      .first(),
  ).toBeVisible();
};

/** The reader's own corner: playlists, library, settings, and the shell's menus. */
export const cornerScreens: readonly Screen[] = [
  {
    name: 'playlist-missing',
    path: '/playlist/00000000-0000-4000-8000-000000000000',
    reader: 'demo',
    complaints: [answered(404)],
  },
  { name: 'playlist', path: '/library', reader: 'demo', open: openPlaylist('Morning walk', 8) },
  { name: 'playlist-empty', path: '/library', reader: 'demo', open: openPlaylist(longName, 0) },
  {
    name: 'playlist-rename',
    path: '/library',
    reader: 'demo',
    open: async (page, say) => {
      await openPlaylist(longName, 0)(page);
      await press(page, beginOf(say('playlists.options', { name: '{name}' })));
      await page.getByRole('menuitem', { name: say('playlists.rename') }).click();
      await page.getByRole('textbox', { name: say('playlists.name') }).fill('Walk!');
      await page.getByRole('button', { name: say('playlists.save'), exact: true }).click();
      await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
    },
  },
  {
    name: 'picker',
    path: '/discover',
    reader: 'demo',
    open: async (page, say) => {
      await ownPlaylist(page, 'Morning walk', 8);
      await press(page, beginOf(say('playlists.more', { title: '{title}' })));
      await page.getByRole('menuitem', { name: say('playlists.add') }).click();
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    },
  },
  { name: 'library', path: '/library', reader: 'demo' },
  { name: 'library-free', path: '/library', reader: 'free' },
  ...(['demo', 'free'] as const).map((reader) => ({
    name: `figures-${reader}`,
    path: '/library',
    reader,
    open: async (page: Page, say: Say) => {
      const history = page.getByRole('region', { name: say('history.title') });
      await expect(history.getByRole('status')).toHaveCount(0);
      const figures = page.getByRole('region', { name: say('statistics.title') });
      await figures.evaluate((section) => section.scrollIntoView({ block: 'center' }));
    },
  })),
  { name: 'settings-profile', path: '/settings/profile', reader: 'demo' },
  {
    name: 'change-password',
    path: '/settings/profile',
    reader: 'demo',
    open: async (page, say) => {
      await press(page, say('account.changePassword'));
      await page.getByLabel(say('session.newPassword'), { exact: true }).fill('Es1');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('session.savePassword') })
        .click();
      await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
    },
  },
  {
    name: 'change-email',
    path: '/settings/profile',
    reader: 'demo',
    open: async (page, say) => {
      await press(page, say('account.changeEmail'));
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'erase-account',
    path: '/settings/profile',
    reader: 'demo',
    open: async (page, say) => {
      await press(page, say('account.delete'));
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('account.delete') })
        .click();
      await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
    },
  },
  {
    name: 'settings-profile-choices',
    path: '/settings/profile',
    reader: 'demo',
    open: (page, say) => page.getByText(say('profile.lookHint')).scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings-profile-errors',
    path: '/settings/profile',
    reader: 'demo',
    open: async (page, say) => {
      await page.getByLabel(say('session.firstName'), { exact: true }).fill('A');
      await page.getByLabel(say('session.lastName'), { exact: true }).fill('');
      await send('profile.save')(page, say);
    },
  },
  { name: 'settings-subscription', path: '/settings/subscription', reader: 'demo' },
  { name: 'settings-subscription-none', path: '/settings/subscription', reader: 'free' },
  { name: 'not-found', path: '/nowhere', reader: 'demo' },

  { name: 'language-menu', path: '/library', reader: 'demo', open: openMenu('shell.language') },
  { name: 'account-menu', path: '/library', reader: 'demo', open: openMenu('shell.account') },
  {
    name: 'notifications',
    path: '/library',
    reader: 'demo',
    open: async (page, say) => {
      await press(page, beginOf(say('notifications.bell')));
      const list = page.getByRole('region', { name: say('notifications.title') });
      await expect(list.getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'navigation-drawer',
    path: '/discover',
    reader: 'demo',
    only: 'phone',
    open: (page, say) => press(page, say('shell.openNavigation')),
  },
];
