import { useProgress } from './store.ts';

let read: (() => number) | null = null;

/** Where the sound is at this very moment, in seconds; `useProgress` hears of it some four times a second. */
export const soundNow = (): number => read?.() ?? useProgress.getState().position;

/** Says who knows where the sound is. Out: they know no more. */
export function readSoundBy(reader: () => number): () => void {
  read = reader;
  return () => {
    read = null;
  };
}
