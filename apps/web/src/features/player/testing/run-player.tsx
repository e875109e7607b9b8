import type { ProgressEntry } from '@escucho/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { loadNamespace } from '#shared/i18n/i18n.ts';
import { type PlayerDeps, startPlayer } from '../engine/runner.ts';
import { usePlayer } from '../engine/store.ts';
import { emptyPlayer } from '../model/state.ts';
import { clearListening } from '../player.ts';
import { clearBookmarks } from '../sync/bookmarks.ts';
import { FakeAudio } from './fake-audio.ts';

/** Runs a player for one test, on fake audio, as a subscriber. Its dependencies are mocks that can be replaced. */
export function runPlayer(changes: Partial<PlayerDeps> = {}) {
  const audio = new FakeAudio();
  const sent: ProgressEntry[] = [];
  const deps = {
    isSubscribed: () => true,
    getLearning: () => undefined,
    getAudioUrl: vi.fn<PlayerDeps['getAudioUrl']>(async (track) => ({ url: `/fresh/${track._id}.mp3` })),
    prefetchStart: vi.fn<PlayerDeps['prefetchStart']>(async () => true),
    loadRemoteProgress: vi.fn<PlayerDeps['loadRemoteProgress']>(async () => {}),
    sendProgress: vi.fn<PlayerDeps['sendProgress']>(async (entry) => {
      sent.push(entry);
      return 'accepted';
    }),
    sendBookmark: vi.fn<PlayerDeps['sendBookmark']>(async () => 'accepted'),
    onRefused: vi.fn<PlayerDeps['onRefused']>(),
    logError: vi.fn<PlayerDeps['logError']>(),
  };
  const stop = startPlayer(audio, { ...deps, ...changes });
  onTestFinished(() =>
    act(() => {
      stop();
      clearListening();
      clearBookmarks();
      usePlayer.setState(emptyPlayer);
      localStorage.clear();
    }),
  );
  return { audio, sent, deps, stop };
}

// Loaded with the player's code in the app.
await loadNamespace('player');

/** Renders components of the player. Returns a user to interact with them. */
export function renderPlayer(ui: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const user = userEvent.setup();
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>{ui}</QueryClientProvider>
    </MemoryRouter>,
  );
  return user;
}
