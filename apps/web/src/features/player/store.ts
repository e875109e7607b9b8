import { create } from 'zustand';
import { persistStore } from '#shared/storage.ts';
import { type Listening, nothingBegun } from './model/continue-list.ts';
import { emptyPlayer, type PlayerState, type Sleep } from './model/player-state.ts';
import { kept, readListening, readPlayer } from './model/stored.ts';

/**
 * player-storage (PLAY-01): the player, paused after a reload; of several tabs, the one that played last. Its `progress` is that of the last change or save;
 * where the sound is this second stands in `useProgress`, so that only what shows the time draws anew.
 */
export const usePlayer = create<PlayerState>()(
  persistStore(
    { name: 'player-storage', version: 1, partialize: kept, parse: readPlayer },
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
export const useProgress = create<Progress>()(() => ({
  position: usePlayer.getState().progress,
  buffered: 0,
  sleep: null,
  jumps: 0,
}));

/** continue-listening-storage (PLAY-05): what the reader has begun, last heard first. */
export const useListening = create<Listening>()(
  persistStore(
    {
      name: 'continue-listening-storage',
      version: 1,
      partialize: ({ entries, places }) => ({ entries, places }),
      parse: readListening,
    },
    () => nothingBegun,
  ),
);
