import type { Page } from '@playwright/test';
import type { Translate } from '../app/messages.ts';
import { getAuthorization } from '../app/users.ts';
import { expect } from '../browser.ts';
import { statusError } from '../console-errors.ts';
import { clickButton, listPath, matchPrefix, openMenu, type Screen, submitInvalid } from './screen.ts';

/** About the maximum length of a playlist's name. */
const longName = 'Everything for the long way home through the rain and the old town at night 2026';

/** Returns the path of the user's playlist with a name; creates it if it does not exist. */
async function findOrCreatePlaylist(page: Page, name: string, trackCount: number): Promise<string> {
  const headers = { authorization: await getAuthorization(page) };
  const filter = JSON.stringify({ origin: 'user', name: { $regex: name } });
  const waitForList = await page.request.get('/api/playlist/find-paginated', { headers, params: { filter } });
  const { docs }: { docs: { _id: string }[] } = await waitForList.json();
  if (docs[0]) return `/playlist/${docs[0]._id}`;
  const discover = await page.request.get('/api/catalogue/discover', { headers });
  const { rows }: { rows: { tracks: { _id: string }[] }[] } = await discover.json();
  const trackIds = new Set(rows.flatMap(({ tracks }) => tracks.map(({ _id }) => _id)));
  const form = { name, 'articles.added': [...trackIds].slice(0, trackCount).join(',') };
  const created = await page.request.post('/api/playlist', { headers, form });
  const { _id }: { _id: string } = await created.json();
  return `/playlist/${_id}`;
}

const openPlaylist = (name: string, trackCount: number) => async (page: Page, t: Translate) => {
  await page.goto(await findOrCreatePlaylist(page, name, trackCount));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  // The list is rendered again once the code that sorts it has loaded.
  const loaded =
    trackCount > 0
      ? page.getByRole('button', { name: matchPrefix(t('queue.move', { title: '{title}' })) })
      : page.getByRole('heading', { level: 2 });
  await expect(loaded.first()).toBeVisible();
};

/** Waits for the last section of the library, which is shown once those above it have loaded. */
async function waitForLibrary(page: Page, t: Translate): Promise<void> {
  const history = page.getByRole('region', { name: t('history.title') });
  await expect(history).toBeVisible();
  await expect(history.getByRole('status')).toHaveCount(0);
}

/** Playlists, the library, settings, and the menus of the shell. */
export const accountScreens: readonly Screen[] = [
  {
    name: 'playlist-missing',
    path: '/playlist/00000000-0000-4000-8000-000000000000',
    user: 'demo',
    allowedErrors: [statusError(404)],
  },
  { name: 'playlist', path: '/library', user: 'demo', open: openPlaylist('Morning walk', 8) },
  { name: 'playlist-empty', path: '/library', user: 'demo', open: openPlaylist(longName, 0) },
  {
    name: 'playlist-rename',
    path: '/library',
    user: 'demo',
    open: async (page, t) => {
      await openPlaylist(longName, 0)(page, t);
      await clickButton(page, matchPrefix(t('playlists.options', { name: '{name}' })));
      await page.getByRole('menuitem', { name: t('playlists.rename') }).click();
      await page.getByRole('textbox', { name: t('playlists.name') }).fill('Walk!');
      await page.getByRole('button', { name: t('common.save'), exact: true }).click();
      await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
    },
  },
  {
    name: 'picker',
    path: listPath,
    user: 'demo',
    open: async (page, t) => {
      await findOrCreatePlaylist(page, 'Morning walk', 8);
      await clickButton(page, matchPrefix(t('playlists.more', { title: '{title}' })));
      await page.getByRole('menuitem', { name: t('playlists.add') }).click();
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    },
  },
  { name: 'library', path: '/library', user: 'demo', open: waitForLibrary },
  { name: 'library-free', path: '/library', user: 'free', open: waitForLibrary },
  ...(['demo', 'free'] as const).map((user) => ({
    name: `statistics-${user}`,
    path: '/library',
    user,
    open: async (page: Page, t: Translate) => {
      await waitForLibrary(page, t);
      const statistics = page.getByRole('region', { name: t('statistics.title') });
      await statistics.evaluate((section) => section.scrollIntoView({ block: 'center' }));
    },
  })),
  { name: 'settings-profile', path: '/settings/profile', user: 'demo' },
  {
    name: 'change-password',
    path: '/settings/profile',
    user: 'demo',
    open: async (page, t) => {
      await clickButton(page, t('account.changePassword'));
      await page.getByLabel(t('session.newPassword'), { exact: true }).fill('Es1');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('session.savePassword') })
        .click();
      await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
    },
  },
  {
    name: 'change-email',
    path: '/settings/profile',
    user: 'demo',
    open: async (page, t) => {
      await clickButton(page, t('account.changeEmail'));
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'delete-account',
    path: '/settings/profile',
    user: 'demo',
    open: async (page, t) => {
      await clickButton(page, t('account.delete'));
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('account.delete') })
        .click();
      await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
    },
  },
  {
    name: 'settings-profile-choices',
    path: '/settings/profile',
    user: 'demo',
    open: (page, t) => page.getByText(t('profile.lookHint')).scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings-profile-errors',
    path: '/settings/profile',
    user: 'demo',
    open: async (page, t) => {
      await page.getByLabel(t('session.firstName'), { exact: true }).fill('A');
      await page.getByLabel(t('session.lastName'), { exact: true }).fill('');
      await submitInvalid('common.save')(page, t);
    },
  },
  {
    name: 'settings-security',
    path: '/settings/security',
    user: 'demo',
    open: async (page, t) => {
      await expect(page.getByRole('button', { name: t('security.setUpApp'), exact: true })).toBeVisible();
    },
  },
  { name: 'settings-subscription', path: '/settings/subscription', user: 'demo' },
  { name: 'settings-subscription-none', path: '/settings/subscription', user: 'free' },
  { name: 'not-found', path: '/nowhere', user: 'demo', allowedErrors: [statusError(404)] },

  { name: 'language-menu', path: '/library', user: 'demo', open: openMenu('shell.language') },
  {
    name: 'account-menu',
    path: '/library',
    user: 'demo',
    open: async (page, t) => {
      // Its name begins with the initials it shows.
      await page.getByRole('button', { name: t('shell.account') }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'notifications',
    path: '/library',
    user: 'demo',
    open: async (page, t) => {
      await clickButton(page, matchPrefix(t('notifications.title')));
      const list = page.getByRole('region', { name: t('notifications.title') });
      await expect(list.getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'navigation-drawer',
    path: '/library',
    user: 'demo',
    only: 'phone',
    open: async (page, t) => {
      await clickButton(page, t('shell.openNavigation'));
      await expect(page.getByRole('dialog', { name: t('shell.navigation') })).toBeVisible();
    },
  },
];
