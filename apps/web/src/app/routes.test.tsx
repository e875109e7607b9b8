import { api, identityApi } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStoredProfile } from '../features/session/store.ts';
import { activeSubscription, ana, getCurrentUrl, mockSignedInUser, renderApp } from '../testing/app.tsx';
import { buildSearchResults, facets } from '../testing/builders.ts';
import { createDeferred } from '../testing/deferred.ts';
import { mockEndpoint } from '../testing/server.ts';

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
])('[ROUTE-01] [ROUTE-02] %s shows %s', async (url, shownUrl, title) => {
  mockSignedInUser();
  mockEndpoint(api.playlists.findPlaylist, 'not_found');
  mockEndpoint(api.playlists.findPlaylistContent, 'not_found');
  mockEndpoint(api.subscription.findSubscription, 'unavailable');
  mockEndpoint(api.catalogue.findArticles, { docs: [], totalDocs: 0 });
  mockEndpoint(api.catalogue.browse, { totalDocs: 0, facets, covers: {} });
  mockEndpoint(api.catalogue.search, buildSearchResults([]));
  mockEndpoint(identityApi.listSessions, { docs: [] });
  await renderApp(url);
  if (title === 'main') expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument();
  else await heading(title);
  expect(getCurrentUrl()).toBe(shownUrl);
});

it('[ROUTE-03] a visit without a session redirects to sign-in with returnTo', async () => {
  await renderApp('/library');
  await heading('Welcome back');
  expect(getCurrentUrl()).toBe('/auth/sign-in?returnTo=%2Flibrary');
});

it('[ROUTE-03] shows Loading... while the session is restored', async () => {
  mockSignedInUser();
  useStoredProfile.setState({ user: null, subscription: null });
  const { promise: delay, resolve: sendResponse } = createDeferred();
  mockEndpoint(api.auth.signInCognito, { user: ana, subscription: activeSubscription }, delay);
  await renderApp('/library');
  expect(await screen.findByRole('status')).toHaveTextContent(/^Loading\.\.\.$/);
  sendResponse();
  await heading('Your library');
});

it('[SHELL-11] an unknown URL shows the not-found page with a link home', async () => {
  mockSignedInUser();
  await renderApp('/nowhere/at/all');
  await heading('There is nothing at this address');
  expect(screen.getByRole('link', { name: 'Go to Discover' })).toHaveAttribute('href', '/discover');
});

it.each(['/nowhere/at/all', '/settings/nothing', '/auth/nothing'])(
  '[SHELL-11] %s shows the not-found page signed out, too, and home leads to sign-in',
  async (url) => {
    const { user } = await renderApp(url);
    await heading('There is nothing at this address');
    expect(getCurrentUrl()).toBe(url);
    await user.click(screen.getByRole('link', { name: 'Go to Discover' }));
    await heading('Welcome back');
    expect(getCurrentUrl()).toBe('/auth/sign-in?returnTo=%2Fdiscover');
  },
);

it('[SUB-07] settings show profile and subscription; support is not available', async () => {
  mockSignedInUser(ana, { ...activeSubscription, expiresAt: '2027-03-05T00:00:00.000Z' });
  mockEndpoint(api.subscription.findSubscription, {
    current: null,
    plans: [],
    managementUrl: null,
    subscription: { ...activeSubscription, expiresAt: '2027-03-05T00:00:00.000Z' },
  });
  mockEndpoint(api.subscription.findReceipts, { docs: [] });
  mockEndpoint(identityApi.listSessions, { docs: [] });
  const { user } = await renderApp('/settings');
  await heading('Settings');
  expect(await screen.findByRole('heading', { level: 2, name: 'Ana Torres' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Support' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('link', { name: 'Subscription' }));
  expect(await screen.findByText('Renews on 05 Mar 2027.')).toBeInTheDocument();
});
