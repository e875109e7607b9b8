import { type DeviceKind, limits, type Track } from '@escucho/contracts';
import * as practice from './practice.ts';
import { setTrackProgress } from './queue.ts';
import { clampPosition, type Effect, type PlayerEvent, type PlayerState, type Transition } from './state.ts';
import { addEffects, isLoaded, saveProgress, unchanged } from './transport.ts';

type PlacesLearned = Extract<PlayerEvent, { type: 'remotePositionsReceived' }>;

/** Up to this between two places is no news; seconds. */
const { same } = limits.player.place;

/** The reader is told that another device has gone on, and how to come back. In: which kind of device, where it said so. */
const wayBack = (track: Track, from: number, to: number, heardOn?: DeviceKind | null): Effect => ({
  ...{ type: 'positionChanged', track, from, to },
  why: heardOn ?? 'elsewhere',
});

/** Whether a place from the server may move the active track: it rests, or was cut off and another device has gone on. */
const followsPlace = ({ phase, isInterrupted, progress }: PlayerState, place: number): boolean =>
  phase === 'idle' || phase === 'paused' || (isInterrupted && Math.abs(place - progress) > same);

/**
 * Places heard of from the server: the queue takes them, and so does the active track unless it plays or is about to.
 * Where that leads elsewhere, the reader is told the way back.
 */
export function applyRemotePositions(state: PlayerState, { places, heardOn }: PlacesLearned): Transition {
  const queue = state.queue.map((track) => {
    const progress = places[track._id];
    return progress === undefined ? track : { ...track, progress };
  });
  const { activeTrack: track } = state;
  const place = track ? places[track._id] : undefined;
  if (!track || place === undefined || !followsPlace(state, place)) return unchanged({ ...state, queue });
  const progress = clampPosition(track, place);
  const effects: Effect[] = state.phase === 'paused' ? [{ type: 'seek', position: progress }] : [];
  if (state.progress > 0 && Math.abs(progress - state.progress) > same)
    effects.push(wayBack(track, state.progress, progress, heardOn?.[track._id]));
  const there: PlayerState = { ...state, queue, progress, isPlaying: false, isInterrupted: false };
  return { state: practice.retargetPractice(there), effects };
}

type GoneOn = Extract<PlayerEvent, { type: 'remoteIsAhead' }>;

/**
 * Another device has gone on where this one began: so does this one from there, sounding or not, and the reader is told the
 * way back. Who has sought meanwhile knows where they want to be.
 */
export function followRemotePosition(state: PlayerState, { id, position, heardOn }: GoneOn): Transition {
  const { activeTrack: track, progress: from } = state;
  if (track?._id !== id) return unchanged({ ...state, queue: setTrackProgress(state.queue, id, position) });
  const to = clampPosition(track, position);
  if (state.isUserSeek || Math.abs(to - from) <= same) return unchanged(state);
  const there = saveProgress(practice.retargetPractice({ ...state, progress: to }), 'seek');
  const sought: Effect[] = isLoaded(state) ? [{ type: 'seek', position: to }] : [];
  return addEffects(there, ...sought, wayBack(track, from, to, heardOn));
}
