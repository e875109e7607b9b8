import type { PlayerState, Step, TabWord } from './player-state.ts';
import { pause, stay } from './transport.ts';

/** What the other tabs are told of a step, if anything: that sound is wanted now, and with every save that it still is. */
export function wordToTabs(before: PlayerState, { state: after, effects }: Step): TabWord | null {
  if (!after.isPlaying) return null;
  if (!before.isPlaying) return 'begins';
  return effects.some(({ type }) => type === 'saveProgress') ? 'goesOn' : null;
}

/** Another tab plays. Where that has just begun this one falls silent; it keeps nothing in storage until it plays again. */
export function heardElsewhere(state: PlayerState, word: TabWord): Step {
  if (word === 'goesOn' && state.isPlaying) return stay(state);
  const silent = pause(state);
  return { ...silent, state: { ...silent.state, isElsewhere: true } };
}
