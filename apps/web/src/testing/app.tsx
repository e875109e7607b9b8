import { api, type PublicConfig, type Settings, type Subscription, type User } from '@escucho/contracts';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { onTestFinished, vi } from 'vitest';
import { createApp } from '../app/create-app.tsx';
import { useSeen } from '../features/notifications/components/bell.tsx';
import { useSessionState, useStoredProfile } from '../features/session/store.ts';
import { usePreferences } from '../shared/preferences.ts';
import { useToasts } from '../shared/ui/toast.tsx';
import { storeSession } from './identity.ts';
import { mockConfig, mockEndpoint, mockNotificationStream } from './server.ts';

export const ana: User = {
  _id: '00000000-0000-4000-8000-000000000001',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Torres',
  displayName: 'Ana Torres',
  platform: null,
  isExternal: false,
};
export const bea: User = {
  ...ana,
  _id: '00000000-0000-4000-8000-000000000002',
  firstName: 'Bea',
  displayName: 'Bea Ruiz',
};
export const activeSubscription: Subscription = {
  isActive: true,
  store: 'stripe',
  willRenew: true,
  expiresAt: null,
};

/** The subscription of a user without one. */
export const free: Subscription = { isActive: false, store: null, willRenew: false, expiresAt: null };

/** Mocks the media element of the page: records its calls and dispatches its events. */
export function mockAudio() {
  const elements = new Set<HTMLMediaElement>();
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(function (this: HTMLMediaElement) {
    elements.add(this);
  });
  let isPaused = true;
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(() => isPaused);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async () => {
    isPaused = false;
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => {
    isPaused = true;
  });
  const element = () => {
    const last = [...elements].at(-1);
    if (!last) throw new Error('nothing was loaded');
    return last;
  };
  const happens = (...names: string[]) =>
    act(() => {
      for (const name of names) element().dispatchEvent(new Event(name));
    });
  /** The player's code is loaded after the page; presses before that are queued. */
  const loaded = () => waitFor(element);
  const start = async () => {
    await loaded();
    happens('loadedmetadata', 'playing');
  };
  return { element, happens, loaded, start };
}

/** Mocks the saving of files. Returns those that are saved, and the clicks that save them. */
export function mockDownloads() {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:file';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  return { files, clicks };
}

/** Stores a profile as another tab does that signs a user in; null as one that signs the user out. */
export function storeInOtherTab(profile: { user: User; subscription: Subscription } | null): void {
  const state = profile ?? { user: null, subscription: null };
  const newValue = JSON.stringify({ state, version: 1 });
  localStorage.setItem('user-storage', newValue);
  dispatchEvent(new StorageEvent('storage', { key: 'user-storage', newValue }));
}

/** Ana's settings before she has chosen any. */
export const emptySettings: Settings = {
  firstName: ana.firstName,
  lastName: ana.lastName,
  language: null,
  theme: null,
  level: null,
  learningLanguage: null,
};
const silentDays = [{ date: '2026-11-20', seconds: 0 }];

/**
 * Mocks the portal for a user without data: the sign-in, the profile, and what every page for signed-in users requests.
 *
 * @returns the requests of the sign-in
 */
export function mockPortal(user: User = ana, subscription: Subscription = activeSubscription) {
  mockEndpoint(api.notifications.findNotifications, { docs: [], totalDocs: 0 });
  mockEndpoint(api.catalogue.discover, { continueListening: [], rows: [] });
  mockEndpoint(api.playlists.findPlaylists, { docs: [], totalDocs: 0 });
  mockEndpoint(api.playlists.findPlaylist, 'not_found');
  mockEndpoint(api.listening.findHistory, { docs: [], totalDocs: 0 });
  mockEndpoint(api.listening.findStatistics, { days: silentDays, daysInARow: 0, finished: 0 });
  mockEndpoint(api.settings.findSettings, { user: ana, settings: emptySettings });
  mockNotificationStream();
  mockEndpoint(api.auth.me, { user, subscription });
  return mockEndpoint(api.auth.signInCognito, { user, subscription });
}

/** Stores a session, so that the app opens with this user signed in, and mocks the portal. */
export function mockSignedInUser(user: User = ana, subscription: Subscription = activeSubscription): void {
  storeSession();
  useStoredProfile.setState({ user, subscription });
  mockPortal(user, subscription);
}

/**
 * Renders the whole app at a URL, as a fresh page load does.
 *
 * @param identity overrides of the identity provider's configuration
 * @param overrides of the rest of `/config.json`
 * @returns a userEvent instance, and the spy that replaces loading another document
 */
export async function renderApp(
  url: string,
  identity: Partial<PublicConfig['identity']> = {},
  overrides: Partial<PublicConfig> = {},
) {
  history.replaceState(null, '', url);
  useSessionState.setState({ state: { status: 'starting' } });
  usePreferences.setState(usePreferences.getInitialState());
  useToasts.setState({ toasts: [] });
  mockConfig(identity, overrides);
  const reload = vi.fn<(url: string) => void>();
  const { app, close } = await createApp(reload);
  onTestFinished(() => {
    close();
    useStoredProfile.setState({ user: null, subscription: null });
    useSeen.setState({ lastSeen: null });
  });
  // In the browser the skeleton of index.html is shown while the first page's code loads.
  render(<Suspense>{app}</Suspense>);
  return { reload, user: userEvent.setup() };
}

/** Returns the app's current path with its query. */
export const getCurrentUrl = () => location.pathname + location.search;

/** Pastes a text into a field, which is much faster than typing it. */
export async function fillField(field: HTMLElement, text: string): Promise<void> {
  const user = userEvent.setup();
  await user.click(field);
  await user.paste(text);
}

/** Opens the profile settings, and waits for them. */
export async function openProfileSettings() {
  const visited = await renderApp('/settings/profile');
  await screen.findByRole('heading', { name: 'Your data' });
  return visited;
}

/** Finds a button by its name. */
export const findButton = (name: string | RegExp): Promise<HTMLElement> =>
  screen.findByRole('button', { name });

/** Returns the queries of the open dialog. */
export const findDialog = async () => within(await screen.findByRole('dialog'));
