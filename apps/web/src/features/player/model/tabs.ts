import { type PlayerState, type Step, type TabPlace, type TabWord, within } from './player-state.ts';
import { withProgress } from './queue.ts';
import { isLoaded, pause, stay } from './transport.ts';

/** What the other tabs are told of a step, if anything: that sound is wanted now, and with every save that it still is. */
export function wordToTabs(before: PlayerState, { state: after, effects }: Step): TabWord | null {
  if (!after.isPlaying) return null;
  if (!before.isPlaying) return 'begins';
  return effects.some(({ type }) => type === 'saveProgress') ? 'goesOn' : null;
}

/** The place that the other tabs take over from one that plays, or did until now; null: none that is new. */
export function placeToTabs(before: PlayerState, { state: after, effects }: Step): TabPlace | null {
  const saved = effects.findLast((effect) => effect.type === 'saveProgress');
  if (!saved || !(before.isPlaying || after.isPlaying)) return null;
  return { id: saved.track._id, position: saved.cause === 'ended' ? 0 : saved.position };
}

/** Another tab plays. Where that has just begun this one falls silent; it keeps nothing in storage until it plays again. */
export function heardElsewhere(state: PlayerState, word: TabWord): Step {
  if (word === 'goesOn' && state.isPlaying) return stay(state);
  const silent = pause(state);
  return { ...silent, state: { ...silent.state, isElsewhere: true } };
}

/** A track has come to a place in another tab: there a silent one would go on. What sounds here is left alone. */
export function movedElsewhere(state: PlayerState, { id, position }: TabPlace): Step {
  if (state.isPlaying) return stay(state);
  const there = { ...state, queue: withProgress(state.queue, id, position) };
  const { activeTrack } = state;
  if (activeTrack?._id !== id) return stay(there);
  const progress = within(activeTrack, position);
  return {
    state: { ...there, progress },
    effects: isLoaded(state) ? [{ type: 'seek', position: progress }] : [],
  };
}
