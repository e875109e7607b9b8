import { api, identityApi } from '@escucho/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { ana, emptySettings, getCurrentUrl, mockSignedInUser, renderApp } from '#testing/app.tsx';
import { buildSearchResults, facets } from '#testing/builders.ts';
import { createDeferred } from '#testing/deferred.ts';
import { mockIdentity } from '#testing/identity.ts';
import { mockEndpoint, server } from '#testing/server.ts';

const external = { ...ana, isExternal: true, platform: 'entel' } as const;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

beforeEach(() => {
  mockSignedInUser();
  mockEndpoint(api.catalogue.findArticles, { docs: [], totalDocs: 0 });
  mockEndpoint(api.catalogue.browse, { totalDocs: 0, facets, covers: {} });
  mockEndpoint(api.catalogue.search, buildSearchResults([]));
  mockEndpoint(identityApi.listSessions, { docs: [] });
});

// First: the code is loaded once.
it('[SHELL-04] Back leaves a search that was typed while its page loaded', async () => {
  mockEndpoint(api.catalogue.search, buildSearchResults([]));
  const { promise: delay, resolve: respond } = createDeferred();
  const { user } = await renderApp('/library');
  const box = await screen.findByRole('searchbox', { name: 'Search' });
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  server.use(http.head('*/config.json', () => delay.then(() => new HttpResponse())));
  await user.type(box, 'faro{Enter}');
  await user.type(box, ' de{Enter}');
  expect(screen.getByRole('heading', { name: 'Your library' })).toBeInTheDocument();
  onLine.mockRestore();
  respond();
  await heading('Results for “faro de”');
  history.back();
  await heading('Your library');
});

it('[SHELL-01] [SHELL-02] renders header, sidebar, main landmark and skip link', async () => {
  await renderApp('/library');
  await heading('Your library');
  const header = within(screen.getByRole('banner'));
  for (const name of ['Switch to light', 'Language', 'AT · Your account'])
    expect(header.getByRole('button', { name })).toBeInTheDocument();
  expect(await header.findByRole('button', { name: 'Notifications' })).toBeInTheDocument();
  expect(header.getByRole('searchbox', { name: 'Search' })).toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: 'Navigation' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute(
    'href',
    `#${screen.getByRole('main').id}`,
  );
  const player = await screen.findByRole('region', { name: 'Player' });
  expect(screen.getByRole('link', { name: 'Skip to player' })).toHaveAttribute('href', `#${player.id}`);
});

it('[SHELL-06] the sidebar links to four pages, and to the community in a new tab', async () => {
  await renderApp('/library');
  await heading('Your library');
  const links = within(screen.getByRole('navigation'));
  const about = await links.findByRole('link', { name: /^About us/ });
  expect([about.getAttribute('href'), about.getAttribute('target'), about.getAttribute('rel')]).toEqual([
    'https://community.example',
    '_blank',
    'noopener',
  ]);
  // The configuration is loaded, and not that of a public demo.
  expect(screen.queryByRole('complementary', { name: 'Demo mode' })).not.toBeInTheDocument();
  expect(links.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/discover',
    '/articles/search',
    '/library',
    '/visual-book',
    'https://community.example',
  ]);
  expect(links.getByRole('link', { name: 'Library' })).toHaveAttribute('aria-current', 'page');
});

it('[SHELL-06] [EXT-07] operators’ users see their terms and no community link', async () => {
  mockSignedInUser(external);
  await renderApp('/tyc');
  await heading('Terms and conditions');
  const links = within(screen.getByRole('navigation'));
  expect(links.getByRole('link', { name: 'Terms and conditions' })).toHaveAttribute('href', '/tyc');
  expect(links.queryByRole('link', { name: /About us/ })).not.toBeInTheDocument();
});

it('[EXT-07] /tyc shows other users the not-found page', async () => {
  await renderApp('/tyc');
  await heading('There is nothing at this address');
});

it('[SHELL-06] the navigation drawer closes on Escape, outside and on navigation', async () => {
  const { user } = await renderApp('/library');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Open navigation' }));
    return screen.findByRole('dialog', { name: 'Navigation' });
  };
  fireEvent(await open(), new Event('close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(await open());
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(within(await open()).getByRole('link', { name: 'Visual books' }));
  await heading('Visual books');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('[SHELL-03] the avatar shows initials; its menu has Settings and Logout', async () => {
  const { user } = await renderApp('/library');
  const avatar = await screen.findByRole('button', { name: /Your account$/ });
  expect(avatar).toHaveTextContent(/^AT$/);
  await user.click(avatar);
  expect(await screen.findByRole('menuitem', { name: 'Logout' })).toBeInTheDocument();
  await user.click(screen.getByRole('menuitem', { name: 'Settings' }));
  await heading('Settings');
  expect(await screen.findByRole('link', { name: 'Profile', current: 'page' })).toBeInTheDocument();
  expect(getCurrentUrl()).toBe('/settings/profile');
});

it('[SHELL-03] [AUTH-09] Logout revokes and removes the session and reloads at /auth', async () => {
  const requests = mockIdentity();
  const { user, reload } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: /Your account$/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
  expect(requests.map(({ operation }) => operation)).toContain('GlobalSignOut');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('Cognito'))).toEqual([]);
  expect(localStorage.getItem('user-storage')).not.toContain('Ana');
});

it('[SHELL-04] the search box searches 500 ms after typing', async () => {
  await renderApp('/library');
  const box = await screen.findByRole('searchbox', { name: 'Search' });
  vi.useFakeTimers();
  try {
    fireEvent.change(box, { target: { value: 'faro' } });
    act(() => vi.advanceTimersByTime(499));
    expect(getCurrentUrl()).toBe('/library');
    fireEvent.change(box, { target: { value: 'faro de' } });
    act(() => vi.advanceTimersByTime(499));
    expect(getCurrentUrl()).toBe('/library');
    act(() => vi.advanceTimersByTime(1));
    expect(getCurrentUrl()).toBe('/articles/search/faro%20de');
  } finally {
    vi.useRealTimers();
  }
  await screen.findByRole('heading', { level: 1, name: 'Results for “faro de”' });
  fireEvent.change(box, { target: { value: '' } });
  await waitFor(() => expect(getCurrentUrl()).toBe('/articles/search'));
});

it('[SHELL-04] the search box has the term again when the user comes back to the results', async () => {
  mockEndpoint(api.catalogue.search, buildSearchResults([]));
  const { user } = await renderApp('/library');
  const box = await screen.findByRole('searchbox', { name: 'Search' });
  await user.type(box, 'faro{Enter}');
  await heading('Results for “faro”');
  await user.click(screen.getByRole('link', { name: 'Visual books' }));
  await waitFor(() => expect(box).toHaveValue(''));
  history.back();
  await heading('Results for “faro”');
  await waitFor(() => expect(box).toHaveValue('faro'));
});

it('[SHELL-04] on phones the search box covers the header only on the search page', async () => {
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await waitFor(() => expect(screen.getAllByRole('searchbox')).toHaveLength(2));
  await user.click(screen.getByRole('link', { name: 'Visual books' }));
  await heading('Visual books');
  await waitFor(() => expect(screen.getAllByRole('searchbox')).toHaveLength(1));
});

it('[SHELL-04] on phones closing the search box returns the focus to its button', async () => {
  const { user } = await renderApp('/library');
  const button = await screen.findByRole('button', { name: 'Search' });
  await user.click(button);
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.getAllByRole('searchbox')).toHaveLength(1);
  expect(button).toHaveFocus();
});

it('[SHELL-07] the theme is dark by default; a switch applies at once and is stored', async () => {
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Switch to light' }));
  expect(document.documentElement.dataset.theme).toBe('light');
  expect(JSON.parse(localStorage.getItem('config-storage') ?? '{}').state.colorMode).toBe('light');
  await user.click(screen.getByRole('button', { name: 'Switch to dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
});

it('[SHELL-08] the language switches at once, with the page’s lang, and is stored', async () => {
  mockEndpoint(api.settings.changeSettings, { user: ana, settings: emptySettings });
  const { user } = await renderApp('/settings/profile');
  await heading('Settings');
  await user.click(screen.getByRole('radio', { name: 'Español' }));
  await heading('Ajustes');
  expect(document.documentElement.lang).toBe('es');
  expect(JSON.parse(localStorage.getItem('config-storage') ?? '{}').state.language).toBe('es');
});

const buildNotification = (number: number, title: string) => ({
  _id: `00000000-0000-4000-8000-00000000000${number}`,
  title,
  body: 'Something to hear.',
  createdAt: '2026-11-05T10:00:00.000Z',
});

it('[CAT-07] the bell is flagged until the list is opened', async () => {
  const requests = mockEndpoint(api.notifications.findNotifications, {
    docs: [buildNotification(2, 'Newer'), buildNotification(1, 'Older')],
    totalDocs: 2,
  });
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Notifications, there is something new' }));
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeInTheDocument();
  expect(screen.getByText('Newer')).toBeInTheDocument();
  expect(screen.getAllByText('05 Nov 2026')).toHaveLength(2);
  expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
    page: '1',
    limit: '10',
    sorter: '{"createdAt":-1}',
  });
  expect(localStorage.getItem('notifications-storage')).toContain(buildNotification(2, '')._id);
});

it('[CAT-09] the list shows an empty state, and a retry when it fails to load', async () => {
  const { user } = await renderApp('/library');
  await screen.findByText('No news yet. New stories and messages will appear here.');
  mockEndpoint(api.notifications.findNotifications, 'forbidden');
  await user.click(screen.getByRole('button', { name: 'Language' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Español' }));
  const retry = await screen.findByRole('button', { name: 'Reintentar', hidden: true });
  mockEndpoint(api.notifications.findNotifications, { docs: [buildNotification(1, 'Hola')], totalDocs: 1 });
  fireEvent.click(retry);
  expect(await screen.findByText('Hola')).toBeInTheDocument();
});

it('[CAT-09] the list shows when it waits for the network and resumes with it', async () => {
  mockEndpoint(api.notifications.findNotifications, { docs: [buildNotification(1, 'News')], totalDocs: 1 });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  const list = within(screen.getByRole('region', { name: 'Notifications' }));
  expect(list.getByRole('alert')).toHaveTextContent('The notifications did not load.');
  act(() => onlineManager.setOnline(true));
  expect(await list.findByText('News')).toBeInTheDocument();
});

it('[CAT-09] shows a banner while the browser is offline', async () => {
  await renderApp('/library');
  await heading('Your library');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText('You are offline. What you have open keeps working.')).toBeInTheDocument();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(/You are offline/)).not.toBeInTheDocument();
});
