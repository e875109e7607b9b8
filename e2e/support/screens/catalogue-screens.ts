import type { Page } from '@playwright/test';
import { expect } from '../browser.ts';
import { networkError, statusError } from '../console-errors.ts';
import type { Screen } from './screen.ts';

const waitForList = async (page: Page) => {
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
};

/** Discover, search, articles and visual books, and their errors. */
export const catalogueScreens: readonly Screen[] = [
  { name: 'discover', path: '/discover', user: 'demo' },
  {
    name: 'discover-failed',
    path: '/discover',
    user: 'demo',
    failedRequest: { url: /\/api\/catalogue\/discover/, status: 503 },
    allowedErrors: [statusError(503)],
  },
  {
    name: 'crash',
    path: '/library',
    user: 'demo',
    failedRequest: { url: /\/assets\/library-[^/]+\.js$/, status: 404 },
    allowedErrors: [statusError(404), /dynamically imported module/],
  },
  {
    name: 'player-missing',
    path: '/discover',
    user: 'demo',
    failedRequest: { url: /\/assets\/signed-in-services-[^/]+\.js$/, status: 404 },
    allowedErrors: [statusError(404), /dynamically imported module/],
    open: async (page, t) => {
      await expect(page.getByText(t('shell.playerMissing'))).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    },
  },
  {
    name: 'offline',
    path: '/library',
    user: 'demo',
    allowedErrors: [networkError],
    open: async (page, t) => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.context().setOffline(true);
      await expect(page.getByText(t('common.offline'))).toBeVisible();
    },
  },
  { name: 'discover-free', path: '/discover', user: 'free' },
  {
    name: 'search',
    path: '/articles/search',
    user: 'demo',
    open: async (page, t) => {
      await expect(page.getByRole('heading', { name: t('articles.by_topic') })).toBeVisible();
    },
  },
  { name: 'search-term', path: '/articles/search/luna', user: 'demo', open: waitForList },
  { name: 'search-filtered', path: '/articles/search?language=es&level=B1', user: 'demo', open: waitForList },
  { name: 'search-parsed', path: '/articles/search/spanish%20b1%20luna', user: 'demo', open: waitForList },
  {
    name: 'search-empty',
    path: '/articles/search/zzzzqqq',
    user: 'demo',
    open: async (page, t) => {
      await expect(page.getByRole('heading', { name: t('articles.nothingTitle') })).toBeVisible();
    },
  },
  {
    name: 'bookmarks',
    path: '/library/bookmarks',
    user: 'demo',
    open: async (page, t) => {
      await expect(page.getByRole('heading', { level: 1, name: t('bookmarks.title') })).toBeVisible();
    },
  },
  { name: 'articles', path: '/articles/latest', user: 'demo', open: waitForList },
  { name: 'articles-free', path: '/articles/latest', user: 'free', open: waitForList },
  {
    name: 'article',
    path: '/articles/level/B1',
    user: 'demo',
    open: async (page, t) => {
      await page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link').first().click();
      await expect(page.getByRole('heading', { name: t('articles.related') })).toBeVisible();
    },
  },
  { name: 'visual-book', path: '/visual-book', user: 'demo' },
  {
    name: 'visual-book-open',
    path: '/visual-book',
    user: 'demo',
    open: async (page) => {
      await page.getByRole('main').getByRole('link').first().click();
      await expect(page.getByRole('region', { name: /^(Page|Página) \d/ })).toBeVisible();
    },
  },
  {
    name: 'visual-book-failed',
    path: '/visual-book',
    user: 'demo',
    failedRequest: { url: /\/api\/catalogue\/articles/, status: 503 },
    allowedErrors: [statusError(503)],
    open: async (page, t) => {
      await expect(page.getByRole('button', { name: t('common.retry') })).toBeVisible();
    },
  },
];
