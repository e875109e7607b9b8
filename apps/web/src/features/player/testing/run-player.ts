import type { ProgressEntry } from '@escucho/contracts';
import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { forgetBookmarks } from '../bookmark-keeper.ts';
import { type PlayerWires, startPlayer } from '../engine.ts';
import { emptyPlayer } from '../model/player-state.ts';
import { forgetListening } from '../player.ts';
import { usePlayer } from '../store.ts';
import { FakeAudio } from './fake-audio.ts';

/** A player that runs for one test, on silent audio, for a subscriber; what it asks of the app can be changed and seen. */
export function runPlayer(changes: Partial<PlayerWires> = {}) {
  const audio = new FakeAudio();
  const sent: ProgressEntry[] = [];
  const wires = {
    isSubscribed: () => true,
    audioUrlFor: vi.fn<PlayerWires['audioUrlFor']>(async (track) => ({ url: `/fresh/${track._id}.mp3` })),
    fetchStart: vi.fn<PlayerWires['fetchStart']>(async () => true),
    learnPlaces: vi.fn<PlayerWires['learnPlaces']>(async () => {}),
    savePlace: vi.fn<PlayerWires['savePlace']>(async (entry) => {
      sent.push(entry);
      return 'taken';
    }),
    saveBookmark: vi.fn<PlayerWires['saveBookmark']>(async () => 'taken'),
    onRefused: vi.fn<PlayerWires['onRefused']>(),
    log: vi.fn<PlayerWires['log']>(),
  };
  const stop = startPlayer(audio, { ...wires, ...changes });
  onTestFinished(() =>
    act(() => {
      stop();
      forgetListening();
      forgetBookmarks();
      usePlayer.setState(emptyPlayer);
      localStorage.clear();
    }),
  );
  return { audio, sent, wires, stop };
}
