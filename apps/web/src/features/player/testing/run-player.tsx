import type { ProgressEntry, Track } from '@escucho/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { loadNamespace } from '#shared/i18n/i18n.ts';
import { BrowserLocationProvider } from '#shared/location.tsx';
import { PlayerBar } from '../components/player-bar.tsx';
import { type PlayerDeps, startPlayer } from '../engine/runner.ts';
import { usePlayer } from '../engine/store.ts';
import { emptyPlayer } from '../model/state.ts';
import { clearListening, play } from '../player.ts';
import { clearBookmarks } from '../sync/bookmarks.ts';
import { FakeAudio } from './fake-audio.ts';
import { listSource } from './fixtures.ts';

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
    <BrowserLocationProvider>
      <QueryClientProvider client={client}>{ui}</QueryClientProvider>
    </BrowserLocationProvider>,
  );
  return user;
}

const NoTools = () => null;

/** Renders the player's bar, and `children` beside it. Returns a user to interact with them. */
export const renderBar = (children?: ReactNode) =>
  renderPlayer(
    <>
      <PlayerBar Tools={NoTools} />
      {children}
    </>,
  );

/** Runs a player that plays the first of some tracks, and renders its bar. */
export function renderPlaying(tracks: readonly Track[], children?: ReactNode) {
  const running = runPlayer();
  const user = renderBar(children);
  act(() => {
    play(listSource, tracks, 0);
    running.audio.startPlaying();
  });
  return { ...running, user };
}
