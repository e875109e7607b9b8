import { expect, type Locator, type Page } from '@playwright/test';
import { type Platform, platforms } from '../../packages/contracts/src/index.ts';
import { answered, noNetwork } from './noise.ts';
import { enterByOperator, goOn } from './operators.ts';
import { purchaseScreens } from './purchase.ts';
import { soundOf } from './sound.ts';
import type { Language, Say, Theme } from './words.ts';

/** A screen as a reader can have it before them. */
export interface Screen {
  name: string;
  path: string;
  /** Operators' readers come in when the screen is shown: their tokens are not kept. */
  reader: 'nobody' | 'demo' | 'free';
  /** The operator by whose simulated subscriber the screen is seen, instead. */
  operator?: Platform;
  /** The browser says that it is one of Android's. */
  android?: true;
  /** Only where a finger is, or only where there is room. */
  only?: 'phone' | 'desktop';
  /** What is made to fail before the page is opened. */
  failing?: { url: RegExp; status: number };
  /** What is answered otherwise than it is, before the page is opened: members in the place of the answer's own. */
  altered?: { url: RegExp; members: object };
  /** What the browser may say of that. */
  complaints?: readonly RegExp[];
  /** What is done after the page stands. */
  open?: (page: Page, say: Say) => Promise<void>;
}

const send = (key: string) => async (page: Page, say: Say) => {
  await page.getByRole('button', { name: say(key), exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
};

const press = async (within: Page | Locator, name: string | RegExp) =>
  within
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click();

const openMenu = (key: string) => async (page: Page, say: Say) => {
  await press(page, say(key));
  await expect(page.getByRole('menu')).toBeVisible();
};

const beginOf = (text: string) => new RegExp(`^${text.replace(/\{\w+\}.*$/, '')}(?!all of |todo )`);

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

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

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

/** The longest name that a playlist may have, near enough. */
const longName = 'Everything for the long way home through the rain and the old town at night 2026';

/** A playlist of the reader with that name, made where there is none yet, with some tracks or without. Out: its address. */
async function ownPlaylist(page: Page, name: string, howMany: number): Promise<string> {
  const token = await page.evaluate(() =>
    localStorage.getItem(Object.keys(localStorage).find((one) => one.endsWith('.accessToken')) ?? ''),
  );
  const headers = { authorization: `Bearer ${token}` };
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

/** A list of articles is there. */
const found = async (page: Page) => {
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
};

const email = 'email=ana%40example.org';

const subscriptionOver = { isActive: false, store: 'rc_billing', willRenew: false, expiresAt: null };

/** Where some operators are not set up, and what operators' readers alone see. */
const operatorScreens: readonly Screen[] = [
  ...([0, 1, 3] as const).map((many) => ({
    ...{ name: `sign-in-${many}-operators`, path: '/auth/sign-in', reader: 'nobody' as const },
    altered: {
      url: /\/config\.json$/,
      members: {
        operators: platforms
          .slice(0, many)
          .map((platform) => ({ platform, page: `/operators/${platform}`, tagManagerId: null })),
      },
    },
  })),
  {
    name: 'operator-ended',
    path: '/discover',
    reader: 'nobody',
    operator: 'bitel',
    altered: { url: /\/api\/auth\/me$/, members: { subscription: subscriptionOver } },
    open: async (page, say) => {
      const latest = page.getByRole('region', { name: /^(Latest articles|Últimos artículos)$/ });
      await latest
        .getByRole('button', { name: beginOf(say('discover.play', { title: '{title}' })) })
        .nth(1)
        .click();
      await expect(page.getByRole('dialog', { name: say('operator.ended') })).toBeVisible();
    },
  },
  ...platforms.map((operator) => ({
    ...{ name: `terms-${operator}`, path: '/tyc', operator },
    reader: 'nobody' as const,
  })),
  {
    name: 'settings-subscription-operator',
    path: '/settings/subscription',
    reader: 'nobody',
    operator: 'entel',
  },
];

/** Every screen, with what can stand open on it. */
export const screens: readonly Screen[] = [
  { name: 'sign-in', path: '/auth/sign-in', reader: 'nobody' },
  { name: 'sign-in-errors', path: '/auth/sign-in', reader: 'nobody', open: send('session.signIn') },
  { name: 'sign-up', path: '/auth/sign-up', reader: 'nobody' },
  {
    name: 'sign-up-errors',
    path: '/auth/sign-up',
    reader: 'nobody',
    open: async (page, say) => {
      await page.getByLabel(say('session.password'), { exact: true }).fill('Es1');
      await send('session.signUp')(page, say);
    },
  },
  { name: 'confirm-account', path: `/auth/confirm-account?${email}`, reader: 'nobody' },
  {
    name: 'confirm-account-errors',
    path: '/auth/confirm-account',
    reader: 'nobody',
    open: send('session.confirm'),
  },
  { name: 'forgot-password', path: '/auth/forgot-password', reader: 'nobody' },
  {
    name: 'forgot-password-errors',
    path: '/auth/forgot-password',
    reader: 'nobody',
    open: send('session.sendCode'),
  },
  { name: 'reset-password', path: `/auth/reset-password?${email}`, reader: 'nobody' },
  {
    name: 'reset-password-errors',
    path: `/auth/reset-password?${email}`,
    reader: 'nobody',
    open: send('session.savePassword'),
  },
  { name: 'auth-external', path: '/auth-external', reader: 'nobody' },
  {
    name: 'auth-external-refused',
    path: '/auth-external?msisdn=51930000001',
    reader: 'nobody',
    complaints: [answered(403)],
    open: async (page) => {
      await goOn(page);
      await expect(page.getByRole('alert')).toContainText('Bitel');
    },
  },
  {
    name: 'auth-external-android',
    path: '/auth-external?msisdn=51930000001',
    reader: 'nobody',
    only: 'phone',
    android: true,
    open: async (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  { name: 'operators', path: '/operators', reader: 'nobody' },
  { name: 'operators-bitel', path: '/operators/bitel', reader: 'nobody' },
  ...operatorScreens,
  {
    name: 'sign-in-refused',
    path: '/auth/sign-in',
    reader: 'nobody',
    failing: { url: /\/identity\/?$/, status: 400 },
    complaints: [answered(400)],
    open: async (page, say) => {
      await page.getByLabel(say('session.email'), { exact: true }).fill('ana@example.org');
      await page.getByLabel(say('session.password'), { exact: true }).fill('Escucho2026');
      await press(page, say('session.signIn'));
      await expect(
        page.getByRole('list', { name: say('shell.notifications') }).getByRole('listitem'),
      ).toBeVisible();
    },
  },
  { name: 'auth-language-menu', path: '/auth/sign-in', reader: 'nobody', open: openMenu('shell.language') },

  { name: 'discover', path: '/discover', reader: 'demo' },
  {
    name: 'discover-failed',
    path: '/discover',
    reader: 'demo',
    failing: { url: /\/api\/catalogue\/discover/, status: 503 },
    complaints: [answered(503)],
  },
  {
    name: 'crash',
    path: '/library',
    reader: 'demo',
    failing: { url: /\/assets\/library-[^/]+\.js$/, status: 404 },
    complaints: [answered(404), /dynamically imported module/],
  },
  {
    name: 'player-missing',
    path: '/discover',
    reader: 'demo',
    failing: { url: /\/assets\/player-host-[^/]+\.js$/, status: 404 },
    complaints: [answered(404), /dynamically imported module/],
    open: async (page, say) => {
      await expect(page.getByText(say('shell.playerMissing'))).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    },
  },
  {
    name: 'offline',
    path: '/library',
    reader: 'demo',
    complaints: [noNetwork, /dynamically imported module/],
    open: async (page, say) => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.context().setOffline(true);
      await expect(page.getByText(say('common.offline'))).toBeVisible();
    },
  },
  { name: 'discover-free', path: '/discover', reader: 'free' },
  {
    name: 'search',
    path: '/articles/search',
    reader: 'demo',
    open: async (page, say) => {
      await expect(page.getByRole('heading', { name: say('articles.topics') })).toBeVisible();
    },
  },
  { name: 'search-term', path: '/articles/search/luna', reader: 'demo', open: found },
  { name: 'search-filtered', path: '/articles/search?language=es&level=B1', reader: 'demo', open: found },
  {
    name: 'search-nothing',
    path: '/articles/search/zzzzqqq',
    reader: 'demo',
    open: async (page, say) => {
      await expect(page.getByRole('heading', { name: say('articles.nothingTitle') })).toBeVisible();
    },
  },
  { name: 'articles', path: '/articles/latest', reader: 'demo', open: found },
  {
    name: 'article',
    path: '/articles/level/B1',
    reader: 'demo',
    open: async (page, say) => {
      await page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link').first().click();
      await expect(page.getByRole('heading', { name: say('articles.related') })).toBeVisible();
    },
  },
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
      const figures = page.getByRole('region', { name: say('figures.title') });
      await figures.evaluate((section) => section.scrollIntoView({ block: 'center' }));
    },
  })),
  { name: 'visual-book', path: '/visual-book', reader: 'demo' },
  {
    name: 'visual-book-open',
    path: '/visual-book',
    reader: 'demo',
    open: async (page) => {
      await page.getByRole('main').getByRole('link').first().click();
      await expect(page.getByRole('region', { name: /^(Page|Página) \d/ })).toBeVisible();
    },
  },
  {
    name: 'visual-book-failed',
    path: '/visual-book',
    reader: 'demo',
    failing: { url: /\/api\/catalogue\/articles/, status: 503 },
    complaints: [answered(503)],
    open: async (page, say) => {
      await expect(page.getByRole('button', { name: say('common.retry') })).toBeVisible({ timeout: 20_000 });
    },
  },
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
      await press(page, say('account.erase'));
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('account.erase') })
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
  ...purchaseScreens,
];

/** Chooses theme and language the way a former visit would have left them. To be called before the first page. */
export async function choose(page: Page, colorMode: Theme, language: Language): Promise<void> {
  const state = JSON.stringify({ state: { colorMode, language }, version: 1 });
  await page.addInitScript((kept) => localStorage.setItem('config-storage', kept), state);
  // Pages that a service makes go by what the browser asks for.
  await page.setExtraHTTPHeaders({ 'accept-language': language });
  await page.emulateMedia({ colorScheme: colorMode });
}

/** Brings a screen before the reader, at rest: its content there, its fonts and pictures loaded. */
export async function show(page: Page, screen: Screen, say: Say): Promise<void> {
  const { failing, altered } = screen;
  if (failing) {
    const fault = { __type: 'NotAuthorizedException', message: 'Incorrect username or password.' };
    await page.route(failing.url, (route) => route.fulfill({ status: failing.status, json: fault }));
  }
  if (altered) {
    await page.route(altered.url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...altered.members } });
    });
  }
  if (screen.android)
    await page.addInitScript(
      "Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (Linux; Android 14)' })",
    );
  if (screen.operator) await enterByOperator(page, screen.operator);
  await page.goto(screen.path);
  // A query that fails is asked again for some seconds before the page says so.
  await expect(page.getByRole('heading').first()).toBeVisible({ timeout: 20_000 });
  if (failing?.status === 503) await expect(page.getByRole('alert').first()).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await screen.open?.(page, say);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect();
      const isSeen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
      return image.complete || !isSeen;
    }),
  );
}
