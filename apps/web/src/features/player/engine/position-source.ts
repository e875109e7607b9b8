import { usePlayback } from './store.ts';

let read: (() => number) | null = null;

/** Where the sound is at this very moment, in seconds; `useProgress` hears of it some four times a second. */
export const getCurrentPosition = (): number => read?.() ?? usePlayback.getState().position;

/** Says who knows where the sound is. Out: they know no more. */
export function setPositionSource(reader: () => number): () => void {
  read = reader;
  return () => {
    read = null;
  };
}
