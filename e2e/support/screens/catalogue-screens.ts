import { expect, type Page } from '@playwright/test';
import { answered, noNetwork } from '../noise.ts';
import type { Screen } from './screen.ts';

/** A list of articles is there. */
const found = async (page: Page) => {
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
};

/** What there is to hear: Discover, search, articles, visual books; and when something is missing. */
export const catalogueScreens: readonly Screen[] = [
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
  { name: 'search-meant', path: '/articles/search/spanish%20b1%20luna', reader: 'demo', open: found },
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
];
