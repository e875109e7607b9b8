import type { PlayerEvent } from '../model/state.ts';

type Listener = (event: PlayerEvent) => void;

let listener: Listener | null = null;
// What comes before the player runs, such as a press on a cover, is heard as soon as it does.
const awaited: PlayerEvent[] = [];

/** Tells the player what happened. */
export function dispatch(event: PlayerEvent): void {
  if (listener) listener(event);
  else awaited.push(event);
}

/** The player hears from now on. Out: it hears no more. */
export function subscribe(next: Listener): () => void {
  listener = next;
  for (const event of awaited.splice(0)) next(event);
  return () => {
    listener = null;
  };
}
