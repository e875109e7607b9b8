import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';
import { type ContinueListeningState, emptyContinueListening } from '../model/continue-listening.ts';
import { emptyPlayer, type PlayerState, type Sleep } from '../model/state.ts';
import { parseContinueListening, parsePlayer, toPersistedPlayer } from '../model/stored.ts';

/**
 * player-storage (PLAY-01): the player, paused after a reload; of several tabs, the one that played last. Its `progress` is that of the last change or save;
 * where the sound is this second stands in `useProgress`, so that only what shows the time draws anew.
 */
export const usePlayer = create<PlayerState>()(
  persistStore(
    { name: 'player-storage', version: 1, partialize: toPersistedPlayer, parse: parsePlayer },
    () => emptyPlayer,
  ),
);

interface Progress {
  position: number;
  buffered: number;
  sleep: Sleep;
  /** How often the reader went elsewhere: by a seek, or to another track. */
  jumps: number;
}

/** Where the sound is, how far it is loaded, and how long it goes on; seconds. */
export const usePlayback = create<Progress>()(() => ({
  position: usePlayer.getState().progress,
  buffered: 0,
  sleep: null,
  jumps: 0,
}));

/** continue-listening-storage (PLAY-05): what the reader has begun, last heard first. */
export const useContinueListeningStore = create<ContinueListeningState>()(
  persistStore(
    {
      name: 'continue-listening-storage',
      version: 1,
      partialize: ({ entries, positions: places }) => ({ entries, places }),
      parse: parseContinueListening,
    },
    () => emptyContinueListening,
  ),
);
