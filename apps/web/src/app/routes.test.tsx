import { api } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStoredProfile } from '../features/session/store.ts';
import { address, ana, answerShell, keepReader, subscribed, visit } from '../testing/app.tsx';
import { answer } from '../testing/server.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it.each([
  ['/', '/discover', 'main'],
  ['/Discover', '/Discover', 'main'],
  ['/auth', '/discover', 'main'],
  ['/settings', '/settings/profile', 'Settings'],
  [`/playlist/${ana._id}`, `/playlist/${ana._id}`, 'There is nothing at this address'],
  ['/articles/search', '/articles/search', 'Search'],
  ['/articles/search/la%20voz', '/articles/search/la%20voz', 'Results for “la voz”'],
  ['/articles/topic/nature', '/articles/topic/nature', 'Nature'],
  ['/library', '/library', 'Your library'],
  ['/visual-book', '/visual-book', 'Visual books'],
  ['/settings/subscription', '/settings/subscription', 'Settings'],
  ['/auth-external?msisdn=51999', '/discover', 'main'],
])('[ROUTE-01] [ROUTE-02] %s shows %s', async (asked, shown, title) => {
  keepReader();
  answerShell();
  answer(api.playlists.findPlaylist, 'not_found');
  answer(api.playlists.findPlaylistContent, 'not_found');
  answer(api.subscription.findSubscription, 'unavailable');
  await visit(asked);
  if (title === 'main') expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  else await heading(title);
  expect(address()).toBe(shown);
});

it('[ROUTE-03] a visit without a session leads to sign-in, which knows the way back', async () => {
  await visit('/library');
  await heading('Welcome back');
  expect(address()).toBe('/auth/sign-in?returnTo=%2Flibrary');
});

it('[ROUTE-03] while it is found out who comes, the page says Loading...', async () => {
  keepReader();
  answerShell();
  useStoredProfile.setState({ user: null, subscription: null });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  answer(api.auth.signInCognito, { user: ana, subscription: subscribed }, held);
  await visit('/library');
  expect((await screen.findByRole('status')).textContent).toBe('Loading...');
  release();
  await heading('Your library');
});

it('[SHELL-11] an unknown address has a not-found page with a way home', async () => {
  await visit('/nowhere/at/all');
  await heading('Welcome back');
  keepReader();
  answerShell();
  await visit('/nowhere/at/all');
  await heading('There is nothing at this address');
  expect(screen.getByRole('link', { name: 'Go to Discover' }).getAttribute('href')).toBe('/discover');
});

it('[SUB-07] settings show the reader and the subscription; support is not open', async () => {
  keepReader(ana, { ...subscribed, expiresAt: '2027-03-05T00:00:00.000Z' });
  answerShell();
  answer(api.subscription.findSubscription, {
    current: null,
    plans: [],
    managementUrl: null,
    subscription: { ...subscribed, expiresAt: '2027-03-05T00:00:00.000Z' },
  });
  answer(api.subscription.findReceipts, { docs: [] });
  const { user } = await visit('/settings');
  await heading('Settings');
  expect(await screen.findByText('ana@example.org')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Support' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('link', { name: 'Subscription' }));
  expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeTruthy();
});
