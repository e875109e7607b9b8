import { setTrackProgress } from './queue.ts';
import {
  clampPosition,
  type PlayerState,
  type TabPosition,
  type TabSignal,
  type Transition,
} from './state.ts';
import { isLoaded, pause, unchanged } from './transport.ts';

/** What the other tabs are told of a step, if anything: that sound is wanted now, and with every save that it still is. */
export function getTabSignal(before: PlayerState, { state: after, effects }: Transition): TabSignal | null {
  if (!after.isPlaying) return null;
  if (!before.isPlaying) return 'begins';
  return effects.some(({ type }) => type === 'saveProgress') ? 'goesOn' : null;
}

/** The place that the other tabs take over from one that plays, or did until now; null: none that is new. */
export function getTabPosition(
  before: PlayerState,
  { state: after, effects }: Transition,
): TabPosition | null {
  const saved = effects.findLast((effect) => effect.type === 'saveProgress');
  if (!saved || !(before.isPlaying || after.isPlaying)) return null;
  return { id: saved.track._id, position: saved.cause === 'ended' ? 0 : saved.position };
}

/** Another tab plays. Where that has just begun this one falls silent; it keeps nothing in storage until it plays again. */
export function yieldToOtherTab(state: PlayerState, word: TabSignal): Transition {
  if (word === 'goesOn' && state.isPlaying) return unchanged(state);
  const silent = pause(state);
  return { ...silent, state: { ...silent.state, isPlayingInOtherTab: true } };
}

/** A track has come to a place in another tab: there a silent one would go on. What sounds here is left alone. */
export function followOtherTab(state: PlayerState, { id, position }: TabPosition): Transition {
  if (state.isPlaying) return unchanged(state);
  const there = { ...state, queue: setTrackProgress(state.queue, id, position) };
  const { activeTrack } = state;
  if (activeTrack?._id !== id) return unchanged(there);
  const progress = clampPosition(activeTrack, position);
  return {
    state: { ...there, progress },
    effects: isLoaded(state) ? [{ type: 'seek', position: progress }] : [],
  };
}
