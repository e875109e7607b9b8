import { expect } from '@playwright/test';
import { platforms } from '../../../packages/contracts/src/index.ts';
import { answered } from '../noise.ts';
import { goOn } from '../operators.ts';
import { beginOf, openMenu, press, type Screen, send } from './screen.ts';

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

/** The doors: signing in and up, by an operator, and what only operators' readers see. */
export const doorScreens: readonly Screen[] = [
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
];
