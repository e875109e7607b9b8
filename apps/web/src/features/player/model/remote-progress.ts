import { type DeviceKind, limits, type Track } from '@escucho/contracts';
import { setTrackProgress } from './queue.ts';
import { retargetPractice } from './sentences.ts';
import {
  clampPosition,
  type Effect,
  type PlayerEvents,
  type PlayerState,
  type TabPosition,
  type TabSignal,
  type Transition,
} from './state.ts';
import { addEffects, isLoaded, pause, saveProgress, unchanged } from './transport.ts';

/** Positions that differ by no more than this are the same; seconds. */
const { same: SAME_POSITION_SECONDS } = limits.player.position;

const createPositionChanged = (
  track: Track,
  from: number,
  to: number,
  deviceKind?: DeviceKind | null,
): Effect => ({ type: 'positionChanged', track, from, to, reason: deviceKind ?? 'otherDevice' });

/** Returns whether a remote position moves the active track: it does not play, or was interrupted while another device played on. */
const canFollowRemote = ({ phase, isInterrupted, progress }: PlayerState, position: number): boolean =>
  phase === 'idle' ||
  phase === 'paused' ||
  (isInterrupted && Math.abs(position - progress) > SAME_POSITION_SECONDS);

/**
 * Applies positions from the server to the queue, and to the active track unless it plays or is about to. The user is
 * offered to go back where that changes the position.
 */
export function applyRemotePositions(
  state: PlayerState,
  { positions, deviceKinds }: PlayerEvents['remotePositionsReceived'],
): Transition {
  const queue = state.queue.map((track) => {
    const progress = positions[track._id];
    return progress === undefined ? track : { ...track, progress };
  });
  const { activeTrack: track } = state;
  const position = track ? positions[track._id] : undefined;
  if (!track || position === undefined || !canFollowRemote(state, position))
    return unchanged({ ...state, queue });
  const progress = clampPosition(track, position);
  const effects: Effect[] = state.phase === 'paused' ? [{ type: 'seek', position: progress }] : [];
  if (state.progress > 0 && Math.abs(progress - state.progress) > SAME_POSITION_SECONDS)
    effects.push(createPositionChanged(track, state.progress, progress, deviceKinds?.[track._id]));
  const moved: PlayerState = {
    ...state,
    queue,
    progress,
    isPlaying: false,
    isInterrupted: false,
    hasPlayed: false,
  };
  return { state: retargetPractice(moved), effects };
}

/**
 * Follows another device that is further ahead than where this one started: the active track continues from there and the
 * user is offered to go back. After a seek by the user nothing changes.
 */
export function followRemotePosition(
  state: PlayerState,
  { id, position, deviceKind }: PlayerEvents['remoteIsAhead'],
): Transition {
  const { activeTrack: track, progress: from } = state;
  if (track?._id !== id) return unchanged({ ...state, queue: setTrackProgress(state.queue, id, position) });
  const to = clampPosition(track, position);
  if (state.isUserSeek || Math.abs(to - from) <= SAME_POSITION_SECONDS) return unchanged(state);
  const saved = saveProgress(retargetPractice({ ...state, progress: to }), 'seek');
  const effects: Effect[] = isLoaded(state) ? [{ type: 'seek', position: to }] : [];
  return addEffects(saved, ...effects, createPositionChanged(track, from, to, deviceKind));
}

/** Returns the signal for the other tabs after a transition: when playing begins, and with every save while it goes on. */
export function getTabSignal(before: PlayerState, { state: after, effects }: Transition): TabSignal | null {
  if (!after.isPlaying) return null;
  if (!before.isPlaying) return 'begins';
  return effects.some(({ type }) => type === 'saveProgress') ? 'goesOn' : null;
}

/** Returns the saved position for the other tabs, if this tab plays or did until now. */
export function getTabPosition(
  before: PlayerState,
  { state: after, effects }: Transition,
): TabPosition | null {
  const saved = effects.findLast((effect) => effect.type === 'saveProgress');
  if (!saved || !(before.isPlaying || after.isPlaying)) return null;
  return { id: saved.track._id, position: saved.cause === 'ended' ? 0 : saved.position };
}

/** Pauses when another tab begins to play. This tab writes nothing to storage until it plays again. */
export function yieldToOtherTab(state: PlayerState, signal: TabSignal): Transition {
  if (signal === 'goesOn' && state.isPlaying) return unchanged(state);
  const paused = pause(state);
  return { ...paused, state: { ...paused.state, isPlayingInOtherTab: true } };
}

/** Takes over a track's position from the tab that plays it, unless this tab plays. */
export function followOtherTab(state: PlayerState, { id, position }: TabPosition): Transition {
  if (state.isPlaying) return unchanged(state);
  const queue = setTrackProgress(state.queue, id, position);
  const { activeTrack } = state;
  if (activeTrack?._id !== id) return unchanged({ ...state, queue });
  const progress = clampPosition(activeTrack, position);
  return {
    state: { ...state, queue, progress, hasPlayed: false },
    effects: isLoaded(state) ? [{ type: 'seek', position: progress }] : [],
  };
}
