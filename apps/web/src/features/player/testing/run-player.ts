import type { ProgressEntry } from '@escucho/contracts';
import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
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
