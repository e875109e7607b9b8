import { api, type PublicConfig, type Settings, type Subscription, type User } from '@escucho/contracts';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { onTestFinished, vi } from 'vitest';
import { openApp } from '../app/open.tsx';
import { useSeen } from '../features/notifications/store.ts';
import { useSessionState, useStoredProfile } from '../features/session/store.ts';
import { usePreferences } from '../shared/preferences.ts';
import { useToasts } from '../shared/ui/toast.ts';
import { storeSession } from './identity.ts';
import { answer, answerConfig, answerStream } from './server.ts';

export const ana: User = {
  _id: '00000000-0000-4000-8000-000000000001',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Torres',
  displayName: 'Ana Torres',
  platform: null,
  isExternal: false,
};
export const subscribed: Subscription = { isActive: true, store: 'stripe', willRenew: true, expiresAt: null };

/** Who is signed in when the app opens. */
export function keepReader(user: User = ana, subscription: Subscription = subscribed): void {
  storeSession();
  useStoredProfile.setState({ user, subscription });
  answer(api.auth.me, { user, subscription });
}

/** What Ana has told of herself so far. */
export const nothingChosen: Settings = {
  firstName: ana.firstName,
  lastName: ana.lastName,
  language: null,
  theme: null,
  level: null,
  learningLanguage: null,
};
const silentDays = [{ date: '2026-11-20', seconds: 0 }];

/** Answers what every page for readers asks. */
export function answerShell(): void {
  answer(api.notifications.findNotifications, { docs: [], totalDocs: 0 });
  answer(api.catalogue.discover, { continueListening: [], rows: [] });
  answer(api.playlists.findPlaylists, { docs: [], totalDocs: 0 });
  answer(api.playlists.findPlaylist, 'not_found');
  answer(api.history.findHistory, { docs: [], totalDocs: 0 });
  answer(api.history.findStatistics, { days: silentDays, daysInARow: 0, finished: 0 });
  answer(api.settings.findSettings, { user: ana, settings: nothingChosen });
  answerStream();
}

/** Opens the whole app at an address, as a browser does. In: the address, and what differs of the identity provider and of the rest. Out: what a reader does, and where the app was told to reload. */
export async function visit(
  address: string,
  identity: Partial<PublicConfig['identity']> = {},
  rest: Partial<PublicConfig> = {},
) {
  history.replaceState(null, '', address);
  useSessionState.setState({ state: { status: 'starting' } });
  usePreferences.setState({ colorMode: 'dark', language: null });
  useToasts.setState({ toasts: [] });
  answerConfig(identity, rest);
  const reload = vi.fn<(address: string) => void>();
  const { app, close } = await openApp(reload);
  onTestFinished(() => {
    close();
    useStoredProfile.setState({ user: null, subscription: null });
    useSeen.setState({ lastSeen: null });
  });
  // A test needs something to look at while the first page's code loads; the browser shows the page of the HTML.
  render(<Suspense>{app}</Suspense>);
  return { reload, user: userEvent.setup() };
}

/** Where the app is now. */
export const address = () => location.pathname + location.search;
