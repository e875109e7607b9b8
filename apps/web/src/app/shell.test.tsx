import { api } from '@escucho/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ana, getCurrentUrl, mockShellEndpoints, mockSignedInUser, renderApp } from '../testing/app.tsx';
import { mockIdentity } from '../testing/identity.ts';
import { mockEndpoint } from '../testing/server.ts';

const external = { ...ana, isExternal: true, platform: 'entel' } as const;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('[SHELL-01] [SHELL-02] a page has a header with its five tools, the sidebar, a main landmark and a way to skip to it', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  await renderApp('/library');
  await heading('Your library');
  const header = within(screen.getByRole('banner'));
  for (const name of ['Switch to light', 'Language', 'Your account'])
    expect(header.getByRole('button', { name })).toBeTruthy();
  expect(await header.findByRole('button', { name: 'Notifications' })).toBeTruthy();
  expect(header.getByRole('searchbox', { name: 'Search' })).toBeTruthy();
  expect(screen.getByRole('navigation', { name: 'Navigation' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Skip to content' }).getAttribute('href')).toBe(
    `#${screen.getByRole('main').id}`,
  );
});

it('[SHELL-06] the sidebar leads to the four places, and to the community in a new tab', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  await renderApp('/library');
  await heading('Your library');
  const links = within(screen.getByRole('navigation'));
  const about = await links.findByRole('link', { name: /^About us/ });
  expect([about.getAttribute('href'), about.getAttribute('target'), about.getAttribute('rel')]).toEqual([
    'https://community.example',
    '_blank',
    'noopener',
  ]);
  expect(links.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/discover',
    '/articles/search',
    '/library',
    '/visual-book',
    'https://community.example',
  ]);
  expect(links.getByRole('link', { name: 'Library' }).getAttribute('aria-current')).toBe('page');
});

it('[SHELL-06] [EXT-07] operators’ readers see their terms and no community; to others there are no terms', async () => {
  mockSignedInUser(external);
  mockShellEndpoints();
  await renderApp('/tyc');
  await heading('Terms and conditions');
  const links = within(screen.getByRole('navigation'));
  expect(links.getByRole('link', { name: 'Terms and conditions' }).getAttribute('href')).toBe('/tyc');
  expect(links.queryByRole('link', { name: /About us/ })).toBeNull();
});

it('[EXT-07] /tyc is a not-found page to others', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  await renderApp('/tyc');
  await heading('There is nothing at this address');
});

it('[SHELL-06] on small screens the sidebar is a drawer that closes on Escape, outside and on a choice', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const { user } = await renderApp('/library');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Open navigation' }));
    return screen.findByRole('dialog', { name: 'Navigation' });
  };
  fireEvent(await open(), new Event('close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(await open());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(within(await open()).getByRole('link', { name: 'Visual books' }));
  await heading('Visual books');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('[SHELL-03] the avatar shows initials; its menu has Settings and Logout', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const { user } = await renderApp('/library');
  const avatar = await screen.findByRole('button', { name: 'Your account' });
  expect(avatar.textContent).toBe('AT');
  await user.click(avatar);
  expect(await screen.findByRole('menuitem', { name: 'Logout' })).toBeTruthy();
  await user.click(screen.getByRole('menuitem', { name: 'Settings' }));
  await heading('Settings');
  expect(await screen.findByRole('link', { name: 'Profile', current: 'page' })).toBeTruthy();
  expect(getCurrentUrl()).toBe('/settings/profile');
});

it('[SHELL-03] [AUTH-09] Logout ends the session everywhere, forgets it here, goes to /auth and reloads', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const asked = mockIdentity();
  const { user, reload } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(reload).toHaveBeenCalledExactlyOnceWith('/auth'));
  expect(asked.map(({ operation }) => operation)).toContain('GlobalSignOut');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('Cognito'))).toEqual([]);
  expect(localStorage.getItem('user-storage')).not.toContain('Ana');
});

it('[SHELL-04] the search box waits 500 ms, then looks', async () => {
  mockSignedInUser();
  mockShellEndpoints();
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

it('[SHELL-04] on a phone the search box covers the header only while one searches', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Search' }));
  await waitFor(() => expect(screen.getAllByRole('searchbox')).toHaveLength(2));
  await user.click(screen.getByRole('link', { name: 'Visual books' }));
  await heading('Visual books');
  expect(screen.getAllByRole('searchbox')).toHaveLength(1);
});

it('[SHELL-07] the theme is dark by default, switches on the page element and is kept', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Switch to light' }));
  expect(document.documentElement.dataset.theme).toBe('light');
  expect(JSON.parse(localStorage.getItem('config-storage') ?? '{}').state.colorMode).toBe('light');
  await user.click(screen.getByRole('button', { name: 'Switch to dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
});

it('[SHELL-08] the language switches at once, with the page’s lang, and is kept', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const { user } = await renderApp('/settings/profile');
  await heading('Settings');
  await user.click(screen.getByRole('radio', { name: 'Español' }));
  await heading('Ajustes');
  expect(document.documentElement.lang).toBe('es');
  expect(JSON.parse(localStorage.getItem('config-storage') ?? '{}').state.language).toBe('es');
});

const news = (number: number, title: string) => ({
  _id: `00000000-0000-4000-8000-00000000000${number}`,
  title,
  body: 'Something to hear.',
  createdAt: '2026-11-05T10:00:00.000Z',
});

it('[CAT-07] the bell is flagged while the newest has not been seen; opening the list counts as seeing', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const asked = mockEndpoint(api.notifications.findNotifications, {
    docs: [news(2, 'Newer'), news(1, 'Older')],
    totalDocs: 2,
  });
  const { user } = await renderApp('/library');
  await user.click(await screen.findByRole('button', { name: 'Notifications, there is something new' }));
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy();
  expect(screen.getByText('Newer')).toBeTruthy();
  expect(screen.getAllByText('05 Nov 2026')).toHaveLength(2);
  expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toMatchObject({
    page: '1',
    limit: '10',
    sorter: '{"createdAt":-1}',
  });
  expect(localStorage.getItem('notifications-storage')).toContain(news(2, '')._id);
});

it('[CAT-09] an empty bell says so, and a list that does not load can be asked for again', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  const { user } = await renderApp('/library');
  await screen.findByText('No news yet. New stories and messages will appear here.');
  mockEndpoint(api.notifications.findNotifications, 'forbidden');
  await user.click(screen.getByRole('button', { name: 'Language' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Español' }));
  const again = await screen.findByRole('button', { name: 'Reintentar', hidden: true });
  mockEndpoint(api.notifications.findNotifications, { docs: [news(1, 'Hola')], totalDocs: 1 });
  fireEvent.click(again);
  expect(await screen.findByText('Hola')).toBeTruthy();
});

it('[CAT-09] says so while the browser is offline', async () => {
  mockSignedInUser();
  mockShellEndpoints();
  await renderApp('/library');
  await heading('Your library');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText('You are offline. What you have open keeps working.')).toBeTruthy();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(/You are offline/)).toBeNull();
});
