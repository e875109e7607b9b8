import * as z from 'zod/mini';
import type { TabWord } from './model/player-state.ts';

const word = z.enum(['begins', 'goesOn']);

/**
 * The tabs of this browser that hold a player, without a server or a lock between them: a tab that is gone holds up
 * nobody. In: what is done when another tab plays. Out: how this one says so, and how it leaves.
 */
export function joinTabs(heard: (word: TabWord) => void) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('escucho-player');
  channel?.addEventListener('message', ({ data }) => {
    const { data: said } = word.safeParse(data);
    if (said) heard(said);
  });
  return {
    say: (said: TabWord): void => channel?.postMessage(said),
    leave: (): void => channel?.close(),
  };
}
