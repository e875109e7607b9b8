import { platforms } from '../../../packages/contracts/src/index.ts';
import { continueInBrowser } from '../app/operators.ts';
import { expect } from '../browser.ts';
import { statusError } from '../console-errors.ts';
import { clickButton, openMenu, type Screen, submitInvalid } from './screen.ts';

const email = 'email=ana%40example.org';

const operatorScreens: readonly Screen[] = [
  ...([0, 1, 3] as const).map((count) => ({
    name: `sign-in-${count}-operators`,
    path: '/auth/sign-in',
    user: 'none' as const,
    overriddenResponse: {
      url: /\/config\.json$/,
      members: {
        operators: platforms
          .slice(0, count)
          .map((platform) => ({ platform, page: `/operators/${platform}`, tagManagerId: null })),
      },
    },
  })),
  {
    name: 'operator-ended',
    path: '/auth-external?ended=bitel',
    user: 'none',
    open: async (page, t) =>
      expect(page.getByText(t('operator.planEnded', { operator: 'Bitel' }))).toBeVisible(),
  },
  ...platforms.map((operator) => ({
    name: `terms-${operator}`,
    path: '/tyc',
    operator,
    user: 'none' as const,
  })),
  {
    name: 'settings-subscription-operator',
    path: '/settings/subscription',
    user: 'none',
    operator: 'entel',
  },
];

/** Sign-in, sign-up, and the screens of operators and their users. */
export const authScreens: readonly Screen[] = [
  {
    name: 'welcome',
    path: '/welcome',
    user: 'none',
    open: async (page, t) => {
      await expect(page.getByRole('region').getByRole('button').first()).toBeVisible();
      // The plans are fetched when they come near.
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
      await expect(page.getByRole('heading', { name: t('welcome.plans') })).toBeVisible();
    },
  },
  { name: 'sign-in', path: '/auth/sign-in', user: 'none' },
  { name: 'sign-in-errors', path: '/auth/sign-in', user: 'none', open: submitInvalid('session.signIn') },
  { name: 'sign-up', path: '/auth/sign-up', user: 'none' },
  {
    name: 'sign-up-errors',
    path: '/auth/sign-up',
    user: 'none',
    open: async (page, t) => {
      await page.getByLabel(t('session.password'), { exact: true }).fill('Es1');
      await submitInvalid('session.signUp')(page, t);
    },
  },
  { name: 'confirm-account', path: `/auth/confirm-account?${email}`, user: 'none' },
  {
    name: 'confirm-account-errors',
    path: '/auth/confirm-account',
    user: 'none',
    open: submitInvalid('session.confirm'),
  },
  { name: 'forgot-password', path: '/auth/forgot-password', user: 'none' },
  {
    name: 'forgot-password-errors',
    path: '/auth/forgot-password',
    user: 'none',
    open: submitInvalid('session.sendCode'),
  },
  { name: 'reset-password', path: `/auth/reset-password?${email}`, user: 'none' },
  {
    name: 'reset-password-errors',
    path: `/auth/reset-password?${email}`,
    user: 'none',
    open: submitInvalid('session.savePassword'),
  },
  { name: 'auth-external', path: '/auth-external', user: 'none' },
  {
    name: 'auth-external-refused',
    path: '/auth-external?msisdn=51930000001',
    user: 'none',
    allowedErrors: [statusError(403)],
    open: async (page) => {
      await continueInBrowser(page);
      await expect(page.getByRole('alert')).toContainText('Bitel');
    },
  },
  {
    name: 'auth-external-android',
    path: '/auth-external?msisdn=51930000001',
    user: 'none',
    only: 'phone',
    android: true,
    open: async (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  { name: 'operators', path: '/operators', user: 'none' },
  { name: 'operators-bitel', path: '/operators/bitel', user: 'none' },
  ...operatorScreens,
  {
    name: 'sign-in-refused',
    path: '/auth/sign-in',
    user: 'none',
    failedRequest: { url: /\/identity\/?$/, status: 400 },
    allowedErrors: [statusError(400)],
    open: async (page, t) => {
      await page.getByLabel(t('session.email'), { exact: true }).fill('ana@example.org');
      await page.getByLabel(t('session.password'), { exact: true }).fill('Escucho2026');
      await clickButton(page, t('session.signIn'));
      await expect(
        page.getByRole('list', { name: t('shell.notifications') }).getByRole('listitem'),
      ).toBeVisible();
    },
  },
  { name: 'auth-language-menu', path: '/auth/sign-in', user: 'none', open: openMenu('shell.language') },
];
