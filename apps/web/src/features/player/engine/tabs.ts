import * as z from 'zod/mini';
import type { TabPosition, TabSignal } from '../model/state.ts';

const word = z.enum(['begins', 'goesOn']);
const place = z.object({ id: z.string(), position: z.number().check(z.minimum(0)) });

/**
 * The tabs of this browser that hold a player, without a server or a lock between them: a tab that is gone holds up
 * nobody. In: what is done when another tab plays, and when it tells a place. Out: how this one says so, and how it leaves.
 */
export function connectTabs(heard: (word: TabSignal) => void, moved: (place: TabPosition) => void) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('escucho-player');
  channel?.addEventListener('message', ({ data }) => {
    const { data: said } = word.safeParse(data);
    if (said) heard(said);
    const { data: told } = place.safeParse(data);
    if (told) moved(told);
  });
  return {
    say: (said: TabSignal | TabPosition): void => channel?.postMessage(said),
    leave: (): void => channel?.close(),
  };
}
