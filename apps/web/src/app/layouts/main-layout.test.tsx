import { api, identityApi, type User } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { useSessionState } from '#features/session/store.ts';
import { openSubscribeModal } from '#features/subscription/subscription.ts';
import {
  activeSubscription,
  ana,
  bea,
  emptySettings,
  getCurrentUrl,
  mockSignedInUser,
  renderApp,
  storeInOtherTab,
} from '#testing/app.tsx';
import { buildPlaylist } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockIdentity, storeSession } from '#testing/identity.ts';
import { mockEndpoint, server } from '#testing/server.ts';

beforeEach(() => mockSignedInUser());

it('[CAT-09] a page that loaded offline loads its lists once online', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  // As a service worker answers with the page's code.
  server.use(
    http.head('*/config.json', () => new HttpResponse()),
    http.all('*/api/*', () => HttpResponse.error()),
  );
  await renderApp('/library');
  expect(await screen.findByText('Your playlists did not load.')).toBeInTheDocument();

  mockEndpoint(api.playlists.findPlaylists, { docs: [buildPlaylist(700)], totalDocs: 1 });
  onLine.mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findAllByRole('link', { name: /^Morning walk/ })).not.toHaveLength(0);
  expect(screen.queryByText('Your playlists did not load.')).not.toBeInTheDocument();
});

it('moves the focus to the heading of the new page, which screen readers read', async () => {
  mockEndpoint(api.catalogue.findArticles, { docs: [], totalDocs: 0 });
  const { user } = await renderApp('/library');
  await screen.findByRole('heading', { level: 1, name: 'Your library' });
  await user.click(screen.getByRole('link', { name: 'Visual books' }));
  const heading = await screen.findByRole('heading', { level: 1, name: 'Visual books' });
  await waitFor(() => expect(heading).toHaveFocus());
});

it('moves the focus to a heading that loads late, unless the user moves on', async () => {
  const { promise: delay, resolve: respond } = createDeferred();
  mockEndpoint(api.playlists.findPlaylists, { docs: [buildPlaylist(700)], totalDocs: 1 });
  mockEndpoint(api.playlists.findPlaylist, buildPlaylist(700), delay);
  mockEndpoint(api.playlists.findPlaylistContent, { docs: [], totalDocs: 0 });
  const { user } = await renderApp('/library');
  const [link] = await screen.findAllByRole('link', { name: /^Morning walk/ });
  if (link) await user.click(link);
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  respond();
  const heading = await screen.findByRole('heading', { level: 1, name: 'Morning walk' });
  await waitFor(() => expect(heading).toHaveFocus());
});

it('[SHELL-06] on phones the main pages are at the bottom, beside the drawer', async () => {
  const wide = matchMedia('');
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => Object.assign(wide, { media, matches: true }));
  await renderApp('/library');
  const bottom = within(await screen.findByRole('navigation', { name: 'Main pages' }));
  const names = bottom.getAllByRole('link').map((link) => link.textContent);
  expect(names).toEqual(['Discover', 'Search', 'Library', 'Visual books']);
  expect(bottom.getByRole('link', { name: 'Library' })).toHaveAttribute('aria-current', 'page');
  expect(screen.getByRole('button', { name: 'Open navigation' })).toBeInTheDocument();
});

const signInInOtherTab = (user: User, subscription = activeSubscription) =>
  act(() => {
    storeSession();
    storeInOtherTab({ user, subscription });
  });

it('a user who replaces another one in another tab sees their own data', async () => {
  mockEndpoint(identityApi.listSessions, { docs: [] });
  await renderApp('/settings/profile');
  expect(await screen.findByLabelText('First name')).toHaveValue('Ana');
  mockEndpoint(api.settings.findSettings, { user: bea, settings: { ...emptySettings, firstName: 'Bea' } });
  signInInOtherTab(bea);
  await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Bea'));
  expect(getCurrentUrl()).toBe('/settings/profile');
});

it('the page stays when the tokens of its user are refreshed and their name changes', async () => {
  storeSession(-60);
  const requests = mockIdentity();
  await renderApp('/library');
  const box = await screen.findByRole('searchbox');
  const isRefresh = ({ operation }: { operation: string }) => operation === 'GetTokensFromRefreshToken';
  await waitFor(() => expect(requests.filter(isRefresh)).toHaveLength(1));
  await waitFor(() => expect(useSessionState.getState().state.status).toBe('signed-in'));
  signInInOtherTab({ ...ana, lastName: 'Zapata', displayName: 'Ana Zapata' });
  expect(await screen.findByRole('button', { name: 'AZ · Your account' })).toBeInTheDocument();
  expect(screen.getByRole('searchbox')).toBe(box);
});

it('a subscribe modal that was open at a sign-out is closed for the next user', async () => {
  const free = { ...activeSubscription, isActive: false };
  mockSignedInUser(ana, free);
  await renderApp('/library');
  await screen.findByRole('region', { name: 'Player' });
  act(() => openSubscribeModal(() => undefined));
  expect(await screen.findByRole('dialog', { name: 'Listen to everything' })).toBeInTheDocument();
  act(() => storeInOtherTab(null));
  expect(await screen.findByLabelText('Email')).toBeInTheDocument();
  signInInOtherTab(bea, free);
  await screen.findByRole('region', { name: 'Player' });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
